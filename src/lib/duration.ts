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
