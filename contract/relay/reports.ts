// Reports of a relay node: the state of a destination, a transcoder, a pull key, a recording or the ingest at one moment.
// Times are milliseconds since 1970, bitrates kbps.
import * as z from 'zod/mini'
import { backupStates, RestreamState } from '#contract/entities/on-air.ts'
import { TranscoderTrouble } from '#contract/entities/transcoder.ts'

/** Milliseconds since 1970, as far as dates go. */
export const NodeTime = z.number().check(z.nonnegative(), z.lte(8.64e15))
/** Largest number of a column of 32 bits. */
const columnMax = 2 ** 31 - 1
/** Number of a row: a project, a channel, a transcoder or a pull key. */
export const Id = z.int().check(z.positive(), z.lte(columnMax))
export const Count = z.int().check(z.nonnegative(), z.lte(columnMax))
/** Bitrate, kbps; fits a column of 32 bits. */
export const kbpsMax = columnMax
export const Kbps = z.number().check(z.nonnegative(), z.lte(kbpsMax))
/** Frames a second that a report may have. */
export const fpsMax = 10_000

/**
 * Reason why a destination is not live. `closed-early`: the server closed right after the start, often because of a wrong key.
 * `transcoding` and `delay`: the destination waits for its first packet. `egress`: the node has reached its egress limit.
 * `track`: the encoder does not send the track that the channel chose; only for channels whose desired state has `tracks`.
 * `ffmpeg`: the node has no ffmpeg, which SRT needs; only for SRT targets.
 */
const DestinationReason = z.enum([
  'forbidden',
  'dns',
  'refused',
  'unreachable',
  'tls',
  'timeout',
  'ended',
  'protocol',
  'socket',
  'closed',
  'connect-rejected',
  'publish-rejected',
  'closed-early',
  'stalled',
  'transcoding',
  'delay',
  'egress',
  'track',
  'ffmpeg',
])
export type DestinationReason = z.output<typeof DestinationReason>

/**
 * `idle`: before the first start. `connecting`: socket and handshake. `publishing`: waits until the server accepts the stream.
 * `live`: media is sent. `degraded`: the server is too slow, packets are dropped. `backoff`: waits for the next attempt.
 * `rejected`: the server refused; the same as `backoff` with a long wait. `stopped`: no longer wanted.
 */
export type DestinationState = RestreamState

export const DestinationReport = z.object({
  /** Channel number. */
  id: z.int(),
  state: RestreamState,
  /** Time of the last change of state. */
  since: NodeTime,
  reason: z.nullable(DestinationReason),
  /** Message of the server. */
  words: z.nullable(z.string()),
  /** Failed attempts since the destination was last stable. */
  attempt: z.int(),
  nextRetry: z.nullable(NodeTime),
  reconnects: z.int(),
  /** Bytes written to the network since the destination started. */
  bytes: z.number(),
  /** Bytes that the server acknowledged on this connection; 0 if it sends no acknowledgements. */
  acknowledged: z.number(),
  /** Bytes in the send queue. */
  queued: z.number(),
  packets: z.int(),
  /** Dropped packets. */
  dropped: z.int(),
  /** Number of times that dropping began. */
  drops: z.int(),
  /** Codecs of the stream that the server did not announce, comma separated. */
  lacks: z.optional(z.string()),
  /** It receives a smaller picture of the encoder, because it was too slow. Older nodes do not report it. */
  smaller: z.optional(z.boolean()),
})
export type DestinationReport = z.output<typeof DestinationReport>

export const TranscoderReport = z.object({
  id: z.int(),
  /** The program runs and sends media. */
  running: z.boolean(),
  /** Time of the last change of `running`. */
  since: NodeTime,
  reason: z.nullable(TranscoderTrouble),
  kbps: Kbps,
  /** Delay of the output behind the input, milliseconds. */
  lagMs: z.number(),
  restarts: z.int(),
  /** A graphics card encodes. Older nodes do not report it. */
  onCard: z.optional(z.boolean()),
})
export type TranscoderReport = z.output<typeof TranscoderReport>

/** Use of a pull key. `kbps`: sum over its viewers. */
export const PullReport = z.object({ id: z.int(), viewers: z.int(), kbps: Kbps })
export type PullReport = z.output<typeof PullReport>

/** Bitrate beside the limit of the tariff: `high` is a warning, `refused` disconnects the encoder. */
export const BitrateState = z.enum(['fine', 'high', 'refused'])
export type BitrateState = z.output<typeof BitrateState>

export const BitrateReport = z.object({
  state: BitrateState,
  /** Average over ten seconds, which the limit applies to. */
  kbps: z.optional(Kbps),
  kbpsMax: Kbps,
})

/** A fault of the incoming stream: the measured value and its limit, in the unit of the fault. */
export const FaultReport = z.object({
  kind: z.string().check(z.maxLength(40)),
  value: z.nullable(z.number()),
  limit: z.nullable(z.number()),
})

const figure = z.number().check(z.nonnegative(), z.lte(Number.MAX_SAFE_INTEGER))
const figures = {
  rttMs: figure,
  lost: figure,
  dropped: figure,
  lostBytes: figure,
  droppedBytes: figure,
  bufferMs: figure,
}

/** Connection of the encoder: packets and bytes since it began, times in milliseconds. */
export const LinkReport = z.object({
  ...figures,
  /** Age of the connection. */
  ageMs: figure,
  /** Time since the last frame. */
  quietMs: figure,
  /** Data packets by each path of a bonded encoder, in the order in which the paths joined. Older nodes report none. */
  paths: z.optional(z.readonly(z.array(z.object({ packets: figure, rate: figure })).check(z.maxLength(16)))),
})
export type LinkReport = z.output<typeof LinkReport>

/** One second of the stream that the encoder sends. */
export const IngestReport = z.object({
  kbps: Kbps,
  fps: z.number().check(z.nonnegative(), z.lte(fpsMax)),
  /** Keyframe interval, milliseconds; null before the second keyframe. */
  gopMs: z.nullable(z.number()),
  videoCodec: z.string(),
  audioCodec: z.string(),
  width: z.number(),
  height: z.number(),
  /** Encoder name in the metadata of the stream. */
  encoder: z.optional(z.string()),
  /** Averages over the last five seconds with media; null until there are three. Older nodes measure none. */
  steady: z.optional(z.nullable(z.object({ kbps: Kbps, fps: z.number().check(z.nonnegative(), z.lte(fpsMax)) }))),
  /** Faults that the node holds against the stream. Kinds of newer nodes are unknown here. */
  faults: z.optional(z.readonly(z.array(FaultReport))),
  /** What channels receive in the place of the encoder. A clip is a `picture` with `clip`: services before it drop unknown words. */
  fill: z.optional(z.enum(['picture', 'frame'])),
  clip: z.optional(z.boolean()),
  /** The backup encoder, while it sends. */
  backup: z.optional(z.enum(backupStates)),
  /** A play, while it sends: `connected` below an encoder. */
  play: z.optional(z.enum(backupStates)),
  /** Null: no encoder is connected. Older nodes report none. */
  link: z.optional(z.nullable(LinkReport)),
})
export type IngestReport = z.output<typeof IngestReport>

export const RecordingReport = z.object({
  /** Name of the recording; it stays the same when the file changes. */
  name: z.string(),
  /** Path below the recordings folder of the node. */
  file: z.string(),
  /** `processing`: written, being remuxed. `ready`: final. `failed`: nothing was written. `gone`: deleted. */
  state: z.enum(['recording', 'processing', 'ready', 'failed', 'gone']),
  startedAt: NodeTime,
  bytes: z.number(),
  /** 0 if unknown. */
  durationMs: z.number(),
  /** Why the recording ended before the broadcast. */
  reason: z.nullable(z.string()),
})
export type RecordingReport = z.output<typeof RecordingReport>
