// Constants and rules for reports of relay nodes. Types: `contract/relay/`.
import type { DestinationReason, DestinationReport, DestinationState } from '#contract/relay/reports.ts'

/** The refusal of an encoder while another one sends with the same key. */
export const anotherEncoder = 'Another encoder is on air with this key'
/** The same for a second backup encoder. */
export const anotherBackup = 'Another backup encoder is connected with this key'

/** Reasons why the service sends a channel to no node: a key that cannot be decrypted, an SRT address that is wrong, a node without SRT. */
const unsentReasons = ['key-unreadable', 'address-invalid', 'old-server'] as const
export type UnsentReason = (typeof unsentReasons)[number]

/** Returns whether the service sends a channel to no node for this reason. */
export const isUnsent = (reason: DestinationFacts['reason']): reason is UnsentReason =>
  unsentReasons.some((one) => one === reason)

/** Reasons of the service itself: no address from the platform, or a channel that is sent to no node. */
const serviceReasons = ['account', 'platform-refused', 'platform-away', ...unsentReasons] as const
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

/** Returns whether the stream of a channel arrives at its platform. @param row its restream */
export function isAtAir({ report }: { readonly report: string }): boolean {
  const { state } = JSON.parse(report) as DestinationFacts
  return state === 'live' || state === 'degraded'
}
