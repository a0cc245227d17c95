import type { PlatformType } from '#contract/entities/channel.ts'
import { brandOf, type BrandType, marks } from './platform-marks.ts'
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

// Brand marks of platforms (Simple Icons, CC0).

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
function BrandMark({ type, ink }: { readonly type: BrandType; readonly ink: string }) {
  return <path d={pathOf(files[type])} fill={ink} transform="translate(8.6 8.6) scale(.95)" />
}

const pathOf = (svg: string): string => / d="([^"]+)"/.exec(svg)?.[1] ?? ''

// Signs without a platform: waves for RTMP, arrows for SRT.
const signs: Partial<Record<PlatformType, string>> = {
  custom: 'M20 17.5v5M15.8 24.2a6 6 0 1 1 8.4 0M12.6 27.4a10.5 10.5 0 1 1 14.8 0',
  srt: 'M11 16h16m-5-5 5 5-5 5M29 24H13m5 5-5-5 5-5',
}

/** The brand mark of a platform, or letters where there is none. Its name is always shown beside it. */
export function PlatformIcon({ type, size = 38 }: { readonly type: PlatformType; readonly size?: number }) {
  const { letters, ground, ink } = marks[type]
  const brand = brandOf(type)
  const sign = signs[type]
  return (
    <svg width={size} height={size} viewBox="0 0 40 40" aria-hidden focusable="false">
      {/* The line separates a black background from a dark page. */}
      <rect x=".5" y=".5" width="39" height="39" rx="10.5" fill={ground} stroke="#8886" />
      {sign ? (
        <path d={sign} fill="none" stroke={ink} strokeWidth="2.4" strokeLinecap="round" strokeLinejoin="round" />
      ) : brand ? (
        <BrandMark type={brand} ink={ink} />
      ) : (
        <text x="20" y="26" textAnchor="middle" fontSize="16.5" fontWeight="700" letterSpacing="-0.4" fill={ink}>
          {letters}
        </text>
      )}
    </svg>
  )
}
