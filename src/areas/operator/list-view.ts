// View of the operator's lists with a time: stored in the URL. Days are those of UTC, as in the overview.
import { type Days, readDays } from '#src/lib/days.ts'
import { pageOf, paramsOf } from '#src/lib/page-params.ts'

/** Filters of a list with views, as the URL has them. */
export interface TimedView<V extends string> extends Days {
  readonly view: V
  readonly project: string
  readonly page: number
}

/** Returns how a view is read from the URL. @param names views; the first one is the default */
export const readTimed =
  <V extends string>(names: readonly [V, ...V[]]) =>
  (params: URLSearchParams): TimedView<V> => ({
    view: names.find((name) => name === params.get('view')) ?? names[0],
    project: params.get('project') ?? '',
    ...readDays(params),
    page: pageOf(params),
  })

/** The view as URL parameters. A changed filter returns to page 1. */
export const writeTimed = <V extends string>(view: TimedView<V>, change: Partial<TimedView<V>>): URLSearchParams =>
  paramsOf({ ...view, page: 1, ...change })

/** Days of UTC as input of an operation; open ends are omitted. */
export function spanOf({ from, to }: Days): { date_from?: string; date_to?: string } {
  const since = from && new Date(from).toISOString()
  const until = to && new Date(Date.parse(to) + 86_400_000).toISOString()
  return { ...(since && { date_from: since }), ...(until && { date_to: until }) }
}

/** Number of a project as input of an operation; nothing for another text. */
export const projectOf = (text: string): { target_project_id?: number } =>
  /^[1-9]\d{0,8}$/.test(text) ? { target_project_id: Number(text) } : {}
