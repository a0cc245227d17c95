// Platforms by their wire names. Separate from the schemas, which the first view does not load.

/** Platforms with stream settings: title, description, category and others. */
export const optionPlatforms = ['youtube', 'vk', 'vkvideolive', 'ok', 'twitch', 'trovo'] as const
export type OptionPlatform = (typeof optionPlatforms)[number]

/** Returns whether the API of a platform takes stream settings. OK has a published form, and no API for it. */
export const takesSettings = (type: PlatformType): type is OptionPlatform =>
  type !== 'ok' && optionPlatforms.some((one) => one === type)

/** Platforms with a name, an address and a key, by the last segment of their published route. */
export const keyPlatforms = [
  'bizon',
  'boosty',
  'custom',
  'douyu',
  'fb',
  'fc2Live',
  'getcourse',
  'goodgame',
  'huya',
  'instagram',
  'kinescope',
  'linkedin',
  'navertv',
  'nimotv',
  'nonolive',
  'plvideo',
  'steam',
  'tachid',
  'telegram',
  'tiktok',
  'vlive',
  'zhanqitv',
] as const
/** Platforms with the address of the channel's page instead of a name. */
export const pagePlatforms = ['kick', 'rutube'] as const

/** All platforms by wire name; `custom` is any RTMP address, `srt` any SRT address. */
export const platformTypes = [...optionPlatforms, ...pagePlatforms, ...keyPlatforms, 'srt'] as const
export type PlatformType = (typeof platformTypes)[number]

/** Returns whether channels of a platform can receive a stream. Sending by SRT is not built: such channels are off. */
export const canReceive = (type: PlatformType): boolean => type !== 'srt'
