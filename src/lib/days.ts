// Local days of a filter, as `2026-11-21`, stored in the URL.

/** First and last day, both included; empty is open. */
export interface Days {
  readonly from: string
  readonly to: string
}

/** Reads the days from the URL; ignores invalid ones. */
export function readDays(params: URLSearchParams): Days {
  const dayOf = (name: keyof Days) => {
    const text = params.get(name) ?? ''
    return startOf(text) === null ? '' : text
  }
  return { from: dayOf('from'), to: dayOf('to') }
}

/** Start and end of the range as request parameters; open ends are omitted. */
export function momentsOf({ from, to }: Days): { date_from?: string; date_to?: string } {
  const [since, until] = [startOf(from), startOf(to, 1)]
  return { ...(since && { date_from: since }), ...(until && { date_to: until }) }
}

/** Start of a local day, plus a number of days; null for an invalid day. */
function startOf(text: string, daysLater = 0): string | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null
  const [year = 0, month = 1, date = 1] = text.split('-').map(Number)
  const start = new Date(year, month - 1, date + daysLater)
  return Number.isNaN(start.getTime()) ? null : start.toISOString()
}
