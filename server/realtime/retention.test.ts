// Histories of chats: their own lane, and removal of batches with deleted texts.
import { expect, test } from 'vitest'
import type { Publication } from '#contract/events/publications.ts'
import { Channel } from './channel.ts'
import { retentionOf } from './retention.ts'

const batch = (...payload: object[]) =>
  ({ event: 'messages', broadcast_id: 1, event_id: 'b', restream_id: null, platform: null, payload }) as Publication
const started = {
  event: 'restreams.started',
  broadcast_id: 1,
  event_id: 's',
  restream_id: 1,
  payload: { link: null },
} as const

function someChannel() {
  const channel = new Channel('$broadcast:1', 0)
  return { channel, publish: (data: Publication) => channel.publish(data, retentionOf(data), 0) }
}

test('a busy chat displaces no other event', () => {
  const { channel, publish } = someChannel()
  publish(started)
  for (let n = 0; n < 1_000; n++) publish(batch({ action: 'got', event_id: `m${n}`, text: 'x'.repeat(1_000) }))
  const history = channel.history()
  expect(history[0]?.data).toEqual(started)
  expect(history).toHaveLength(65)
  const missed = channel.since(0, channel.epoch)
  expect([missed.recovered, missed.publications[0]?.data]).toEqual([false, started])
})

test('invariant 5: keeps no batch with a deleted text', () => {
  const { channel, publish } = someChannel()
  publish(
    batch({ action: 'got', event_id: 'one', text: 'secret', is_outgoing: false, restreams: [], sender: { id: '' } }),
  )
  const two = { is_outgoing: false, restreams: [{ restream_id: 1 }], sender: { id: 'Bob' } }
  publish(batch({ action: 'got', event_id: 'two', text: 'stays', ...two }))
  publish(started)
  publish(batch({ action: 'deleted', event_id: 'one' }))
  expect(JSON.stringify(channel.history())).not.toContain('secret')
  expect(JSON.stringify(channel.history())).toContain('stays')
  expect(channel.since(0, channel.epoch).recovered).toBe(false)
  expect(channel.since(1, channel.epoch).recovered).toBe(true)
  for (const other of [
    { restream_id: 2, sender_id: null },
    { restream_id: 1, sender_id: 'Ann' },
  ])
    publish(batch({ action: 'cleared', ...other }))
  expect(JSON.stringify(channel.history())).toContain('stays')
  publish(batch({ action: 'cleared', restream_id: 1, sender_id: 'Bob' }))
  expect(JSON.stringify(channel.history())).not.toContain('stays')
})
