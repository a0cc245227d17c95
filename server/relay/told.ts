// What a project on air is told to do, and what it tells.
import type { BitrateState, PullFacts, TranscoderFacts } from '#server/domain/broadcasts/live-facts.ts'
import type { TranscoderWish } from '#server/domain/broadcasts/transcoders-live.ts'
import type { DestinationReport } from './destinations/destination.ts'
import type { Target } from './destinations/publisher.ts'
import type { StreamFacts } from './media/hub.ts'
import type { IngestSample } from './media/meter.ts'

/** A destination as the service wants it. */
export interface DestinationWish {
  /** Number of the channel. */
  readonly id: number
  /** Whose output it gets; left out: the stream as it comes. */
  readonly transcoder?: number | undefined
  readonly target: Target
  /** How far it lags behind, milliseconds. */
  readonly delayMs?: number | undefined
}

/** What a project wants. */
export interface LiveWish {
  readonly destinations: readonly DestinationWish[]
  /** How long they are kept while the encoder is away; left out: as long as the node's own grace. */
  readonly waitMs?: number | undefined
  /** Kilobits per second that the tariff allows; 0 or left out: no limit. */
  readonly kbpsMax?: number | undefined
  readonly transcoders?: readonly TranscoderWish[] | undefined
  /** Destinations stay connected, and nothing is passed on to them. */
  readonly paused?: boolean | undefined
  /** Numbers of the keys that players may fetch by. */
  readonly pullKeys?: readonly number[] | undefined
}

/** What the service allows a publisher. */
export interface Admission extends LiveWish {
  readonly projectId: number
  /** It may send, and nothing comes of it. */
  readonly held?: boolean | undefined
  /** Of the lease that the node has for the project; left out by services without leases. */
  readonly epoch?: number | undefined
}

/** What a live project tells. Times in milliseconds of the wall clock. */
export type LiveEvent = { readonly epoch?: number | undefined } & (
  | {
      readonly type: 'source-began'
      readonly projectId: number
      readonly at: number
      readonly encoder: string
      readonly address: string
    }
  | { readonly type: 'source-lost'; readonly projectId: number; readonly at: number; readonly how: string }
  | { readonly type: 'ended'; readonly projectId: number; readonly at: number }
  | {
      readonly type: 'bitrate'
      readonly projectId: number
      readonly at: number
      readonly state: BitrateState
      /** What came in over the last ten seconds, and what the tariff allows. */
      readonly kbps: number
      readonly kbpsMax: number
    }
  | {
      readonly type: 'destination'
      readonly projectId: number
      readonly at: number
      readonly report: DestinationReport
    }
)

/** A second of a live project. */
export interface LiveSample {
  readonly projectId: number
  readonly at: number
  readonly epoch?: number | undefined
  readonly ingest: IngestSample & StreamFacts
  /** `kbps` is what is judged: over the last ten seconds. */
  readonly bitrate: { readonly state: BitrateState; readonly kbps: number; readonly kbpsMax: number }
  readonly destinations: readonly DestinationReport[]
  readonly transcoders: readonly TranscoderFacts[]
  readonly pulls: readonly PullFacts[]
}

/** Bytes in and out, and packets that destinations got, or did not. */
export type Totals = Pick<DestinationReport, 'bytes' | 'packets' | 'dropped'>

export const addUp = (some: readonly Totals[]): Totals => ({
  bytes: some.reduce((sum, one) => sum + one.bytes, 0),
  packets: some.reduce((sum, one) => sum + one.packets, 0),
  dropped: some.reduce((sum, one) => sum + one.dropped, 0),
})
