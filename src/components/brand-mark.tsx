// Brand marks of platforms (Simple Icons, CC0).
import boosty from 'simple-icons/icons/boosty.svg?raw'
import facebook from 'simple-icons/icons/facebook.svg?raw'
import instagram from 'simple-icons/icons/instagram.svg?raw'
import kick from 'simple-icons/icons/kick.svg?raw'
import naver from 'simple-icons/icons/naver.svg?raw'
import odnoklassniki from 'simple-icons/icons/odnoklassniki.svg?raw'
import steam from 'simple-icons/icons/steam.svg?raw'
import telegram from 'simple-icons/icons/telegram.svg?raw'
import tiktok from 'simple-icons/icons/tiktok.svg?raw'
import twitch from 'simple-icons/icons/twitch.svg?raw'
import vk from 'simple-icons/icons/vk.svg?raw'
import youtube from 'simple-icons/icons/youtube.svg?raw'
import type { BrandType } from './platform-marks.ts'

const files: Readonly<Record<BrandType, string>> = {
  youtube,
  twitch,
  vk,
  ok: odnoklassniki,
  kick,
  telegram,
  fb: facebook,
  instagram,
  tiktok,
  steam,
  boosty,
  navertv: naver,
}

/** The mark of a platform in a field of 24 units, inside an `<svg>` of 40. */
export function BrandMark({ type, ink }: { readonly type: BrandType; readonly ink: string }) {
  return <path d={pathOf(files[type])} fill={ink} transform="translate(8.6 8.6) scale(.95)" />
}

const pathOf = (svg: string): string => / d="([^"]+)"/.exec(svg)?.[1] ?? ''
