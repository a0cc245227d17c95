import { useQuery } from '@tanstack/react-query'
import { platforms } from '#contract/areas/channels/platforms.ts'
import { factsOf, isOneOf, platformTypes, type PlatformType } from '#contract/platforms/platforms.ts'
import { q } from '#src/api/query.ts'

/** The platforms of the server, kept for an hour. */
export const usePlatforms = () => useQuery({ ...q(platforms.list, {}), staleTime: 3_600_000 })

/** Returns the sign and title of the platform of a broadcast or message. A removed platform still gets an icon and a title. */
export const platformNamed = (type = ''): { readonly type: PlatformType; readonly title: string } =>
  isOneOf(platformTypes, type) ? { type, title: factsOf(type).title } : { type: 'custom', title: nameOf(type) }

const nameOf = (type: string): string => type.charAt(0).toUpperCase() + type.slice(1)
