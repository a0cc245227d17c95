// The form of a schedule: its values, and the input of the operation. Days and times are wall times of the schedule's zone.
import { Temporal } from 'temporal-polyfill'
import type { Schedule, scheduler } from '#contract/areas/broadcasts/scheduler.ts'
import type { Input } from '#contract/core/operation.ts'
import { occurrencesFrom } from '#contract/entities/recurrence.ts'
import type { LateRule, PlannedInput, Repeat, ReturnRule, ScheduledTitle } from '#contract/entities/schedule.ts'

export const repeatChoices = ['once', 'day', 'week', 'month'] as const
export const seriesEnds = ['never', 'until', 'count'] as const

export interface Draft {
  readonly name: string
  /** Videos in their order. */
  readonly ids: readonly number[]
  readonly loop: boolean
  readonly when: 'now' | 'at'
  readonly date: string
  readonly time: string
  readonly zone: string
  /** `end`: at `endDate` and `endTime`. */
  readonly ends: 'auto' | 'end'
  readonly endDate: string
  readonly endTime: string
  readonly repeat: (typeof repeatChoices)[number]
  readonly n: string
  /** 1 Monday to 7 Sunday. */
  readonly days: readonly number[]
  readonly over: (typeof seriesEnds)[number]
  readonly until: string
  readonly count: string
  readonly channels: 'all' | 'some'
  readonly channelIds: readonly number[]
  readonly late: LateRule
  /** Seconds. */
  readonly lateMax: string
  readonly returns: ReturnRule
  /** Titles of channels; empty ones as well. */
  readonly titles: readonly ScheduledTitle[]
  /** A broadcast is planned at YouTube. */
  readonly isPlanned: boolean
  readonly privacy: PlannedInput['privacy']
  readonly description: string
  /** Begin of a schedule that is changed, Unix seconds; null for a new one. It is kept while day, time and zone are. */
  readonly startAt: number | null
  /** End of it; null: none. */
  readonly endAt: number | null
}

/** Day and time of a moment in a zone; with seconds where it has some. @param seconds Unix time */
export function wallOf(seconds: number, zone: string): { readonly date: string; readonly time: string } {
  const at = Temporal.Instant.fromEpochMilliseconds(seconds * 1000).toZonedDateTimeISO(zone)
  const smallestUnit = at.second === 0 ? 'minute' : 'second'
  return { date: at.toPlainDate().toString(), time: at.toPlainTime().toString({ smallestUnit }) }
}

/** Unix time of a day and time in a zone, seconds; null: not complete. A time that summer time leaves out is moved forward. */
export function momentOf(date: string, time: string, zone: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date) || !/^\d{2}:\d{2}(?::\d{2})?$/.test(time)) return null
  try {
    return Temporal.PlainDateTime.from(`${date}T${time}`).toZonedDateTime(zone).epochMilliseconds / 1000
  } catch {
    return null
  }
}

/** Unix time of a day and time in a zone: the known one where they are its own, which tells equal hours apart. */
function momentNear(known: number | null, date: string, time: string, zone: string): number | null {
  const wall = known === null ? null : wallOf(known, zone)
  return wall?.date === date && wall.time === time ? known : momentOf(date, time, zone)
}

/** Begin of the first run, Unix seconds; null: not complete. */
const startOf = ({ startAt, date, time, zone }: Draft): number | null => momentNear(startAt, date, time, zone)

/** Weekday of a day, 1 Monday to 7 Sunday. */
const weekdayOf = (date: string): number => Temporal.PlainDate.from(date).dayOfWeek

type Days = Pick<Draft, 'date' | 'days' | 'endDate'>

/**
 * Values for another day of the begin. The end keeps its distance. A weekly series on the weekday of the day before follows; other
 * choices of weekdays stay.
 */
export function movedTo(date: string, before: Days): Days {
  const [day] = before.days
  const follows = before.days.length === 1 && (before.date === '' || day === weekdayOf(before.date))
  return {
    date,
    days: follows && date !== '' ? [weekdayOf(date)] : before.days,
    endDate: [date, before.date, before.endDate].includes('')
      ? before.endDate
      : shifted(before.endDate, before.date, date),
  }
}

/** A day moved by the days between two others. */
const shifted = (day: string, from: string, to: string): string =>
  Temporal.PlainDate.from(day).add(Temporal.PlainDate.from(from).until(to)).toString()

/** Values for a new schedule: the next full hour in the user's zone. @param now milliseconds */
export function newDraft(now: number, zone: string): Draft {
  const hour = Temporal.Instant.fromEpochMilliseconds(now)
    .toZonedDateTimeISO(zone)
    .round({ smallestUnit: 'hour', roundingMode: 'ceil' })
  const { date, time } = wallOf(hour.epochMilliseconds / 1000, zone)
  const after = wallOf(hour.add({ hours: 1 }).epochMilliseconds / 1000, zone)
  return {
    name: '',
    ids: [],
    loop: false,
    when: 'at',
    date,
    time,
    zone,
    ends: 'auto',
    endDate: after.date,
    endTime: after.time,
    repeat: 'once',
    n: '1',
    days: [weekdayOf(date)],
    over: 'never',
    until: hour.toPlainDate().add({ months: 1 }).toString(),
    count: '10',
    channels: 'all',
    channelIds: [],
    late: 'begin',
    lateMax: '600',
    returns: 'at_once',
    titles: [],
    isPlanned: false,
    privacy: 'public',
    description: '',
    startAt: null,
    endAt: null,
  }
}

/** Values of a schedule, in its own zone. @param now milliseconds */
export function draftOf(schedule: Schedule, now: number): Draft {
  const { zone, repeat, end_at: end, start_at: start, video, channel_ids: channelIds } = schedule
  const fresh = newDraft(now, zone)
  const begin = wallOf(start, zone)
  const over = end === null ? wallOf(start + 3600, zone) : wallOf(end, zone)
  return {
    ...fresh,
    name: schedule.name,
    ids: video.ids,
    loop: video.loop,
    ...begin,
    ends: end === null ? 'auto' : 'end',
    endDate: over.date,
    endTime: over.time,
    repeat: repeat?.every ?? 'once',
    n: String(repeat?.n ?? 1),
    days: repeat?.days ?? [weekdayOf(begin.date)],
    over: repeat?.until !== undefined ? 'until' : repeat?.count !== undefined ? 'count' : 'never',
    until: repeat?.until === undefined ? fresh.until : wallOf(repeat.until, zone).date,
    count: String(repeat?.count ?? fresh.count),
    channels: channelIds.length === 0 ? 'all' : 'some',
    channelIds,
    late: schedule.late,
    lateMax: String(schedule.late_max),
    ...platformsOf(schedule, fresh),
    startAt: start,
    endAt: end,
  }
}

const platformsOf = ({ return: returns, titles, planned }: Schedule, fresh: Draft) => ({
  returns,
  titles,
  isPlanned: planned !== null,
  privacy: planned?.privacy ?? fresh.privacy,
  description: planned?.description ?? '',
})

/** The rule of a series; null: once. */
function repeatOf({ repeat, n, days, over, until, count, zone }: Draft): Repeat | null {
  if (repeat === 'once') return null
  const last = momentOf(until, '23:59', zone)
  return {
    every: repeat,
    n: numberIn(n),
    ...(repeat === 'week' && { days: days.toSorted((a, b) => a - b) }),
    ...(over === 'until' && { until: last === null ? Number.NaN : last + 59 }),
    ...(over === 'count' && { count: numberIn(count) }),
  }
}

const numberIn = (text: string): number => (/^\d+$/.test(text.trim()) ? Number(text) : Number.NaN)

type Fields = Omit<Input<typeof scheduler.create>, 'project_id'>

/** Input of the operation. Values that are not complete become values that the contract refuses. */
export function inputOf(draft: Draft): Fields {
  const { name, ids, loop, when, zone, ends, endAt, endDate, endTime, channels, channelIds, late, lateMax } = draft
  return {
    ...(name.trim() !== '' && { name: name.trim() }),
    channel_ids: channels === 'all' ? [] : [...channelIds],
    ...(when === 'now' ? { start_now: true } : { start_at: startOf(draft) ?? Number.NaN }),
    end_at: ends === 'auto' ? null : (momentNear(endAt, endDate, endTime, zone) ?? Number.NaN),
    video: { ids: [...ids], loop },
    zone,
    repeat: repeatOf(draft),
    late,
    late_max: Number(lateMax),
    return: draft.returns,
    titles: titlesOf(draft),
    planned: plannedOf(draft),
  }
}

/** Titles of the channels that are chosen, without empty ones. */
const titlesOf = ({ titles, channels, channelIds }: Draft): ScheduledTitle[] =>
  titles.flatMap(({ channel_id, title }) =>
    title.trim() === '' || (channels === 'some' && !channelIds.includes(channel_id))
      ? []
      : [{ channel_id, title: title.trim() }],
  )

/** The planned broadcast; null: none. What begins now cannot be planned. */
function plannedOf({ isPlanned, when, privacy, description }: Draft): PlannedInput | null {
  if (!isPlanned || when === 'now') return null
  return { privacy, ...(description.trim() !== '' && { description: description.trim() }) }
}

/** Returns the next dates, Unix seconds, at most five; none while the form is not complete. @param now milliseconds */
export function nextDates(draft: Draft, now: number): number[] {
  const start = draft.when === 'now' ? now / 1000 : startOf(draft)
  const repeat = repeatOf(draft)
  const isComplete =
    repeat === null ||
    (repeat.n >= 1 && repeat.days?.length !== 0 && !Number.isNaN(repeat.until) && !Number.isNaN(repeat.count))
  if (start === null || !isComplete) return []
  const series = { start: start * 1000, end: null, zone: draft.zone, repeat }
  return occurrencesFrom(series, now, 5).map((ms) => Math.round(ms / 1000))
}
