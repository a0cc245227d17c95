// Local days that somebody filters by, as `2026-11-21`. They live in the URL.

/** From when to when, both included; empty is open. */
export interface Days {
  readonly from: string
  readonly to: string
}

/** Reads the days of an address; what is no day is as if it were not there. */
export function readDays(params: URLSearchParams): Days {
  const dayOf = (name: keyof Days) => {
    const text = params.get(name) ?? ''
    return startOf(text) === null ? '' : text
  }
  return { from: dayOf('from'), to: dayOf('to') }
}

/** The moments between which something happened, as the service is asked for them; open ends are left out. */
export function momentsOf({ from, to }: Days): { date_from?: string; date_to?: string } {
  const [since, until] = [startOf(from), startOf(to, 1)]
  return { ...(since && { date_from: since }), ...(until && { date_to: until }) }
}

/** When a local day begins, or so many days after it; null for what is no day. */
function startOf(text: string, daysLater = 0): string | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null
  const [year = 0, month = 1, date = 1] = text.split('-').map(Number)
  const start = new Date(year, month - 1, date + daysLater)
  return Number.isNaN(start.getTime()) ? null : start.toISOString()
}
