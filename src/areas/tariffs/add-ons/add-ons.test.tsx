// Tests of the transcoding and storage tabs, and of their rows on the restream tab.
import { screen, within } from '@testing-library/react'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { storage } from '#contract/areas/tariffs/storage.ts'
import { transcoding } from '#contract/areas/tariffs/transcoding.ts'
import { paths } from '#src/lib/paths.ts'
import { region } from '#src/testing/find.ts'
import { expect, test } from '#src/testing/page-test.tsx'
import { tariffs } from '#src/testing/tariffs-page.ts'

const slot = async (title: string, name: 'Previous' | 'Current' | 'Next') =>
  within(await region(title)).findByRole('article', { name })

test('buys transcoders with the stepper at the quoted price', async ({ open, user, person, api }) => {
  await open(paths.tariffs(person.projectId, 'transcoding'))
  const current = await slot('Transcoding of this project', 'Current')
  expect(tariffs.fact(current, 'Transcoders')).toHaveTextContent('1')
  expect(tariffs.fact(current, 'Resolution')).toHaveTextContent('720p')
  const plan = await tariffs.plan('Full HD')
  await user.click(within(plan).getByRole('button', { name: 'One transcoder more' }))
  expect(plan).toHaveTextContent('$9.80')
  await user.click(await screen.findByRole('button', { name: 'Buy Full HD for $9.80' }))
  const dialog = await screen.findByRole('dialog', { name: 'Buy Full HD (2 transcoders)?' })
  await user.click(within(dialog).getByRole('button', { name: 'Buy Full HD for $9.80' }))
  await screen.findByText(/You paid \$9\.80 for one month of Full HD \(2 transcoders\)/)
  await expect
    .poll(async () => tariffs.fact(await slot('Transcoding of this project', 'Current'), 'Transcoders').textContent)
    .toBe('2')
  const slots = await api(transcoding.slots, { project_id: person.projectId })
  expect(slots.current).toMatchObject({ count: 2, title: 'Full HD' })
})

test('shows storage with a slider, and cancels a queued plan with its refund', async ({ open, user, person, api }) => {
  const plan = { project_id: person.projectId, plan_storage_id: 1, period: 'month' } as const
  await api(storage.buy, { ...plan, size: 100 })
  await api(storage.buy, { ...plan, size: 50 })
  await open(paths.tariffs(person.projectId, 'storage'))
  const next = await slot('Additional storage of this project', 'Next')
  expect(tariffs.fact(next, 'Space')).toHaveTextContent('50 GB')
  expect(within(await tariffs.plan('Recordings')).getByRole('slider', { name: 'Space in GB, slider' })).toHaveValue(
    '100',
  )
  await within(next).findByText('$3.00 goes back to your balance')
  await user.click(within(next).getByRole('button', { name: 'Cancel next plan' }))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel plan' }))
  await screen.findByText('The queued Recordings plan is cancelled. $3.00 was returned to your balance.')
})

test('shows one row for each other line on the restream tab', async ({ open, person, api }) => {
  const project_id = person.projectId
  await api(restream.buy, { project_id, plan_restream_id: 2, period: 'month' })
  await api(storage.buy, { project_id, plan_storage_id: 1, period: 'month', size: 100 })
  await api(storage.prolongation, { project_id, enabled: true })
  await open(paths.tariffs(project_id))
  const rows = within(await region('Plan of this project'))
  expect((await rows.findByText(/100 GB, renews on/)).parentElement).toHaveTextContent(/^Storage/)
  expect(rows.getByText('1 transcoder').parentElement).toHaveTextContent(/^Transcoding/)
  expect(rows.getByRole('link', { name: 'Storage' })).toHaveAttribute('href', paths.tariffs(project_id, 'storage'))
})

test('without a storage plan the current slot is empty', async ({ open, person }) => {
  await open(paths.tariffs(person.projectId, 'storage'))
  expect(await slot('Additional storage of this project', 'Current')).toHaveTextContent('None')
})
