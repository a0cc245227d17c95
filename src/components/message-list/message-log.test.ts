// The log of a message list: order, folding, holding, floods and deletions.
import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import type { ChatMessage } from '#contract/entities/chat-message.ts'
import { messageOf } from './fixtures.ts'
import { createMessageLog, type MessageLog } from './message-log.ts'
import { filtered, type LogEvent, newer, type Row } from './rows.ts'

let time: number
let timers: (() => void)[]
let log: MessageLog

beforeEach(() => {
  time = 0
  timers = []
  log = createMessageLog(
    () => time,
    (run) => {
      timers.push(run)
      return () => void (timers = timers.filter((one) => one !== run))
    },
  )
})

const arrive = (...messages: ChatMessage[]) => log.receive(messages.map((message) => ({ is: 'message', message })))
const texts = (rows: readonly Row[]) => rows.map((row) => (row.kind === 'message' ? row.message.text : row.kind))
const live = () => texts(log.view().live)
const all = () => true

test('keeps messages in the order of their numbers, each once', () => {
  arrive(messageOf(1), messageOf(4))
  arrive(messageOf(2), messageOf(4))
  log.load([messageOf(3), messageOf(4)])
  expect(live()).toEqual(['Message 1', 'Message 2', 'Message 3', 'Message 4'])
})

test('shows a sample, which has no number, at the end', () => {
  arrive(messageOf(7), messageOf(0, { event_id: 'sample', text: 'Sample' }), messageOf(8))
  expect(live()).toEqual(['Message 7', 'Sample', 'Message 8'])
})

test('gathers a flood and shows it every 250 ms', () => {
  for (let seq = 1; seq <= 50; seq++) arrive(messageOf(seq))
  expect(live()).toHaveLength(50)
  arrive(messageOf(51))
  arrive(messageOf(52))
  expect(live()).toHaveLength(50)
  expect(timers).toHaveLength(1)
  timers[0]?.()
  expect(live()).toHaveLength(52)
  time = 2_000
  arrive(messageOf(53))
  expect(live()).toHaveLength(53)
})

test('keeps 5,000 rows, also when timers of a hidden tab do not run', () => {
  for (let at = 0; at < 120; at++) arrive(...Array.from({ length: 100 }, (_, index) => messageOf(at * 100 + index + 1)))
  expect(live().length).toBeLessThanOrEqual(5_000)
  timers.at(-1)?.()
  expect([live().length, live()[0], live().at(-1)]).toEqual([5_000, 'Message 7001', 'Message 12000'])
})

test('holds the list, counts new messages, and lets deletions through', () => {
  arrive(messageOf(1), messageOf(2))
  log.hold(true)
  arrive(messageOf(3), messageOf(4))
  log.receive([{ is: 'deleted', eventId: 'e1' }])
  const { held, live: rows } = log.view()
  expect(texts(held ?? [])).toEqual(['', 'Message 2'])
  expect(newer(rows, held ?? [], all)).toBe(2)
  log.hold(false)
  expect(log.view().held).toBeNull()
  expect(live()).toEqual(['', 'Message 2', 'Message 3', 'Message 4'])
})

test('removes text, images and amount of a deleted message, and shows it again whole', () => {
  const paid = { amount: 500, currency: 'EUR', text: '5 €' }
  arrive(messageOf(1, { kind: 'paid', paid }))
  log.receive([
    { is: 'deleted', eventId: 'e1', rev: 2 },
    { is: 'changed', eventId: 'e1', rev: 3, change: (known) => ({ ...known, text: 'again' }) },
  ])
  const [row] = log.view().live
  expect(row).toMatchObject({ message: { deleted: true, text: '', entities: [], paid: null } })
  arrive(messageOf(1, { rev: 2 }))
  expect(live()).toEqual([''])
  arrive(messageOf(1, { rev: 4 }))
  expect(live()).toEqual(['Message 1'])
})

test('invariant 5: an older change of a message has no effect, and a deletion by this page is final', () => {
  arrive(messageOf(1, { rev: 7 }), messageOf(2))
  log.receive([
    { is: 'deleted', eventId: 'e1', rev: 6 },
    { is: 'changed', eventId: 'e1', rev: 7, change: (known) => ({ ...known, text: 'older' }) },
    { is: 'deleted', eventId: 'e2' },
  ])
  arrive(messageOf(2, { rev: 9 }))
  expect(live()).toEqual(['Message 1', ''])
})

test('clears the messages of an author', () => {
  arrive(messageOf(1, { name: 'Ann' }), messageOf(2, { name: 'Bob' }), messageOf(3, { name: 'Ann' }))
  log.receive([{ is: 'cleared', rev: 4, fits: ({ sender }) => sender.id === 'Ann' }])
  expect(live()).toEqual(['', 'Message 2', ''])
})

test('folds the same text of three people within five seconds', () => {
  const hi = (seq: number, name: string) => messageOf(seq, { name, text: 'Hi' })
  arrive(hi(1, 'Ann'), hi(2, 'Ann'), hi(3, 'Bob'), messageOf(4))
  expect(live()).toEqual(['Hi', 'Hi', 'Hi', 'Message 4'])
  arrive(hi(5, 'Cid'), hi(6, 'Dan'))
  expect(live()).toEqual(['Hi', 'Message 4'])
  expect(log.view().live[0]).toMatchObject({ same: [{ seq: 2 }, { seq: 3 }, { seq: 5 }, { seq: 6 }] })
  time = 6_000
  arrive(hi(7, 'Eve'))
  expect(live()).toEqual(['Hi', 'Message 4', 'Hi'])
  log.receive([{ is: 'deleted', eventId: 'e5' }])
  expect(log.view().live[0]).toMatchObject({ same: [{}, {}, { deleted: true, text: '' }, {}] })
})

test('does not fold paid messages and answers', () => {
  for (let seq = 1; seq <= 6; seq++)
    arrive(messageOf(seq, { text: 'Hi', ...(seq % 2 ? { kind: 'paid' } : { reply_to: { event_id: 'x', id: null } }) }))
  expect(live()).toHaveLength(6)
})

test('adds up notes of a platform that follow each other', () => {
  const note = (kind: 'gap' | 'skipped', platform: string, count: number): LogEvent => ({
    is: 'note',
    note: { kind, platform, count },
  })
  log.receive([note('skipped', 'vk', 3), note('skipped', 'vk', 4), note('skipped', 'kick', 1), note('gap', 'kick', 0)])
  expect(log.view().live.map((row) => row.kind !== 'message' && row.count)).toEqual([7, 1, 0])
})

test('a filtered list shows the notes of its platform, those that follow each other as one', () => {
  const gap = (platform: string): LogEvent => ({ is: 'note', note: { kind: 'gap', platform, count: 0 } })
  arrive(messageOf(1))
  log.receive([gap('twitch')])
  arrive(messageOf(2))
  log.receive([gap('twitch'), gap('youtube')])
  arrive(messageOf(3))
  log.receive([gap('')])
  const fits = ({ seq }: ChatMessage) => seq === 3
  const keys = (platform: string) =>
    filtered(log.view().live, fits, platform).map((row) => (row.kind === 'message' ? row.key : row.platform))
  expect(keys('twitch')).toEqual(['twitch', 'e3', ''])
  expect(keys('')).toEqual(['twitch', 'youtube', 'e3', ''])
})

test('shows every received message exactly once in any order of arrival and loading', () => {
  const steps = fc.array(
    fc.record({ seq: fc.integer({ min: 1, max: 40 }), how: fc.constantFrom('arrive', 'load', 'hold', 'delete') }),
  )
  fc.assert(
    fc.property(steps, (list) => {
      let flush = () => {}
      const own = createMessageLog(
        () => 0,
        (run) => {
          flush = run
          return () => {}
        },
      )
      const seen = new Set<number>()
      for (const { seq, how } of list) {
        if (how === 'hold') own.hold(own.view().held === null)
        else if (how === 'delete') own.receive([{ is: 'deleted', eventId: `e${seq}` }])
        else seen.add(seq)
        if (how === 'arrive') own.receive([{ is: 'message', message: messageOf(seq) }])
        if (how === 'load') own.load([messageOf(seq)])
      }
      own.load([messageOf(41)])
      flush()
      const rows = own.view().live.filter((row) => row.kind === 'message')
      const numbers = rows.map(({ message }) => message.seq)
      expect(numbers).toEqual([...seen, 41].toSorted((a, b) => a - b))
    }),
    { numRuns: 50 },
  )
})

test('tells arrivals once, and no loaded messages', () => {
  const reported: number[] = []
  log.onArrival(({ seq }) => reported.push(seq))
  log.load([messageOf(1)])
  arrive(messageOf(1), messageOf(2))
  arrive(messageOf(2))
  expect(reported).toEqual([2])
})

test('tells no arrival of a message that the same publication deletes', () => {
  const told: number[] = []
  log.onArrival(({ seq }) => told.push(seq))
  log.receive([
    { is: 'message', message: messageOf(1) },
    { is: 'message', message: messageOf(2) },
    { is: 'deleted', eventId: 'e1', rev: 3 },
  ])
  expect([told, live()]).toEqual([[2], ['', 'Message 2']])
})

test('invariant 5: a deletion during a request for older messages wins over its answer', async () => {
  log.load([messageOf(8)], 8)
  const answer = Promise.withResolvers<{ messages: ChatMessage[]; from: number }>()
  const loaded = log.loadFrom(() => answer.promise)
  log.receive([
    { is: 'deleted', eventId: 'e5', rev: 9 },
    { is: 'cleared', rev: 10, fits: ({ sender }) => sender.id === 'Ann' },
  ])
  answer.resolve({ messages: [messageOf(5), messageOf(6, { name: 'Ann' }), messageOf(7)], from: 5 })
  await loaded
  expect(live()).toEqual(['', '', 'Message 7', 'Message 8'])
})

test('adds no changed message that is older than its first one, until all are loaded', () => {
  log.load([messageOf(8)], 8)
  arrive(messageOf(5, { rev: 9 }))
  expect(live()).toEqual(['Message 8'])
  log.load([messageOf(6)], 0)
  arrive(messageOf(5, { rev: 9 }))
  expect(live()).toEqual(['Message 5', 'Message 6', 'Message 8'])
})

test('begins anew with the newest messages, also while it is held', () => {
  arrive(messageOf(1), messageOf(2))
  log.hold(true)
  log.restart([messageOf(2), messageOf(9)], 2)
  expect([live(), texts(log.view().held ?? [])]).toEqual([
    ['Message 2', 'Message 9'],
    ['Message 2', 'Message 9'],
  ])
})
