// Histories of channels: bounded, and without chats.
import { expect, test } from 'vitest'
import type { Publication } from '#contract/events/publications.ts'
import { Channel } from './channel.ts'

const started = {
  event: 'restreams.started',
  broadcast_id: 1,
  event_id: 's',
  restream_id: 1,
  payload: { link: null },
} as const
const changed = (operation: string): Publication => ({ event: 'changed', payload: { operation, stale: [] } })

test('invariant 5: keeps no chat, and a busy chat displaces no other event', () => {
  const channel = new Channel('$broadcast:1', 0)
  const frames: string[] = []
  channel.listeners.add({ push: (frame) => frames.push(frame.toString()) })
  channel.publish(started, 0)
  const batch = { event: 'messages', payload: [{ action: 'got', text: 'secret' }] } as unknown as Publication
  for (let n = 0; n < 1_000; n++) channel.publish(batch, 0)
  expect(frames).toHaveLength(1_001)
  expect(channel.history()).toEqual([{ offset: 1, data: started }])
  expect(channel.since(0, channel.epoch)).toEqual({ recovered: true, publications: [{ offset: 1, data: started }] })
  expect(channel.since(500, channel.epoch)).toEqual({ recovered: true, publications: [] })
})

test('keeps the last 200 publications, at most 512 KB, and reports the loss of earlier ones', () => {
  const channel = new Channel('$project:1', 0)
  for (let n = 1; n <= 250; n++) channel.publish(changed(`${n}`), 0)
  expect(channel.history()).toHaveLength(200)
  expect(channel.since(49, channel.epoch).recovered).toBe(false)
  expect(channel.since(50, channel.epoch).publications[0]?.data).toEqual(changed('51'))
  channel.publish(changed('x'.repeat(600_000)), 0)
  expect(channel.history()).toEqual([])
})
