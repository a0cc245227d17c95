// Platforms by their names on the wire. Apart from the schemas, which a first view does without.

/** Platforms with settings of their own: title, description, category and the like. */
export const optionPlatforms = ['youtube', 'vk', 'vkvideolive', 'ok', 'twitch', 'trovo'] as const
export type OptionPlatform = (typeof optionPlatforms)[number]

/** Platforms that take a name, an address and a key, by the last word of their published route. */
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
/** Platforms that are added with the address of the channel's page instead of a name. */
export const pagePlatforms = ['kick', 'rutube'] as const

/** Every platform by its name on the wire; `custom` is any RTMP address, `srt` any SRT address. */
export const platformTypes = [...optionPlatforms, ...pagePlatforms, ...keyPlatforms, 'srt'] as const
export type PlatformType = (typeof platformTypes)[number]
