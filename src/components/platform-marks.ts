// Letters, background and foreground of each platform's sign. A background with a brand mark has the brand's colour
// (darker where white would not be readable); the others are our own, and none is the red that means "on air".
import type { PlatformType } from '#contract/entities/channel.ts'

interface Mark {
  /** One or two letters of the name; empty for RTMP and SRT addresses without a platform. */
  readonly letters: string
  /** CSS colours. */
  readonly ground: string
  readonly ink: string
}

const white = '#ffffff'
/** @param hue degrees */
const own = (letters: string, hue: number): Mark => ({ letters, ground: `hsl(${hue} 42% 37%)`, ink: white })
const brand = (letters: string, ground: string, ink = white): Mark => ({ letters, ground, ink })
const plain: Mark = { letters: '', ground: 'hsl(215 14% 42%)', ink: white }

/** The sign of each platform. */
export const marks = {
  youtube: brand('YT', '#ff0000'),
  twitch: brand('Tw', '#9146ff'),
  vk: brand('VK', '#0077ff'),
  vkvideolive: own('VL', 232),
  ok: brand('OK', '#cf6a00'),
  trovo: own('Tr', 158),
  kick: brand('Ki', '#53fc19', '#000000'),
  rutube: own('Ru', 196),
  telegram: brand('Te', '#1c8ac4'),
  fb: brand('Fb', '#0866ff'),
  instagram: brand('In', '#ff0069'),
  tiktok: brand('TT', '#000000'),
  steam: brand('St', '#000000'),
  linkedin: own('Li', 204),
  goodgame: own('GG', 250),
  boosty: brand('Bo', '#f15f2c'),
  plvideo: own('Pl', 262),
  nimotv: own('Ni', 174),
  navertv: brand('Na', '#008f42'),
  douyu: own('Do', 26),
  huya: own('Hu', 38),
  fc2Live: own('FC', 228),
  kinescope: own('Kn', 286),
  getcourse: own('Gc', 166),
  bizon: own('Bi', 44),
  tachid: own('Ta', 300),
  nonolive: own('No', 326),
  vlive: own('V', 190),
  zhanqitv: own('Zh', 48),
  custom: plain,
  srt: plain,
} as const satisfies Readonly<Record<PlatformType, Mark>>

const brands = [
  'youtube',
  'twitch',
  'vk',
  'ok',
  'kick',
  'telegram',
  'fb',
  'instagram',
  'tiktok',
  'steam',
  'boosty',
  'navertv',
] as const

/** Platforms with a brand mark (`brand-mark.tsx`). */
export type BrandType = (typeof brands)[number]

/** The platform if it has a brand mark; undefined if it has letters. */
export const brandOf = (type: PlatformType): BrandType | undefined => brands.find((one) => one === type)
