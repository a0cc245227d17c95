import { useQuery } from '@tanstack/react-query'
import { platforms } from '#contract/areas/channels/platforms.ts'
import { type PlatformType, platformTypes } from '#contract/entities/platform-types.ts'
import { q } from '#src/api/query.ts'

/** The platforms of the server, kept for an hour. */
export const usePlatforms = () => useQuery({ ...q(platforms.list, {}), staleTime: 3_600_000 })

/** Looks up a platform by the type in a broadcast. A removed platform still gets an icon and a title. */
export function usePlatform(): (type: string | undefined) => { readonly type: PlatformType; readonly title: string } {
  const { data } = usePlatforms()
  return (type = '') => {
    const known = platformName(type)
    return { ...known, title: data?.results.find((platform) => platform.type === type)?.title ?? known.title }
  }
}

/** A platform by its type alone, for pages without the list. */
export const platformName = (type: string) => ({
  type: platformTypes.find((known) => known === type) ?? 'custom',
  title: nameOf(type),
})

/** Title before the list is loaded: VK, Twitch. */
const nameOf = (type: string): string =>
  type.length < 3 ? type.toUpperCase() : type.charAt(0).toUpperCase() + type.slice(1)
