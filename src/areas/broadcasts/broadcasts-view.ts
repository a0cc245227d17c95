// Filters and page of the broadcast history, stored in the URL so that they survive a reload and can be shared.
import type { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import type { Input } from '#contract/core/operation.ts'
import { platformTypes } from '#contract/platforms/platforms.ts'
import { type Days, momentsOf, readDays } from '#src/lib/days.ts'
import { pageOf, paramsOf, windowOf } from '#src/lib/page-params.ts'

/** Rows on one page. */
export const pageSize = 20

/** Page numbers start at 1. */
export interface View extends Days {
  /** Platform of a destination. */
  readonly platform: string
  readonly page: number
}

/** Reads the view from the URL; invalid values fall back to defaults. */
export function readView(params: URLSearchParams): View {
  return {
    ...readDays(params),
    platform: platformTypes.find((type) => type === params.get('platform')) ?? '',
    page: pageOf(params),
  }
}

/** The view as URL parameters without defaults. A changed filter returns to page 1. */
export const writeView = (view: View, change: Partial<View>): URLSearchParams =>
  paramsOf({ ...view, page: 1, ...change })

/** Returns whether any filter is set. */
export const isNarrow = ({ from, to, platform }: View): boolean => Boolean(from || to || platform)

/** The view as input of the list operation. */
export function askOf(projectId: number, { platform, page, ...days }: View): Input<typeof broadcasts.list> {
  return {
    project_id: projectId,
    ...windowOf(page, pageSize),
    order: 'desc',
    ...momentsOf(days),
    ...(platform && { platform }),
  }
}
