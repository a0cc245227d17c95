/**
 * Formats a duration as a stopwatch does: `0:05`, `12:34`, `1:02:03`.
 * @param ms milliseconds; a negative value counts as 0
 */
export function formatDuration(ms: number): string {
  const all = Math.max(0, Math.floor(ms / 1000))
  const [hours, minutes, seconds] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`
}

/** Times of a broadcast. */
export interface TimesOnAir {
  /** Start, ISO 8601. */
  readonly from: string
  /** End, or the moment at which the encoder stopped; null while it sends. */
  readonly to: string | null
  /** Seconds without an encoder in between. Older servers do not send them. */
  readonly away?: number | undefined
}

/** Returns the time on air of a broadcast, milliseconds: without the time in which it had no encoder. @param now for a running one */
export const msOnAir = ({ from, to, away = 0 }: TimesOnAir, now: number): number =>
  Math.max(0, (to === null ? now : Date.parse(to)) - Date.parse(from) - away * 1000)
