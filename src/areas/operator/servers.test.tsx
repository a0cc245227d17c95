// Tests of the operator's page for servers.
import { within } from '@testing-library/react'
import { servers } from '#contract/areas/operator/servers.ts'
import { report } from '#server/testing/nodes.ts'
import { newOperator } from '#server/testing/test-app.ts'
import { paths } from '#src/lib/paths.ts'
import { expect, screen, test } from '#src/testing/page-test.tsx'

test('shows servers with their state, and what a release that cannot drain lacks', async ({ open, service }) => {
  await report(service.services, { node: 'fra-old' })
  await report(service.services, { node: 'fra-new', release: '1.2.0', drainUntil: null })
  await open(paths.operator('servers'), await newOperator(service))
  const list = within(await screen.findByRole('list', { name: 'Servers' }))
  const row = (name: string) => within(list.getByText(`${name} · Frankfurt`).closest('li') ?? document.body)
  row('fra-new').getByText('Accepts broadcasts')
  row('fra-new').getByText(/release 1\.2\.0 · 0 broadcasts on air/)
  row('fra-old').getByText('This release cannot drain.')
  // It is not connected.
  expect(row('fra-new').queryByRole('button', { name: /^Drain/ })).toBeNull()
})

test('drains a connected server with a deadline, and cancels it', async ({ open, user, fill, service, api }) => {
  const { services, clock } = service
  const operator = await newOperator(service)
  const reports = (drainUntil: number | null) => report(services, { node: 'ams-1', drainUntil })
  await reports(null)
  const asked: (number | null)[] = []
  const relay = services.relay
  const before = { has: relay.has, drain: relay.drain }
  Object.assign(relay, {
    has: (node: string) => node === 'ams-1',
    drain: (_: string, ms: number | null) => asked.push(ms),
  })
  await open(paths.operator('servers'), operator)
  await user.click(await screen.findByRole('button', { name: 'Drain ams-1' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.selectOptions(dialog.getByRole('combobox'), '4 hours')
  await fill('Reason', 'New disk')
  await user.click(dialog.getByRole('button', { name: 'Drain' }))
  await expect.poll(() => asked).toEqual([4 * 3_600_000])

  clock.advance(1_000)
  await reports(clock.now().getTime() + 4 * 3_600_000)
  await user.click(await screen.findByRole('button', { name: 'Cancel the drain of ams-1' }, { timeout: 20_000 }))
  screen.getByText(/Takes no new broadcasts/)
  await fill('Reason', 'The disk is late')
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel drain' }))
  await expect.poll(() => asked.at(-1)).toBe(null)
  expect((await api(servers.list, {}, operator)).results.length).toBeGreaterThan(0)
  Object.assign(relay, before)
})
