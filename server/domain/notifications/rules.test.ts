// Windows, caps, quiet hours and retries of messages, with generated times.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { NotifyChannel } from '#contract/entities/notification.ts'
import {
  afterMessage,
  allowedFrom,
  deliveryRetries,
  type LaneState,
  mailCaps,
  quietUntil,
  retryDelay,
  webhookRetries,
} from './rules.ts'

const start = Date.UTC(2026, 2, 1)
const minute = 60_000
const empty = (channel: NotifyChannel): LaneState => ({ channel, last: null, windowMs: 0, day: -1, count: 0 })

/** Sends whenever the lane allows it while facts arrive. @returns times of the messages, and of the facts in each */
function sendAll(channel: NotifyChannel, facts: readonly number[]) {
  let [state, at] = [empty(channel), 0]
  const sent: { at: number; facts: number }[] = []
  while (at < facts.length) {
    const now = allowedFrom(state, Math.max(facts[at] ?? 0, state.last ?? 0))
    const count = facts.slice(at).filter((fact) => fact <= now).length
    if (count === 0) throw new Error('a message without facts')
    sent.push({ at: now, facts: count })
    at += count
    state = afterMessage(state, now)
  }
  return sent
}

const arrivals = fc
  .array(fc.integer({ min: 0, max: 20 * minute }), { minLength: 1, maxLength: 300 })
  .map((gaps) => gaps.reduce<number[]>((all, gap) => [...all, (all.at(-1) ?? start) + gap], []))

test('sends the first fact immediately, every fact once, and messages at least a minute apart', () => {
  fc.assert(
    fc.property(arrivals, (facts) => {
      const sent = sendAll('telegram', facts)
      expect(sent[0]?.at).toBe(facts[0])
      expect(sent.reduce((sum, one) => sum + one.facts, 0)).toBe(facts.length)
      for (const [index, { at }] of sent.entries()) {
        const before = sent[index - 1]?.at
        if (before !== undefined) expect(at - before).toBeGreaterThanOrEqual(minute)
      }
    }),
  )
})

test('sends although the last message is in the future, because the clock was set back', () => {
  for (const channel of ['telegram', 'email'] as const) {
    const state = afterMessage(empty(channel), start + 24 * 60 * minute)
    expect(allowedFrom(state, start)).toBe(start)
  }
})

test('delays no fact by more than 15 minutes in Telegram', () => {
  fc.assert(
    fc.property(arrivals, (facts) => {
      let at = 0
      for (const one of sendAll('telegram', facts)) {
        for (const fact of facts.slice(at, at + one.facts)) expect(one.at - fact).toBeLessThanOrEqual(15 * minute)
        at += one.facts
      }
    }),
  )
})

test('sends at most one e-mail in ten minutes and 20 a day', () => {
  fc.assert(
    fc.property(arrivals, (facts) => {
      const sent = sendAll('email', facts).map(({ at }) => at)
      for (const [index, at] of sent.entries())
        if (index > 0) expect(at - (sent[index - 1] ?? 0)).toBeGreaterThanOrEqual(mailCaps.everyMs)
      const days = Map.groupBy(sent, (at) => Math.floor(at / 86_400_000))
      for (const all of days.values()) expect(all.length).toBeLessThanOrEqual(mailCaps.day)
    }),
  )
})

test('doubles the pause in a series of facts, and resets it after silence', () => {
  const flood = Array.from({ length: 600 }, (_, second) => start + second * 1_000)
  expect(sendAll('telegram', flood).map(({ at }) => (at - start) / minute)).toEqual([0, 1, 3, 7, 15])
  const later = [...flood, start + 120 * minute]
  expect(sendAll('telegram', later).at(-1)?.at).toBe(start + 120 * minute)
})

const zones = ['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/St_Johns', 'Pacific/Chatham']
const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map(([hour, rest]) => `${String(hour).padStart(2, '0')}:${String(rest).padStart(2, '0')}`)

test('holds back until the local end of the quiet hours, also when clocks change', () => {
  const quiet = fc.record({ from: time, to: time, timeZone: fc.constantFrom(...zones), important: fc.constant(false) })
  fc.assert(
    fc.property(quiet, fc.integer({ min: start, max: start + 365 * 86_400_000 }), (hours, now) => {
      const until = quietUntil(hours, 'important', now)
      if (until === null) return
      expect(until).toBeGreaterThan(now)
      expect(until - now).toBeLessThanOrEqual(25 * 60 * minute)
      expect(quietUntil(hours, 'important', until)).toBe(null)
    }),
    { numRuns: 60 },
  )
})

test('lets important notifications pass where the person allows it', () => {
  const quiet = { from: '22:00', to: '08:00', timeZone: 'UTC', important: true }
  const night = Date.UTC(2026, 2, 1, 23)
  expect(quietUntil(quiet, 'important', night)).toBe(null)
  expect(quietUntil(quiet, 'stream', night)).toBe(Date.UTC(2026, 2, 2, 8))
  expect(quietUntil({ ...quiet, to: '22:00' }, 'stream', night)).toBe(null)
  expect(quietUntil(null, 'stream', night)).toBe(null)
})

test('retries a delivery five times and a webhook six times', () => {
  const tries = [1, 2, 3, 4, 5, 6, 7]
  expect(tries.map((attempts) => retryDelay(deliveryRetries, attempts))).toEqual([
    30_000,
    120_000,
    600_000,
    3_600_000,
    21_600_000,
    null,
    null,
  ])
  expect(tries.map((attempts) => retryDelay(webhookRetries, attempts))).toEqual([
    5_000,
    300_000,
    1_800_000,
    7_200_000,
    18_000_000,
    36_000_000,
    null,
  ])
})
