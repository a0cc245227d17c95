// Reasons of a disconnect, grouped by the next step of the relay.
import type { DestinationReason } from '#contract/relay/reports.ts'

/** The server broke a connection that it had accepted. It may reject how the relay sends (decision 0022). */
export const breaks: ReadonlySet<DestinationReason> = new Set(['ended', 'socket', 'closed-early', 'protocol'])
/** The server closed the connection without a reason. */
export const closures: ReadonlySet<DestinationReason> = new Set(['ended', 'socket'])
/** Failures that only a person can fix. */
export const rejections: ReadonlySet<DestinationReason> = new Set([
  'connect-rejected',
  'publish-rejected',
  'forbidden',
  'ffmpeg',
])
