// Why a destination is not live, and what follows from it.
import { dialFailures } from './dial.ts'
import { publishFailures } from './publisher.ts'

/**
 * Why a destination is not live, for programs; people read a sentence about it in their language. `closed-early`: the server closed
 * right after the start, as many do for a wrong key. `transcoding`: it waits for a transcoder, `egress`: until the node may send more.
 */
export const destinationReasons = [
  ...dialFailures,
  ...publishFailures,
  'closed-early',
  'stalled',
  'transcoding',
  'delay',
  'egress',
] as const
export type DestinationReason = (typeof destinationReasons)[number]

/** Ends of a connection by a server that does not accept how it is sent to; or for reasons of its own. */
export const breaks: ReadonlySet<DestinationReason> = new Set(['ended', 'socket', 'closed-early', 'protocol'])
/** Ends of a connection without a reason of the server. */
export const closures: ReadonlySet<DestinationReason> = new Set(['ended', 'socket'])
/** Refusals that only a person can change. */
export const rejections: ReadonlySet<DestinationReason> = new Set(['connect-rejected', 'publish-rejected', 'forbidden'])
