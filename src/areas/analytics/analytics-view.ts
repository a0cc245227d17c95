// Period, metric and selection of the analytics, stored in the URL so that they survive a reload and can be shared.

/** Periods in days. */
export const periods = [7, 30, 90, 365] as const
export type Period = (typeof periods)[number]
export const metrics = ['bitrate', 'viewers'] as const
export type Metric = (typeof metrics)[number]

/** Maximum number of broadcasts in the comparison. */
export const comparedMax = 4

export interface View {
  readonly period: Period
  readonly metric: Metric
  /** Broadcast ids; null without a selection. */
  readonly compared: readonly number[] | null
}

/** Reads the view from the URL; invalid values fall back to defaults. */
export function readView(params: URLSearchParams): View {
  const chosen = params.get('compare')
  const ids = (chosen ?? '').split(',').map(Number)
  return {
    period: periods.find((days) => String(days) === params.get('days')) ?? 30,
    metric: metrics.find((name) => name === params.get('metric')) ?? 'bitrate',
    compared:
      chosen === null
        ? null
        : [...new Set(ids.filter((id) => Number.isSafeInteger(id) && id > 0))].slice(0, comparedMax),
  }
}

/** The view as URL parameters without defaults. */
export function writeView(view: View, change: Partial<View>): URLSearchParams {
  const { period, metric, compared } = { ...view, ...change }
  return new URLSearchParams({
    ...(period !== 30 && { days: String(period) }),
    ...(metric !== 'bitrate' && { metric }),
    ...(compared !== null && { compare: compared.join(',') }),
  })
}

/** Start of a period at local midnight, so that the query stays the same all day. */
export function beginningOf(period: Period, now: Date): string {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - period + 1).toISOString()
}
