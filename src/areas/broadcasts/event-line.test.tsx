// Order of events with repetitions.
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
