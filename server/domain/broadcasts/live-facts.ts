// What a relay node tells about a project on air, as the rest of the service knows it. Times are milliseconds since 1970.
import type { RestreamState } from '#contract/entities/on-air.ts'
import type { TranscoderTrouble } from '#contract/entities/transcoder.ts'

/**
 * `idle` before the first start · `connecting` socket and handshake · `publishing` waits for the server's yes ·
 * `live` media goes out · `degraded` the server is too slow, packets are left out · `backoff` waits for the next attempt ·
 * `rejected` the server said no: the same, but long, because only a person can change that · `stopped` nobody wants it.
 */
export type DestinationState = RestreamState

/** The refusal of an encoder while another one sends with the same key. */
export const anotherEncoder = 'Another encoder is on air with this key'

/** How the bitrate stands to what the tariff allows: `high` for a while, and the encoder is `refused` for a while. */
export const bitrateStates = ['fine', 'high', 'refused'] as const
export type BitrateState = (typeof bitrateStates)[number]

/** The bitrate beside what the tariff allows, in kbps: `kbps` is what is judged, over ten seconds. */
export interface BitrateFacts {
  readonly state: BitrateState
  readonly kbps?: number | undefined
  readonly kbpsMax: number
}

/** A destination at one moment. */
export interface DestinationFacts {
  /** Number of the channel. */
  readonly id: number
  readonly state: DestinationState
  /** Since when it is in this state. */
  readonly since: number
  /** Why it is not live, for programs; people read a sentence about it in their language. */
  readonly reason: string | null
  /** What the server said, where it said something. */
  readonly words: string | null
  /** Attempts since it was last well. */
  readonly attempt: number
  readonly nextRetry: number | null
  readonly reconnects: number
  /** Bytes handed to the network since the destination was started. */
  readonly bytes: number
  /** Bytes that the server confirmed on this connection; 0 where servers do not. */
  readonly acknowledged: number
  /** Bytes that wait. */
  readonly queued: number
  readonly packets: number
  /** Packets that were left out, and how often that began. */
  readonly dropped: number
  readonly drops: number
  /** Codecs of the stream that the server did not say it takes, comma separated. */
  readonly lacks?: string | undefined
}

/** How a destination is that nothing has happened to. */
export const untouched: Omit<DestinationFacts, 'id' | 'state' | 'since'> = {
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

/** A second of what comes in. Bitrate in kbps. */
export interface IngestFacts {
  readonly kbps: number
  readonly fps: number
  readonly gopMs: number | null
  readonly videoCodec: string
  readonly audioCodec: string
  readonly width: number
  readonly height: number
  /** What the encoder says it is, beside what it said when it came; empty or left out: nothing. */
  readonly encoder?: string | undefined
}

/** A transcoder at one moment. */
export interface TranscoderFacts {
  readonly id: number
  /** Its program runs, and media comes out. */
  readonly running: boolean
  /** Since when it does, or does not. */
  readonly since: number
  readonly reason: TranscoderTrouble | null
  /** What comes out, kilobits per second. */
  readonly kbps: number
  /** How far what comes out is behind what comes in. */
  readonly lagMs: number
  /** How often its program ended and was started again. */
  readonly restarts: number
}

/** How much a pull key is used at one moment. */
export interface PullFacts {
  readonly id: number
  readonly viewers: number
  /** What all of them get, kilobits per second. */
  readonly kbps: number
}

/** A file of a recording at one moment. */
export interface RecordingFacts {
  /** What it is called as long as it is there, whatever becomes of the file. */
  readonly name: string
  /** Below the folder of recordings of the node. */
  readonly file: string
  /** `processing`: written, and put into order. `ready`: for good. `failed`: nothing could be written. `gone`: deleted. */
  readonly state: 'recording' | 'processing' | 'ready' | 'failed' | 'gone'
  readonly startedAt: number
  readonly bytes: number
  /** 0 where nobody knows. */
  readonly durationMs: number
  /** Why it is over before the broadcast is. */
  readonly reason: string | null
}

/** Something that happened on a node. `epoch`: of the node's lease; left out by nodes of releases without leases. */
export type LiveFact = { readonly projectId: number; readonly at: number; readonly epoch?: number | undefined } & (
  | { readonly type: 'source-began'; readonly encoder: string; readonly address: string }
  | { readonly type: 'source-lost'; readonly how: string }
  | { readonly type: 'ended' }
  | { readonly type: 'bitrate'; readonly state: BitrateState; readonly kbps: number; readonly kbpsMax: number }
  | { readonly type: 'destination'; readonly report: DestinationFacts }
  | { readonly type: 'recording'; readonly recording: RecordingFacts }
  | {
      readonly type: 'sample'
      readonly ingest: IngestFacts
      readonly bitrate?: BitrateFacts | undefined
      readonly destinations: readonly DestinationFacts[]
      /** Those that are wanted now. */
      readonly transcoders?: readonly TranscoderFacts[] | undefined
      /** Pull keys that somebody fetches by. */
      readonly pulls?: readonly PullFacts[] | undefined
    }
)

/** What a node told last. */
export type LiveSampleFacts = Omit<LiveFact & { readonly type: 'sample' }, 'projectId' | 'type' | 'epoch'>

/** A state as the wire calls the status of a channel (published `status`). */
export function wireStatusOf(state: DestinationState): 'offline' | 'pending' | 'live' | 'error' {
  if (state === 'live' || state === 'degraded') return 'live'
  if (state === 'connecting' || state === 'publishing') return 'pending'
  return state === 'backoff' || state === 'rejected' ? 'error' : 'offline'
}
