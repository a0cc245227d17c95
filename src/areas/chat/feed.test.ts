// Publications of a chat as events of the list.
import { expect, test } from 'vitest'
import { Deletions } from '#contract/events/deletions.ts'
import { capabilityOf, messageOf } from '#src/components/message-list/fixtures.ts'
import { createMessageLog } from '#src/components/message-list/message-log.ts'
import { readFeed, withStates } from './feed.ts'

const batchOf = (...payload: unknown[]) => ({
  event: 'messages',
  broadcast_id: 9,
  event_id: 'batch',
  restream_id: null,
  platform: null,
  payload,
})
const platformOf = (id: number) => (id === 1 ? 'twitch' : '')
const read = (...payload: unknown[]) => readFeed(batchOf(...payload), platformOf, new Deletions())

test('applies a batch to the list', () => {
  const log = createMessageLog()
  const own = messageOf(2, { is_outgoing: true, restreams: [{ ...messageOf(2).restreams[0]!, state: 'sending' }] })
  log.receive(read({ action: 'got', ...messageOf(1) }, { action: 'create', ...own })?.events ?? [])
  const failed = { ...own.restreams[0]!, state: 'failed', error: 'TooFast' }
  log.receive(
    read(
      { action: 'delivered', event_id: 'e2', restreams: [failed] },
      { action: 'deleted', event_id: 'e1' },
      { action: 'skipped', restream_id: 1, count: 120 },
      { action: 'gap', restream_id: 1, since: '2026-11-22T20:00:00.000Z' },
    )?.events ?? [],
  )
  expect(log.view().live).toMatchObject([
    { message: { deleted: true, text: '' } },
    { message: { restreams: [{ state: 'failed', error: 'TooFast' }] } },
    { kind: 'skipped', platform: 'twitch', count: 120 },
    { kind: 'gap', platform: 'twitch' },
  ])
})

test('invariant 5: leaves out a message that arrives after its deletion', () => {
  const deletions = new Deletions()
  const arrived = (change: object) => readFeed(batchOf(change), platformOf, deletions)?.events.map(({ is }) => is)
  expect(arrived({ action: 'deleted', event_id: 'e1', last_seq: 4 })).toEqual(['deleted'])
  expect(arrived({ action: 'got', ...messageOf(1) })).toEqual([])
  expect(arrived({ action: 'got', ...messageOf(2) })).toEqual(['message'])
})

test('marks a gap of two channels of a platform once', () => {
  const log = createMessageLog()
  const gap = (restream_id: number) => ({ action: 'gap', restream_id, since: '2026-11-23T07:00:00.000Z' })
  log.receive(readFeed(batchOf(gap(1), gap(2)), () => 'twitch', new Deletions())?.events ?? [])
  expect(log.view().live).toMatchObject([{ kind: 'gap', platform: 'twitch' }])
})

test('clears the messages of an author of one chat', () => {
  const log = createMessageLog()
  const elsewhere = { ...messageOf(2).restreams[0]!, restream_id: 2 }
  log.receive(
    read(
      { action: 'got', ...messageOf(1, { name: 'Ann' }) },
      { action: 'got', ...messageOf(2, { name: 'Ann', restreams: [elsewhere] }) },
      { action: 'cleared', restream_id: 1, sender_id: 'Ann' },
    )?.events ?? [],
  )
  expect(log.view().live.map((row) => row.kind === 'message' && row.message.deleted)).toEqual([true, false])
})

test('ignores an older star, and clears the star with its message', () => {
  const star = (star_seq: number, event_id: string | null) => ({ action: 'starred', event_id, star_seq })
  const known = { starred: 'e3', star_seq: 3 }
  expect(read(star(2, 'e2'))?.starAfter(known)).toEqual(known)
  expect(read(star(5, 'e5'), star(4, null))?.starAfter(known)).toEqual({ starred: 'e5', star_seq: 5 })
  expect(read({ action: 'deleted', event_id: 'e3' })?.starAfter(known)).toEqual({ starred: null, star_seq: 3 })
  expect(read(star(4, null))?.starAfter(known)).toEqual({ starred: null, star_seq: 4 })
  // Of a replica of an older version.
  const old = read({ action: 'starred', event_id: 'e4' }, { action: 'got', ...messageOf(1) })
  expect(old?.starAfter(known)).toEqual({ starred: 'e4', star_seq: 3 })
  expect(old?.events).toHaveLength(1)
})

test('reads states, and ignores other publications and unreadable changes', () => {
  const feed = read({ action: 'state', restream_id: 1, state: 'waiting', reason: 'quota', until: null })
  expect(withStates([capabilityOf()], feed?.states ?? [])).toMatchObject([{ state: 'waiting', reason: 'quota' }])
  expect(readFeed({ event: 'views', payload: 5 }, platformOf, new Deletions())).toBeNull()
  const withUnknown = read({ action: 'unheard-of' }, { action: 'got', ...messageOf(1) }, { action: 'got', seq: 'x' })
  expect(withUnknown?.events).toMatchObject([{ is: 'message', message: { seq: 1 } }])
  expect(readFeed(null, platformOf, new Deletions())).toBeNull()
})
