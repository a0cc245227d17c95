// Mapping between channel platforms and account platforms, which have the same names but are not the same set.
import type { PlatformType } from '#contract/entities/channel.ts'
import {
  type AccountPlatform,
  accountPlatforms,
  type PlacePlatform,
  placePlatforms,
} from '#contract/entities/platform-account.ts'

const oneOf = <T extends string>(list: readonly T[], type: string): T | null =>
  list.find((name) => name === type) ?? null

/** Account platform that creates channels of this type; null for platforms with a stream key only. */
export const accountPlatformOf = (type: PlatformType): AccountPlatform | null => oneOf(accountPlatforms, type)

/** Channel platform of an account: `vk-id` maps to `vk`. */
export const typeOfAccount = (platform: AccountPlatform): PlatformType => (platform === 'vk-id' ? 'vk' : platform)
/** Account platform with several places, each of which becomes a separate channel; else null. */
export const placesOf = (platform: AccountPlatform): PlacePlatform | null =>
  oneOf(placePlatforms, typeOfAccount(platform))
