// Filters and page of the history, stored in the URL so that they survive a reload and can be shared.
import type { history } from '#contract/areas/projects/history.ts'
import type { Input } from '#contract/core/operation.ts'
import { type HistoryAction, historyActions } from '#contract/entities/history.ts'
import { type Days, momentsOf, readDays } from '#src/lib/days.ts'
import { pageOf, paramsOf, windowOf } from '#src/lib/page-params.ts'

/** Rows on one page. */
export const pageSize = 50

/** Page numbers start at 1. */
export interface View extends Days {
  readonly action: HistoryAction | ''
  /** User id; 0 matches every user. */
  readonly person: number
  readonly page: number
}

const countOf = (text: string | null): number => {
  const value = Number(text)
  return Number.isSafeInteger(value) && value > 0 ? value : 0
}

/** Reads the view from the URL; invalid values fall back to defaults. */
export function readView(params: URLSearchParams): View {
  return {
    action: historyActions.find((action) => action === params.get('action')) ?? '',
    person: countOf(params.get('person')),
    ...readDays(params),
    page: pageOf(params),
  }
}

/** The view as URL parameters without defaults. A changed filter returns to page 1. */
export function writeView(view: View, change: Partial<View>): URLSearchParams {
  const { person, ...rest } = { ...view, page: 1, ...change }
  return paramsOf({ ...rest, person: person || '' })
}

/** Returns whether any filter is set. */
export const isNarrow = ({ action, person, from, to }: View): boolean => Boolean(action || person || from || to)

/** The view as input of the history operation. */
export function askOf(
  projectId: number,
  { action, person, page, ...days }: View,
  range = windowOf(page, pageSize),
): Input<typeof history.list> {
  return {
    project_id: projectId,
    ...range,
    ...(action && { action }),
    ...(person && { user_id: person }),
    ...momentsOf(days),
  }
}
