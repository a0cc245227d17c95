// Delays between retries: one rule, contract/core/backoff.ts, and the schedules that use it.
import { globSync, readFileSync } from 'node:fs'
import { afterEach, expect, test, vi } from 'vitest'
import { type Backoff, backoffMs } from '#contract/core/backoff.ts'
import { portWaits } from '#server/app/nodes/relay-child.ts'
import { serviceRestarts } from '#server/app/start/restarts.ts'
import { waitAfter } from '#server/app/telegram/updates.ts'
import { chatRetries } from '#server/chat/backoff.ts'
import { emptyPauses } from '#server/platforms/vk/chat.ts'
import { publishRetries } from '#server/realtime/centrifugo.ts'
import { retryWait, usualTiming } from '#server/relay/destinations/timing.ts'
import { programRestarts } from '#server/relay/programs/programs.ts'
import { reconnects } from '#server/relay/service-connection.ts'
import { feedRetries, requestRetries } from '#src/lib/backoff.ts'
import { defaultTiming } from '#src/session/core.ts'

afterEach(() => vi.restoreAllMocks())

const delayOf = (backoff: Backoff) => (failures: number) => backoffMs(backoff, failures)

/** A schedule, and the shortest and the longest delay after each of ten failures, milliseconds. */
interface Row {
  readonly name: string
  readonly delay: (failures: number) => number
  readonly longest: readonly number[]
  /** Shortest delays; the longest ones if the schedule has no random part. */
  readonly shortest?: readonly number[]
}

const half = (delays: readonly number[]) => delays.map((delay) => delay / 2)
const none = (delays: readonly number[]) => delays.map(() => 0)
const secondToHalfMinute = [1, 2, 4, 8, 16, 30, 30, 30, 30, 30].map((s) => s * 1_000)
const halfSecondToHalfMinute = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000, 30_000]
const secondToMinute = [1, 2, 4, 8, 16, 32, 60, 60, 60, 60].map((s) => s * 1_000)

const table: readonly Row[] = [
  { name: 'a read of the dashboard', delay: delayOf(requestRetries), longest: secondToHalfMinute },
  {
    name: 'a feed of the dashboard',
    delay: delayOf(feedRetries),
    longest: secondToHalfMinute,
    shortest: half(secondToHalfMinute),
  },
  {
    name: 'a refresh of the session',
    delay: delayOf(defaultTiming.backoff),
    longest: [15, 30, 60, 120, 120, 120, 120, 120, 120, 120].map((s) => s * 1_000),
  },
  { name: 'a restart of the service', delay: delayOf(serviceRestarts), longest: halfSecondToHalfMinute },
  {
    name: 'a port that is taken',
    delay: delayOf(portWaits),
    longest: [3, 6, 12, 24, 30, 30, 30, 30, 30, 30].map((s) => s * 1_000),
  },
  {
    name: 'a program of a node',
    delay: delayOf(programRestarts),
    longest: halfSecondToHalfMinute,
    shortest: half(halfSecondToHalfMinute),
  },
  {
    name: 'a destination',
    delay: (failures) => retryWait(usualTiming, 'closed', failures),
    longest: halfSecondToHalfMinute,
    shortest: half(halfSecondToHalfMinute),
  },
  {
    name: 'a rejected destination',
    delay: (failures) => retryWait(usualTiming, 'connect-rejected', failures),
    longest: secondToMinute.map(() => 60_000),
  },
  {
    name: 'a connection of a node',
    delay: delayOf(reconnects),
    longest: secondToMinute.map(() => 1_500),
    shortest: secondToMinute.map(() => 500),
  },
  {
    name: 'updates of the bot',
    delay: (failures) => waitAfter(new Error('no answer'), failures),
    longest: [2, 4, 8, 16, 32, 60, 60, 60, 60, 60].map((s) => s * 1_000),
    shortest: secondToMinute.map(() => 1_000),
  },
  { name: 'a chat reader', delay: delayOf(chatRetries), longest: secondToMinute, shortest: none(secondToMinute) },
  {
    name: 'an empty poll of VK',
    delay: delayOf(emptyPauses),
    longest: [100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000],
  },
  {
    name: 'publications',
    delay: delayOf(publishRetries),
    longest: [250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000, 10_000],
  },
]

const failures = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

test.each(table)('$name waits from its shortest to its longest delay', ({ delay, longest, shortest = longest }) => {
  const random = vi.spyOn(Math, 'random')
  const ends = [0, 1].map((value) => {
    random.mockReturnValue(value)
    return failures.map((count) => Math.round(delay(count)))
  })
  const limits = failures.map((_, at) => ends.map((delays) => delays[at] ?? 0).toSorted((a, b) => a - b))
  expect(limits).toEqual(failures.map((_, at) => [shortest[at], longest[at]]))
})

/** A power of two with a counted exponent, and a delay that doubles up to a limit. */
const own = /2 \*\* (?!\d)|Math\.pow\(2,|Math\.min\([^()]*\* 2\b/

test('finds a planted delay', () => {
  const planted = ['firstMs * 2 ** failures', '2 ** Math.min(tries, 10)', 'Math.pow(2, tries)', 'Math.min(wait * 2, 9)']
  expect(planted.filter((line) => !own.test(line))).toEqual([])
  expect(own.test('2 ** 31 - 1')).toBe(false)
})

test('no other file of the product calculates delays', () => {
  const files = globSync('{contract,server,src}/**/*.{ts,tsx}').filter(
    (path) => !/\.test\.tsx?$|\/testing\/|\/migrations\//.test(path),
  )
  expect(files.length).toBeGreaterThan(1000)
  expect(files.filter((path) => own.test(readFileSync(path, 'utf8')))).toEqual(['contract/core/backoff.ts'])
})
