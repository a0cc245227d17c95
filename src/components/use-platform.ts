import { useQuery } from '@tanstack/react-query'
import { platforms } from '#contract/areas/channels/platforms.ts'
import { type PlatformType, platformTypes } from '#contract/entities/channel.ts'
import { q } from '#src/api/query.ts'

/** A platform by the name that broadcasts know it by: one that is gone meanwhile still has a sign and a word. */
export function usePlatform(): (type: string | undefined) => { readonly type: PlatformType; readonly title: string } {
  const { data } = useQuery({ ...q(platforms.list, {}), staleTime: 3_600_000 })
  return (type = '') => ({
    type: platformTypes.find((known) => known === type) ?? 'custom',
    title: data?.results.find((platform) => platform.type === type)?.title ?? type,
  })
}
