import { useQuery } from '@tanstack/react-query'
import type { platforms } from '#contract/areas/channels/platforms.ts'
import { type PlatformType, platformTypes } from '#contract/entities/platform-types.ts'
import { useAfterPage } from '#src/api/after-page.ts'
import { qLater } from '#src/api/query.ts'

const platformList = async () => (await import('#contract/areas/channels/platforms.ts')).platforms.list

/** A platform by the name that broadcasts know it by: one that is gone meanwhile still has a sign and a word. */
export function usePlatform(): (type: string | undefined) => { readonly type: PlatformType; readonly title: string } {
  const { data } = useQuery({
    ...qLater<typeof platforms.list>('channels.platforms.list', platformList, {}),
    staleTime: 3_600_000,
    enabled: useAfterPage(),
  })
  return (type = '') => ({
    type: platformTypes.find((known) => known === type) ?? 'custom',
    title: data?.results.find((platform) => platform.type === type)?.title ?? nameOf(type),
  })
}

/** Until the list has come: VK, Twitch. */
const nameOf = (type: string): string =>
  type.length < 3 ? type.toUpperCase() : type.charAt(0).toUpperCase() + type.slice(1)
