// Filters and page of the list, stored in the URL.
import type { history } from '#contract/areas/notifications/history.ts'
import type { Input } from '#contract/core/operation.ts'
import { NotifyCategory } from '#contract/entities/notification.ts'
import { pageOf, paramsOf, windowOf } from '#src/lib/page-params.ts'

/** Rows on one page. */
export const pageSize = 30

const states = ['unread', 'read'] as const
export const categories = NotifyCategory.options

/** Page numbers start at 1. */
export interface View {
  readonly state: (typeof states)[number] | ''
  readonly category: NotifyCategory | ''
  /** Notifications of all projects of the user. */
  readonly isAll: boolean
  readonly page: number
}

/** Reads the view from the URL; invalid values fall back to defaults. */
export function readView(params: URLSearchParams): View {
  return {
    state: states.find((name) => name === params.get('state')) ?? '',
    category: categories.find((name) => name === params.get('category')) ?? '',
    isAll: params.get('projects') === 'all',
    page: pageOf(params),
  }
}

/** The view as URL parameters without defaults. A changed filter returns to page 1. */
export function writeView(view: View, change: Partial<View>): URLSearchParams {
  const { isAll, ...rest } = { ...view, page: 1, ...change }
  return paramsOf({ ...rest, projects: isAll ? 'all' : '' })
}

/** Returns whether a filter hides notifications of this project. */
export const isNarrow = ({ state, category }: View): boolean => state !== '' || category !== ''

/** The view as input of the operation. */
export const inputOf = (projectId: number, { state, category, isAll, page }: View): Input<typeof history.list> => ({
  ...windowOf(page, pageSize),
  ...(!isAll && { project_id: projectId }),
  ...(state && { status_read: state }),
  ...(category && { category }),
})
