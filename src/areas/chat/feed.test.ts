// Publications of a chat as events of the list.
import { expect, test } from 'vitest'
import { capabilityOf, messageOf } from '#src/components/message-list/fixtures.ts'
import { createMessageLog } from '#src/components/message-list/message-log.ts'
import { eventsOf, readBatch, withStates } from './feed.ts'

const batchOf = (...payload: unknown[]) => ({
  event: 'messages',
  broadcast_id: 9,
  event_id: 'batch',
  restream_id: null,
  platform: null,
  payload,
})
const platformOf = (id: number) => (id === 1 ? 'twitch' : '')
const read = (...payload: unknown[]) => readBatch(batchOf(...payload))?.payload ?? []
const events = (...payload: unknown[]) => eventsOf(read(...payload), platformOf)

test('applies a batch to the list', () => {
  const log = createMessageLog()
  const own = messageOf(2, { is_outgoing: true, restreams: [{ ...messageOf(2).restreams[0]!, state: 'sending' }] })
  log.receive(events({ action: 'got', ...messageOf(1) }, { action: 'create', ...own }))
  const failed = { ...own.restreams[0]!, state: 'failed', error: 'TooFast' }
  log.receive(
    events(
      { action: 'delivered', event_id: 'e2', restreams: [failed], rev: 3 },
      { action: 'deleted', event_id: 'e1', rev: 4 },
      { action: 'skipped', restream_id: 1, count: 120 },
      { action: 'gap', restream_id: 1, since: '2026-11-22T20:00:00.000Z' },
    ),
  )
  expect(log.view().live).toMatchObject([
    { message: { deleted: true, text: '' } },
    { message: { restreams: [{ state: 'failed', error: 'TooFast' }] } },
    { kind: 'skipped', platform: 'twitch', count: 120 },
    { kind: 'gap', platform: 'twitch' },
  ])
})

test('marks a gap of two channels of a platform once', () => {
  const log = createMessageLog()
  const gap = (restream_id: number) => ({ action: 'gap', restream_id, since: '2026-11-23T07:00:00.000Z' })
  log.receive(eventsOf(read(gap(1), gap(2)), () => 'twitch'))
  expect(log.view().live).toMatchObject([{ kind: 'gap', platform: 'twitch' }])
})

test('clears the messages of an author of one chat', () => {
  const log = createMessageLog()
  const elsewhere = { ...messageOf(2).restreams[0]!, restream_id: 2 }
  log.receive(
    events(
      { action: 'got', ...messageOf(1, { name: 'Ann' }) },
      { action: 'got', ...messageOf(2, { name: 'Ann', restreams: [elsewhere] }) },
      // Stored after the clearing.
      { action: 'got', ...messageOf(4, { name: 'Ann' }) },
      { action: 'cleared', restream_id: 1, sender_id: 'Ann', rev: 3 },
    ),
  )
  expect(log.view().live.map((row) => row.kind === 'message' && row.message.deleted)).toEqual([true, false, false])
})

test('reads states, and ignores other publications and unreadable changes', () => {
  const states = read({ action: 'state', restream_id: 1, state: 'waiting', reason: 'quota', until: null })
  expect(withStates([capabilityOf()], states)).toMatchObject([{ state: 'waiting', reason: 'quota' }])
  expect(readBatch({ event: 'views', payload: 5 })).toBeNull()
  const withUnknown = events({ action: 'unheard-of' }, { action: 'got', ...messageOf(1) }, { action: 'got', seq: 'x' })
  expect(withUnknown).toMatchObject([{ is: 'message', message: { seq: 1 } }])
  expect(readBatch(null)).toBeNull()
})
