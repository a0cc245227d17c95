// Automatic renewal of a plan in the terms of pages; pure.
import { hourMs } from './format.ts'

/** Time before the end of a plan at which its first renewal has had an hour to succeed: the service tries it 72 hours before. */
const firstTryMs = 71 * hourMs

/**
 * Returns the prospect of a running plan: `off` ends, `expected` is renewed, `late` has not been renewed at the first try.
 * @param end ISO date
 * @param now Unix time in milliseconds
 */
export function renewalOf(
  { isOn, end }: { readonly isOn: boolean; readonly end: string },
  now: number,
): 'off' | 'expected' | 'late' {
  if (!isOn) return 'off'
  return Date.parse(end) - now > firstTryMs ? 'expected' : 'late'
}
