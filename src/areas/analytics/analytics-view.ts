// What somebody looks at in the analytics. It lives in the URL, so that it survives a reload and can be sent on.

/** How far back, in days. */
export const periods = [7, 30, 90, 365] as const
export type Period = (typeof periods)[number]
export const metrics = ['bitrate', 'viewers'] as const
export type Metric = (typeof metrics)[number]

/** Broadcasts that are drawn over each other at most. */
export const comparedMax = 4

export interface View {
  readonly period: Period
  readonly metric: Metric
  /** Numbers of broadcasts; null: nobody has chosen. */
  readonly compared: readonly number[] | null
}

/** Reads the view; what makes no sense is as if it were not there. */
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

/** The view as parameters; what is usual is left out. */
export function writeView(view: View, change: Partial<View>): URLSearchParams {
  const { period, metric, compared } = { ...view, ...change }
  return new URLSearchParams({
    ...(period !== 30 && { days: String(period) }),
    ...(metric !== 'bitrate' && { metric }),
    ...(compared !== null && { compare: compared.join(',') }),
  })
}

/** When a period begins: with a local day, so that the same question is asked all day long. */
export function beginningOf(period: Period, now: Date): string {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - period + 1).toISOString()
}
