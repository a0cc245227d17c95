import type { PlatformType } from '#contract/entities/channel.ts'
import { marks } from './platform-marks.ts'

// What belongs to no platform has a sign instead of letters: waves for RTMP, arrows for SRT.
const signs: Partial<Record<PlatformType, string>> = {
  custom: 'M20 17.5v5M15.8 24.2a6 6 0 1 1 8.4 0M12.6 27.4a10.5 10.5 0 1 1 14.8 0',
  srt: 'M11 16h16m-5-5 5 5-5 5M29 24H13m5 5-5-5 5-5',
}

/** The sign of a platform. Its name always stands beside it. */
export function PlatformIcon({ type, size = 38 }: { readonly type: PlatformType; readonly size?: number }) {
  const [letters, hue] = marks[type]
  const sign = signs[type]
  return (
    <svg width={size} height={size} viewBox="0 0 40 40" aria-hidden focusable="false">
      <rect width="40" height="40" rx="11" fill={hue === null ? 'hsl(215 14% 42%)' : `hsl(${hue} 42% 37%)`} />
      {sign ? (
        <path d={sign} fill="none" stroke="#fff" strokeWidth="2.4" strokeLinecap="round" strokeLinejoin="round" />
      ) : (
        <text x="20" y="26" textAnchor="middle" fontSize="16.5" fontWeight="700" letterSpacing="-0.4" fill="#fff">
          {letters}
        </text>
      )}
    </svg>
  )
}
