// What somebody is looking at in the list. It lives in the URL, so that it survives a reload and can be sent on.
import type { Input } from '#contract/core/operation.ts'
import { ChannelFilter, type channels } from '#contract/areas/channels/channels.ts'
import { PlatformType } from '#contract/entities/channel.ts'
import type * as z from 'zod/mini'

/** Channels on one page. */
export const pageSize = 30
/** The search of the API takes no more letters. */
export const nameMax = 10

/** Which channels, and which page of them, from 1. */
export interface View {
  readonly which: z.output<typeof ChannelFilter>
  readonly platform: PlatformType | ''
  readonly name: string
  readonly page: number
}

/** Reads the view; what makes no sense is as if it were not there. */
export function readView(params: URLSearchParams): View {
  const which = ChannelFilter.safeParse(params.get('which'))
  const platform = PlatformType.safeParse(params.get('platform'))
  const page = Number(params.get('page'))
  return {
    which: which.success ? which.data : 'all',
    platform: platform.success ? platform.data : '',
    name: (params.get('name') ?? '').slice(0, nameMax),
    page: Number.isSafeInteger(page) && page > 1 ? page : 1,
  }
}

/** The view as parameters; what is usual is left out. Another question begins on its first page. */
export function writeView(view: View, change: Partial<View>): URLSearchParams {
  const next = { ...view, page: 1, ...change }
  const values = {
    ...next,
    which: next.which === 'all' ? '' : next.which,
    page: next.page > 1 ? String(next.page) : '',
  }
  return new URLSearchParams(Object.entries(values).filter(([, value]) => value !== ''))
}

/** Does the view leave channels out? */
export const isNarrow = ({ which, platform, name }: View): boolean => which !== 'all' || platform !== '' || name !== ''

/** The question to the service. */
export const searchOf = (
  projectId: number,
  { which, platform, name, page }: View,
  limit = pageSize,
): Input<typeof channels.search> => ({
  project_id: projectId,
  type: which,
  ...(platform && { platform }),
  ...(name && { name }),
  limit,
  offset: (page - 1) * limit,
})
