// Rules of sending: windows that join messages, caps of e-mails, quiet hours, and retries. Pure.
import { backoffMs } from '#contract/core/backoff.ts'
import { dayMs } from '#server/core/clock.ts'
import type { NotifyCategory, NotifyChannel } from '#contract/entities/notification.ts'

/** Least time between two e-mails about one project, and most e-mails a day. What is beyond joins one later e-mail. */
export const mailCaps = { everyMs: 600_000, day: 20 } as const

const firstWindowMs = 60_000
const longestWindowMs = 900_000

/** Pauses before retries, milliseconds; after the last one a message has failed. */
interface Ladder {
  readonly ladderMs: readonly [number, ...number[]]
}

/** Retries of a delivery to a user. */
export const deliveryRetries: Ladder = { ladderMs: [30_000, 120_000, 600_000, 3_600_000, 21_600_000] }

/** Retries of a message to a webhook. */
export const webhookRetries: Ladder = {
  ladderMs: [5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000],
}

/** Returns the pause before the next attempt; null: it has failed. @param attempts attempts so far, from 1 */
export const retryDelay = (retries: Ladder, attempts: number): number | null =>
  attempts > retries.ladderMs.length ? null : backoffMs(retries, attempts)

/** State of a lane. Times as milliseconds since 1970. */
export interface LaneState {
  readonly channel: NotifyChannel
  /** Time of the last message. */
  readonly last: number | null
  /** Pause after it. */
  readonly windowMs: number
  /** Day of `count`: number of days since 1970, UTC. */
  readonly day: number
  /** Messages on that day. */
  readonly count: number
}

/** Returns the number of the day of a time, UTC. */
export const dayOf = (now: number): number => Math.floor(now / dayMs)

/**
 * Returns when a lane may send its next message; `now` when it may send immediately. A last message far in the future is from
 * before the clock was set back, and causes no pause.
 */
export function allowedFrom({ channel, last, windowMs, day, count }: LaneState, now: number): number {
  const pause = last === null || last > now + longestWindowMs ? now : Math.max(now, last + windowMs)
  if (channel !== 'email' || day !== dayOf(now) || count < mailCaps.day) return pause
  return Math.max(pause, (dayOf(now) + 1) * dayMs)
}

/** Returns the state of a lane after a message. The window doubles while messages follow each other closely. */
export function afterMessage(state: LaneState, now: number): LaneState {
  const { channel, last, windowMs } = state
  const first = channel === 'email' ? mailCaps.everyMs : firstWindowMs
  const goesOn = last !== null && windowMs > 0 && now < last + 2 * windowMs
  const today = dayOf(now)
  return {
    channel,
    last: now,
    windowMs: goesOn ? Math.min(Math.max(windowMs * 2, first), longestWindowMs) : first,
    day: today,
    count: state.day === today ? state.count + 1 : 1,
  }
}

/** Quiet hours of a user; times of day as `HH:MM` in the time zone. */
export interface Quiet {
  readonly from: string
  readonly to: string
  readonly timeZone: string
  /** Important notifications are sent in quiet hours. */
  readonly important: boolean
}

/** Returns the end of the quiet hours that hold back a category at a time; null: it is sent. */
export function quietUntil(quiet: Quiet | null, category: NotifyCategory, now: number): number | null {
  if (quiet === null || quiet.from === quiet.to || (category === 'important' && quiet.important)) return null
  const end = minutesOf(quiet.to)
  if (!isWithin(localMinute(quiet.timeZone, now), minutesOf(quiet.from), end)) return null
  // Clocks change at night: the local time of the end is searched for instead of computed.
  let at = Math.ceil((now + 1) / minuteMs) * minuteMs
  for (let step = 0; step < 1_600 && isWithin(localMinute(quiet.timeZone, at), minutesOf(quiet.from), end); step++)
    at += minuteMs
  return at
}

const minuteMs = 60_000

const isWithin = (minute: number, from: number, to: number): boolean =>
  from < to ? minute >= from && minute < to : minute >= from || minute < to

function minutesOf(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return hour * 60 + minute
}

const clocks = new Map<string, Intl.DateTimeFormat>()

/** Returns the minute of the local day. */
function localMinute(timeZone: string, now: number): number {
  const clock =
    clocks.get(timeZone) ??
    new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  if (clocks.size < 500) clocks.set(timeZone, clock)
  return minutesOf(clock.format(now))
}
