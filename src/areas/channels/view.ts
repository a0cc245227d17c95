// Filters and page of the channel list, stored in the URL so that they survive a reload and can be shared.
import type { Input } from '#contract/core/operation.ts'
import { ChannelFilter, type channels } from '#contract/areas/channels/channels.ts'
import { PlatformType } from '#contract/entities/channel.ts'
import type * as z from 'zod/mini'
import { pageOf, paramsOf, windowOf } from '#src/lib/page-params.ts'

/** Channels on one page. */
export const pageSize = 30
/** Maximum length of the API's search, characters. */
export const nameMax = 10

/** Filters and page number, starting at 1. */
export interface View {
  readonly which: z.output<typeof ChannelFilter>
  readonly platform: PlatformType | ''
  readonly name: string
  readonly page: number
}

/** Reads the view from the URL; invalid values fall back to defaults. */
export function readView(params: URLSearchParams): View {
  const which = ChannelFilter.safeParse(params.get('which'))
  const platform = PlatformType.safeParse(params.get('platform'))
  return {
    which: which.success ? which.data : 'all',
    platform: platform.success ? platform.data : '',
    name: (params.get('name') ?? '').slice(0, nameMax),
    page: pageOf(params),
  }
}

/** The view as URL parameters without defaults. A changed filter returns to page 1. */
export function writeView(view: View, change: Partial<View>): URLSearchParams {
  const { which, ...rest } = { ...view, page: 1, ...change }
  return paramsOf({ ...rest, which: which === 'all' ? '' : which })
}

/** Returns whether any filter is set. */
export const isNarrow = ({ which, platform, name }: View): boolean => which !== 'all' || platform !== '' || name !== ''

/** The view as input of the search operation. */
export const searchOf = (
  projectId: number,
  { which, platform, name, page }: View,
  limit = pageSize,
): Input<typeof channels.search> => ({
  project_id: projectId,
  type: which,
  ...(platform && { platform }),
  ...(name && { name }),
  ...windowOf(page, limit),
})
