// Tests of the Payouts, Referrals and Balance tabs: requests, link, promo codes, transfers.
import { within } from '@testing-library/react'
import { payouts } from '#contract/areas/billing/payouts.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { paths } from '#src/lib/paths.ts'
import { dialog, region } from '#src/testing/find.ts'
import { expect, screen, test } from '#src/testing/page-test.tsx'
import { upgrade } from '#server/testing/channels.ts'
import { newPromo, newWay } from '#server/testing/promos.ts'
import { topUp } from '#server/testing/tariffs.ts'
import { planWithTeams } from '#server/testing/team.ts'

test('requests a payout with the amount after the fee, and cancels it', async ({
  open,
  user,
  fill,
  person,
  service,
  api,
}) => {
  await newWay(service.app.db)
  await topUp({ db: service.app.db, clock: service.clock }, person.projectId, { bonus: 0, payment: 0, profit: 3000 })
  await open(paths.billing(person.projectId, 'payouts'))
  await user.click(await screen.findByRole('button', { name: 'Request payout' }))
  await fill('Amount', '9')
  expect(within(await dialog()).getByRole('button', { name: 'Request payout' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await fill('Amount', '20.00')
  await fill('Recipient account', '4000 0000 0000 1234')
  expect(await dialog()).toHaveTextContent('You receive $19.50')
  await user.click(within(await dialog()).getByRole('button', { name: 'Request payout' }))
  const requests = await region('Your requests')
  await within(requests).findByText('Waiting')
  expect(requests).toHaveTextContent('••••1234')
  await expect.poll(async () => (await region('Available for payout')).textContent).toContain('$10.00')
  await user.click(within(requests).getByRole('button', { name: 'Cancel request' }))
  await user.click(within(await dialog()).getByRole('button', { name: 'Cancel payout' }))
  await within(requests).findByText('Cancelled')
  const { results } = await api(payouts.list, { project_id: person.projectId })
  expect(results.map(({ status }) => status)).toEqual(['cancelled'])
})

test('shows the referral link and figures', async ({ open, person }) => {
  await open(paths.billing(person.projectId, 'referrals'))
  await screen.findByText(/\/sign-in\?ref=\d{9}$/)
  expect(await region('Referrals')).toHaveTextContent(/Invited users0/)
})

test('names the effect of a promo code, applies it once, and explains a refusal', async ({
  open,
  user,
  fill,
  person,
  service,
}) => {
  await newPromo(service.app.db, 'HELLO5', { name: 'Hello' })
  await open(paths.billing(person.projectId))
  await fill('Enter a code', 'hello5')
  await user.click(screen.getByRole('button', { name: 'Use code' }))
  expect(await dialog()).toHaveTextContent('Adds $5.00 to the bonus balance.')
  await user.click(within(await dialog()).getByRole('button', { name: 'Apply' }))
  await screen.findByText('$5.00 was added to the bonus balance.')
  await expect.poll(async () => (await region('Balance')).textContent).toContain('$185.00')
  await fill('Enter a code', 'hello5')
  await user.click(screen.getByRole('button', { name: 'Use code' }))
  await screen.findByText('This project has already used the code.')
})

test('leads with a code that lowers a price to the plans, where it is used', async ({
  open,
  user,
  fill,
  person,
  service,
}) => {
  await newPromo(service.app.db, 'TENTH', { name: 'A tenth', type: 'percent', percent: 10, amounts: {} })
  await open(paths.billing(person.projectId))
  await fill('Enter a code', 'TENTH')
  await user.click(screen.getByRole('button', { name: 'Use code' }))
  expect(await dialog()).toHaveTextContent('Takes 10% off the price of a plan. You use it when you buy one.')
  await user.click(within(await dialog()).getByRole('button', { name: 'Choose a plan' }))
  await expect.poll(() => location.search).toBe('?code=TENTH')
})

test('moves balance to another own project, and offers nothing to an owner of one', async ({
  open,
  user,
  fill,
  person,
  service,
  api,
}) => {
  await topUp({ db: service.app.db, clock: service.clock }, person.projectId, { bonus: 0, payment: 3000, profit: 0 })
  await open(paths.billing(person.projectId))
  await region('Balance')
  expect(screen.queryByRole('button', { name: 'Move balance' })).toBeNull()
  await upgrade(service, person, planWithTeams)
  const { internal_id } = await api(projects.create, { name: 'Team', currency: 'usd' })
  await open(paths.billing(person.projectId))
  await user.click(await screen.findByRole('button', { name: 'Move balance' }))
  await fill('Amount', '12.50')
  await user.click(within(await dialog()).getByRole('button', { name: 'Move' }))
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
  const { data } = await api(projects.info, { project_id: internal_id })
  expect(data.balance_payment).toBe(1250)
})

test('shows owner tabs to owners only', async ({ open, person, another, service }) => {
  const owner = await another('Maria')
  await service.join(person, owner.projectId, 1)
  await open(paths.billing(owner.projectId, 'payouts'))
  await screen.findByText('For owners of the project')
})
