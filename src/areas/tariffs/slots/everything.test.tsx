// An installation without plans: three slots, no prices, no purchases, and a quiet line for the operator.
import { within } from '@testing-library/react'
import { paths } from '#src/lib/paths.ts'
import { newOperator } from '#server/testing/test-app.ts'
import { expect, screen, testWith } from '#src/testing/page-test.tsx'

const test = testWith({ BILLING: 'off' })

test('billing check 1: shows three slots with everything included, and nothing to buy', async ({ open, person }) => {
  await open(paths.tariffs(person.projectId))
  const current = within(await screen.findByRole('article', { name: 'Current' }))
  current.getByText('Everything included')
  for (const name of ['Previous', 'Next']) expect(screen.getByRole('article', { name })).toHaveTextContent('None')
  const main = screen.getByRole('main')
  expect(main).not.toHaveTextContent(/\$|₽|Free|Upgrade|Buy|Switch plans on/)
})

test('leads the operator to switching plans on', async ({ open, user, service }) => {
  const operator = await newOperator(service)
  await open(paths.tariffs(operator.projectId), operator)
  await user.click(await screen.findByRole('link', { name: 'Switch plans on' }))
  await screen.findByRole('heading', { name: 'Everything is included' })
})

test('has no Billing entry, and leads its address to the slots', async ({ open, person }) => {
  await open(paths.billing(person.projectId))
  await screen.findByRole('article', { name: 'Current' })
  expect(screen.queryAllByRole('link', { name: 'Billing' })).toEqual([])
})

test('billing check 1: names neither plans nor balances on the other pages', async ({ open, person }) => {
  const id = person.projectId
  for (const path of [
    paths.home(id),
    paths.ingest(id),
    paths.ingest(id, 'pull'),
    paths.project(id),
    paths.channels(id),
  ]) {
    await open(path)
    await screen.findByRole('heading', { level: 1 })
    await expect.poll(() => screen.getByRole('main').getAttribute('aria-busy')).not.toBe('true')
    expect(screen.getByRole('main'), path).not.toHaveTextContent(
      /your plan|restream plan|view plans|compare plans|balance/i,
    )
  }
})
