// Events: order of repetitions, and the address of a new broadcast.
import { within } from '@testing-library/react'
import { channels } from '#contract/areas/channels/channels.ts'
import { newChannel } from '#server/testing/channels.ts'
import { beginBroadcast, someNodeOf } from '#server/testing/on-air.ts'
import { paths } from '#src/lib/paths.ts'
import { expect, screen, test } from '#src/testing/page-test.tsx'

test('shows an event that was repeated at its first time, in the order of the list', async ({
  open,
  person,
  service,
  api,
}) => {
  const node = someNodeOf(service)
  const id = await newChannel(service, person, { name: 'Evening' })
  await api(channels.setStatus, { channel_id: id, status: true })
  const { broadcast_id } = await beginBroadcast(service, person, node)
  for (let round = 0; round < 3; round++) {
    if (round === 1) {
      service.clock.advance(10_000)
      await node.tell(person.projectId, { type: 'source-lost', how: 'socket' })
      await node.begin(person.projectId)
    }
    for (const state of ['live', 'backoff'] as const) {
      service.clock.advance(10_000)
      await node.channel(person.projectId, id, state, state === 'backoff' ? { reason: 'socket' } : {})
    }
  }
  await open(paths.broadcast(person.projectId, broadcast_id))
  const list = await screen.findByRole('list', { name: 'Events' })
  const repeated = within(list).getAllByText(/×3/)
  expect(repeated).toHaveLength(2)
  const times = within(list)
    .getAllByRole('listitem')
    .map((line) => [...line.querySelectorAll('time')].at(-1)?.dateTime ?? '')
  expect(times).toEqual([...times].toSorted().toReversed())
  expect(repeated.map((one) => one.closest('li')?.textContent)).toEqual([
    expect.stringContaining('Last time'),
    expect.stringContaining('Last time'),
  ])
})

test('links the new broadcast that was made at the platform', async ({ open, person, service }) => {
  const { broadcast_id } = await beginBroadcast(service, person, someNodeOf(service, 'another'))
  const words = 'https://www.youtube.com/watch?v=abcdefghijk'
  const event = { level: 'info', kind: 'platform-healed', words, channel_id: null, reason: null } as const
  const date_create = service.clock.now().toISOString()
  await service.app.db
    .insertInto('broadcast_events')
    .values({ ...event, broadcast_id, date_create })
    .execute()
  await open(paths.broadcast(person.projectId, broadcast_id))
  const list = await screen.findByRole('list', { name: 'Events' })
  const line = (await within(list).findByText('A new broadcast was made on the platform')).closest('li') as HTMLElement
  expect(within(line).getByRole('link', { name: words })).toHaveAttribute('href', words)
  expect(line.textContent).not.toContain('“')
})
