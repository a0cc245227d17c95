// Platforms of channels and platforms of accounts: the same names, but not all of them.
import type { PlatformType } from '#contract/entities/channel.ts'
import {
  type AccountPlatform,
  accountPlatforms,
  type PlacePlatform,
  placePlatforms,
} from '#contract/entities/platform-account.ts'

const oneOf = <T extends string>(list: readonly T[], type: string): T | null =>
  list.find((name) => name === type) ?? null

/** Whose accounts make channels of this type; null where channels are added by key only. */
export const accountPlatformOf = (type: PlatformType): AccountPlatform | null => oneOf(accountPlatforms, type)

/** The platform of an account as channels have it: VK ID is VK. */
export const typeOfAccount = (platform: AccountPlatform): PlatformType => (platform === 'vk-id' ? 'vk' : platform)
/** The same, where an account has several places that become channels one by one. */
export const placesOf = (platform: AccountPlatform): PlacePlatform | null =>
  oneOf(placePlatforms, typeOfAccount(platform))
