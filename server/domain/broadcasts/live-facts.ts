// Constants and rules for reports of relay nodes. Types: `contract/relay/`.
import type { DestinationReason, DestinationReport, DestinationState } from '#contract/relay/reports.ts'

/** The refusal of an encoder while another one sends with the same key. */
export const anotherEncoder = 'Another encoder is on air with this key'
/** The same for a second backup encoder. */
export const anotherBackup = 'Another backup encoder is connected with this key'

/** Reasons of the service itself: no address from the platform, or a stream key that cannot be decrypted. */
const serviceReasons = ['account', 'platform-refused', 'platform-away', 'key-unreadable'] as const
export type ServiceReason = (typeof serviceReasons)[number]

/** Returns whether the service itself reported a destination, which no node has to send. */
export const isOfService = ({ reason }: Pick<DestinationFacts, 'reason'>): boolean =>
  serviceReasons.some((one) => one === reason)

/** State of a destination as the service stores it: the report of a node, or its own while it requests the address. */
export type DestinationFacts = Omit<DestinationReport, 'reason'> & {
  readonly reason: DestinationReason | ServiceReason | null
}

/** Report of a destination before its first attempt. */
export const untouched: Omit<DestinationReport, 'id' | 'state' | 'since'> = {
  reason: null,
  words: null,
  attempt: 0,
  nextRetry: null,
  reconnects: 0,
  bytes: 0,
  acknowledged: 0,
  queued: 0,
  packets: 0,
  dropped: 0,
  drops: 0,
}

/** Maps a state to the status of a channel on the wire (published `status`). */
export function wireStatusOf(state: DestinationState): 'offline' | 'pending' | 'live' | 'error' {
  if (state === 'live' || state === 'degraded') return 'live'
  if (state === 'connecting' || state === 'publishing') return 'pending'
  return state === 'backoff' || state === 'rejected' ? 'error' : 'offline'
}
