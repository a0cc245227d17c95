// Times of a series: pure rules on wall times of a zone. A wall time that summer time leaves out is moved forward, and of a doubled
// hour the first one counts ("compatible").
import { Temporal } from 'temporal-polyfill'
import type { Repeat } from './schedule.ts'

/** A series. Times are Unix milliseconds. */
export interface Series {
  /** Day and time that the series counts from. */
  readonly start: number
  /** End of the run at `start`; null: open. */
  readonly end: number | null
  /** IANA time zone. */
  readonly zone: string
  /** Null: one run at `start`. */
  readonly repeat: Repeat | null
}

/** Returns the first occurrences at a time or after it. @param from Unix milliseconds @param limit at most so many */
export function occurrencesFrom(series: Series, from: number, limit: number): number[] {
  const { start, repeat } = series
  if (!repeat) return start >= from ? [start] : []
  const { timeOf, indexBefore } = calendarOf(series, repeat)
  const found: number[] = []
  const last = repeat.until === undefined ? Infinity : repeat.until * 1000
  for (let index = indexBefore(from); index < (repeat.count ?? Infinity) && found.length < limit; index++) {
    const at = timeOf(index)
    if (at > last) break
    // A zone that left out a day has two occurrences at one time.
    if (at >= from && at !== found.at(-1)) found.push(at)
  }
  return found
}

/** Returns the end of the run of an occurrence: at the wall time of the first end; null: open. */
export function endOf({ start, end, zone }: Omit<Series, 'repeat'>, at: number): number | null {
  if (end === null || at === start) return end
  const [first, over] = [dateTimeOf(start, zone), dateTimeOf(end, zone)]
  const days = first.toPlainDate().until(over.toPlainDate()).total('days')
  const date = dateTimeOf(at, zone).toPlainDate().add({ days })
  const until = date.toZonedDateTime({ timeZone: zone, plainTime: over.toPlainTime() }).epochMilliseconds
  // A change of clocks has swallowed the run.
  return until > at ? until : at + (end - start)
}

const dateTimeOf = (ms: number, zone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone)

/** The rule of a series: the time of an occurrence by its number, from 0, and the number of one that is not after a time. */
function calendarOf({ start, zone }: Series, { every, n, days }: Repeat) {
  const first = dateTimeOf(start, zone)
  const [date, plainTime] = [first.toPlainDate(), first.toPlainTime()]
  const weekdays = [...new Set(days ?? [first.dayOfWeek])].toSorted((a, b) => a - b)
  /** Weekdays of the first week that lie before the start. */
  const skipped = weekdays.filter((day) => day < first.dayOfWeek).length
  const monday = date.subtract({ days: first.dayOfWeek - 1 })

  function dateOf(index: number): Temporal.PlainDate {
    if (every === 'day') return date.add({ days: index * n })
    // From the first date, so that a short month does not shorten those that follow.
    if (every === 'month') return date.add({ months: index * n })
    const place = index + skipped
    const weeks = Math.floor(place / weekdays.length) * n
    return monday.add({ days: weeks * 7 + (weekdays[place % weekdays.length] ?? 1) - 1 })
  }

  return {
    timeOf(index: number): number {
      const day = dateOf(index)
      // The first run may be in the second of two equal hours.
      return day.equals(date) ? start : day.toZonedDateTime({ timeZone: zone, plainTime }).epochMilliseconds
    },
    indexBefore(from: number): number {
      if (from <= start) return 0
      const to = dateTimeOf(from, zone).toPlainDate()
      const passed = date.until(to, { largestUnit: every === 'month' ? 'months' : 'days' })
      const periods =
        every === 'month'
          ? passed.months / n
          : every === 'day'
            ? passed.days / n
            : (passed.days / (7 * n)) * weekdays.length
      // One period less: the wall times of both may differ.
      return Math.max(0, Math.floor(periods) - (every === 'week' ? weekdays.length + skipped : 1) - 1)
    },
  }
}
