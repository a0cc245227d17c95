// Which broadcasts somebody looks for. It lives in the URL, so that it survives a reload and can be sent on.
import type { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import type { Input } from '#contract/core/operation.ts'
import { platformTypes } from '#contract/entities/channel.ts'

/** Rows on one page. */
export const pageSize = 20

/** Days are local, as `2026-11-21`, and both are included; empty is open. Pages count from 1. */
export interface View {
  readonly from: string
  readonly to: string
  /** Type of a channel that it went to. */
  readonly platform: string
  readonly page: number
}

/** Reads the view; what makes no sense is as if it were not there. */
export function readView(params: URLSearchParams): View {
  const dayOf = (name: string) => (startOf(params.get(name) ?? '') === null ? '' : (params.get(name) ?? ''))
  const page = Number(params.get('page'))
  return {
    from: dayOf('from'),
    to: dayOf('to'),
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
export function askOf(projectId: number, { from, to, platform, page }: View): Input<typeof broadcasts.list> {
  const [since, until] = [startOf(from), startOf(to, 1)]
  return {
    project_id: projectId,
    limit: pageSize,
    offset: (page - 1) * pageSize,
    order: 'desc',
    ...(since && { date_from: since }),
    ...(until && { date_to: until }),
    ...(platform && { platform }),
  }
}

/** When a local day begins, or so many days after it; null for what is no day. */
function startOf(text: string, daysLater = 0): string | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null
  const [year = 0, month = 1, date = 1] = text.split('-').map(Number)
  const start = new Date(year, month - 1, date + daysLater)
  return Number.isNaN(start.getTime()) ? null : start.toISOString()
}
