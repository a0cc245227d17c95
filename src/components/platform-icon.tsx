import { icons } from '#contract/platforms/icons.gen.ts'
import { marks } from '#contract/platforms/marks.gen.ts'
import type { PlatformType } from '#contract/platforms/platforms.ts'

const brandIcons: Partial<Record<PlatformType, string>> = icons

// Signs without a platform: waves for RTMP, arrows for SRT.
const signs: Partial<Record<PlatformType, string>> = {
  custom: 'M20 17.5v5M15.8 24.2a6 6 0 1 1 8.4 0M12.6 27.4a10.5 10.5 0 1 1 14.8 0',
  srt: 'M11 16h16m-5-5 5 5-5 5M29 24H13m5 5-5-5 5-5',
}

/** The brand mark of a platform, or letters where there is none. Its name is always shown beside it. */
export function PlatformIcon({ type, size = 38 }: { readonly type: PlatformType; readonly size?: number }) {
  const { letters, ground, ink } = marks[type]
  const brand = brandIcons[type]
  const sign = signs[type]
  return (
    <svg width={size} height={size} viewBox="0 0 40 40" aria-hidden focusable="false">
      {/* The line separates a black background from a dark page. */}
      <rect x=".5" y=".5" width="39" height="39" rx="10.5" fill={ground} stroke="#8886" />
      {sign ? (
        <path d={sign} fill="none" stroke={ink} strokeWidth="2.4" strokeLinecap="round" strokeLinejoin="round" />
      ) : brand ? (
        <path d={brand} fill={ink} transform="translate(8.6 8.6) scale(.95)" />
      ) : (
        <text x="20" y="26" textAnchor="middle" fontSize="16.5" fontWeight="700" letterSpacing="-0.4" fill={ink}>
          {letters}
        </text>
      )}
    </svg>
  )
}
