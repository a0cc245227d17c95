// Which broadcasts somebody looks for. It lives in the URL, so that it survives a reload and can be sent on.
import type { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import type { Input } from '#contract/core/operation.ts'
import { platformTypes } from '#contract/entities/channel.ts'
import { type Days, momentsOf, readDays } from '#src/lib/days.ts'

/** Rows on one page. */
export const pageSize = 20

/** Pages count from 1. */
export interface View extends Days {
  /** Type of a channel that it went to. */
  readonly platform: string
  readonly page: number
}

/** Reads the view; what makes no sense is as if it were not there. */
export function readView(params: URLSearchParams): View {
  const page = Number(params.get('page'))
  return {
    ...readDays(params),
    platform: platformTypes.find((type) => type === params.get('platform')) ?? '',
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  }
}

/** The view as parameters; what is usual is left out. Another question begins on its first page. */
export function writeView(view: View, change: Partial<View>): URLSearchParams {
  const { page, ...rest } = { ...view, page: 1, ...change }
  const values = { ...rest, page: page > 1 ? String(page) : '' }
  return new URLSearchParams(Object.entries(values).filter(([, value]) => value !== ''))
}

/** Does the view leave anything out? */
export const isNarrow = ({ from, to, platform }: View): boolean => Boolean(from || to || platform)

/** The question to the service. */
export function askOf(projectId: number, { platform, page, ...days }: View): Input<typeof broadcasts.list> {
  return {
    project_id: projectId,
    limit: pageSize,
    offset: (page - 1) * pageSize,
    order: 'desc',
    ...momentsOf(days),
    ...(platform && { platform }),
  }
}
