// Time zones of the IANA database.
import * as z from 'zod/mini'

/** Time zone that this runtime knows, by its name. */
export const TimeZone = z.string().check(
  z.maxLength(64),
  z.refine((zone) => isTimeZone(zone), { error: 'must be a time zone, for example Europe/Berlin' }),
)

function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
