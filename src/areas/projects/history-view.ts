// What somebody is looking for in the history. It lives in the URL, so that it survives a reload and can be sent on.
import type { history } from '#contract/areas/projects/history.ts'
import type { Input } from '#contract/core/operation.ts'
import { type HistoryAction, historyActions } from '#contract/entities/history.ts'

/** Rows on one page. */
export const pageSize = 50

/** Days are local, as `2026-11-21`, and both are included; empty is open. Pages count from 1. */
export interface View {
  readonly action: HistoryAction | ''
  /** Id of a person; 0 is anybody. */
  readonly person: number
  readonly from: string
  readonly to: string
  readonly page: number
}

const day = /^\d{4}-\d{2}-\d{2}$/
const dayOf = (text: string | null): string => (text && day.test(text) && startOf(text) !== null ? text : '')
const countOf = (text: string | null): number => {
  const value = Number(text)
  return Number.isSafeInteger(value) && value > 0 ? value : 0
}

/** Reads the view; what makes no sense is as if it were not there. */
export function readView(params: URLSearchParams): View {
  return {
    action: historyActions.find((action) => action === params.get('action')) ?? '',
    person: countOf(params.get('person')),
    from: dayOf(params.get('from')),
    to: dayOf(params.get('to')),
    page: countOf(params.get('page')) || 1,
  }
}

/** The view as parameters; what is usual is left out. Another question begins on its first page. */
export function writeView(view: View, change: Partial<View>): URLSearchParams {
  const { page, person, ...rest } = { ...view, page: 1, ...change }
  const values = { ...rest, person: person || '', page: page > 1 ? page : '' }
  return new URLSearchParams(Object.entries(values).flatMap(([name, value]) => (value ? [[name, String(value)]] : [])))
}

/** Does the view leave anything out? */
export const isNarrow = ({ action, person, from, to }: View): boolean => Boolean(action || person || from || to)

/** The question to the service. */
export function askOf(
  projectId: number,
  { action, person, from, to, page }: View,
  { limit, offset } = { limit: pageSize, offset: (page - 1) * pageSize },
): Input<typeof history.list> {
  const [since, until] = [startOf(from), startOf(to, 1)]
  return {
    project_id: projectId,
    limit,
    offset,
    ...(action && { action }),
    ...(person && { user_id: person }),
    ...(since && { date_from: since }),
    ...(until && { date_to: until }),
  }
}

/** When a local day begins, or so many days after it; null for what is no day. */
function startOf(text: string, daysLater = 0): string | null {
  if (!day.test(text)) return null
  const [year = 0, month = 1, date = 1] = text.split('-').map(Number)
  const start = new Date(year, month - 1, date + daysLater)
  return Number.isNaN(start.getTime()) ? null : start.toISOString()
}
