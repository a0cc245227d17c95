// What a relay node and the service tell each other: JSON messages over one WebSocket that the node opens.
// The node may go on without the service; what it has to tell is numbered, kept, and sent again until it was seen.
import * as z from 'zod/mini'
import { RestreamState } from '#contract/entities/on-air.ts'
import { presets, TranscoderTrouble, VideoCodec } from '#contract/entities/transcoder.ts'
import { bitrateStates } from '#server/domain/broadcasts/live-facts.ts'
import { destinationReasons } from './destinations/reasons.ts'

/** Raised when a message changes its meaning. A service refuses nodes of another version, and says so. */
export const protocolVersion = 1

const Target = z.object({
  protocol: z.enum(['rtmp', 'rtmps']),
  host: z.string(),
  port: z.int(),
  app: z.string(),
  key: z.string(),
})
const Wish = z.object({ id: z.int(), transcoder: z.optional(z.int()), delayMs: z.optional(z.int()), target: Target })
const size = z.nullable(z.int())
const Transcoder = z.object({
  id: z.int(),
  codec: VideoCodec,
  preset: z.enum(presets),
  width: size,
  height: size,
  fps: size,
  videoKbps: size,
  audioKbps: size,
  rotation: size,
  bFrames: size,
})
/** What a project wants: its destinations, the transcoders that some of them get, and how long they are kept while the encoder is away. */
const wanted = {
  destinations: z.array(Wish),
  waitMs: z.optional(z.int()),
  transcoders: z.optional(z.array(Transcoder)),
  /** Destinations stay connected, and nothing is passed on to them. */
  paused: z.optional(z.boolean()),
  pullKeys: z.optional(z.array(z.int())),
  // It is recorded, as long as its recordings on the node together are not above so many bytes.
  record: z.optional(z.object({ bytesMax: z.number() })),
  /** The bitrate that the tariff allows; 0: any. */
  kbpsMax: z.optional(z.number()),
}

const Report = z.object({
  id: z.int(),
  state: RestreamState,
  since: z.number(),
  reason: z.nullable(z.enum(destinationReasons)),
  words: z.nullable(z.string()),
  attempt: z.int(),
  nextRetry: z.nullable(z.number()),
  reconnects: z.int(),
  bytes: z.number(),
  acknowledged: z.number(),
  queued: z.number(),
  packets: z.int(),
  dropped: z.int(),
  drops: z.int(),
  lacks: z.optional(z.string()),
})
const bitrateState = z.enum(bitrateStates)

const TranscoderReport = z.object({
  id: z.int(),
  running: z.boolean(),
  since: z.number(),
  reason: z.nullable(TranscoderTrouble),
  kbps: z.number(),
  lagMs: z.number(),
  restarts: z.int(),
})

/** A project that a node has on air, by the lease that it got when it let the encoder in. */
const Lease = z.object({
  projectId: z.int(),
  epoch: z.optional(z.int()),
  /** The encoder sends: no other node may take the project. */
  isSending: z.boolean(),
})

/** `epoch` is left out by nodes of releases without leases, and at services of those. */
const about = { projectId: z.int(), at: z.number(), epoch: z.optional(z.int()) }
const Event = z.discriminatedUnion('type', [
  z.object({ type: z.literal('source-began'), ...about, encoder: z.string(), address: z.string() }),
  z.object({ type: z.literal('source-lost'), ...about, how: z.string() }),
  z.object({ type: z.literal('ended'), ...about }),
  z.object({ type: z.literal('bitrate'), ...about, state: bitrateState, kbps: z.number(), kbpsMax: z.number() }),
  z.object({ type: z.literal('destination'), ...about, report: Report }),
  z.object({
    type: z.literal('recording'),
    ...about,
    recording: z.object({
      name: z.string(),
      file: z.string(),
      state: z.enum(['recording', 'processing', 'ready', 'failed', 'gone']),
      startedAt: z.number(),
      bytes: z.number(),
      durationMs: z.number(),
      reason: z.nullable(z.string()),
    }),
  }),
  z.object({
    type: z.literal('sample'),
    ...about,
    ingest: z.object({
      kbps: z.number(),
      fps: z.number(),
      gopMs: z.nullable(z.number()),
      videoCodec: z.string(),
      audioCodec: z.string(),
      width: z.number(),
      height: z.number(),
      encoder: z.optional(z.string()),
    }),
    bitrate: z.optional(z.object({ state: bitrateState, kbps: z.optional(z.number()), kbpsMax: z.number() })),
    destinations: z.readonly(z.array(Report)),
    transcoders: z.optional(z.readonly(z.array(TranscoderReport))),
    pulls: z.optional(z.readonly(z.array(z.object({ id: z.int(), viewers: z.int(), kbps: z.number() })))),
  }),
])

/** From a node. */
export const FromNode = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('hello'),
    version: z.int(),
    node: z.string(),
    projects: z.array(z.int()),
    leases: z.optional(z.array(Lease)),
  }),
  // Every 5 s, and when an encoder begins or stops to send. Only to services that said `leases` in their welcome.
  z.object({ type: z.literal('leases'), leases: z.array(Lease) }),
  z.object({
    type: z.literal('admit'),
    request: z.int(),
    key: z.string(),
    app: z.string(),
    encoder: z.string(),
    address: z.string(),
  }),
  // A still of a project on air, a JPEG in base64. The next one is soon there: it is neither numbered nor repeated.
  z.object({
    type: z.literal('poster'),
    projectId: z.int(),
    at: z.number(),
    jpeg: z.string().check(z.maxLength(200_000)),
  }),
  z.object({
    type: z.literal('admit-player'),
    request: z.int(),
    key: z.string(),
    address: z.string(),
    // Left out by nodes that know no other.
    transport: z.optional(z.enum(['rtmp', 'srt'])),
  }),
  // By SRT a caller may say a number, and encrypt by the key: of a project's encoder, or a pull key.
  z.object({
    type: z.literal('key'),
    request: z.int(),
    mode: z.enum(['publish', 'play']),
    number: z.int(),
    address: z.string(),
  }),
  z.object({ type: z.literal('told'), seq: z.int(), event: Event }),
  // The encoder of a broadcast that a person stopped sends on; said again and again. `gone`: it does not any more.
  z.object({ type: z.literal('held'), projectId: z.int(), gone: z.boolean() }),
  // Read by the registry of ingest servers.
  z.object({ type: z.literal('report'), report: z.record(z.string(), z.unknown()) }),
])
export type FromNode = z.output<typeof FromNode>

/** Something that a node tells and that is not known here: a node of a newer release may tell more. */
export const ToldOtherwise = z.object({ type: z.literal('told'), seq: z.int() })

/** A connection for media. `at`: the service that waits for it, where that is another replica than the one that says so. */
const media = { id: z.string(), at: z.optional(z.string().check(z.regex(/^wss?:\/\//))) }

/** From the service. */
export const FromService = z.discriminatedUnion('type', [
  z.object({ type: z.literal('welcome'), leases: z.optional(z.boolean()) }),
  // Answer to `leases`. `others`: there are nodes that could own the projects instead.
  z.object({ type: z.literal('leases'), others: z.boolean() }),
  z.object({ type: z.literal('go-away'), words: z.string() }),
  z.object({
    type: z.literal('admitted'),
    request: z.int(),
    projectId: z.int(),
    // It may send, and nothing comes of it: a person stopped its broadcast.
    held: z.optional(z.boolean()),
    epoch: z.optional(z.int()),
    ...wanted,
  }),
  z.object({ type: z.literal('player-admitted'), request: z.int(), projectId: z.int(), keyId: z.int() }),
  z.object({ type: z.literal('key'), request: z.int(), key: z.string() }),
  // `conflict`: another encoder sends with this key.
  z.object({
    type: z.literal('refused'),
    request: z.int(),
    words: z.string(),
    reason: z.optional(z.literal('conflict')),
  }),
  z.object({ type: z.literal('wish'), projectId: z.int(), ...wanted }),
  z.object({ type: z.literal('retry'), projectId: z.int(), destinationId: z.int() }),
  // `hold`: a person wants it. The encoder is kept, so that it does not come back by itself.
  // `moved`: another node owns the project; only what this node has on air under `epoch` ends.
  z.object({
    type: z.literal('stop'),
    projectId: z.int(),
    words: z.string(),
    hold: z.optional(z.boolean()),
    reason: z.optional(z.literal('moved')),
    epoch: z.optional(z.int()),
  }),
  // A held encoder may be on air: the node asks for its admission again.
  z.object({ type: z.literal('release'), projectId: z.int() }),
  z.object({ type: z.literal('seen'), seq: z.int() }),
  // Somebody looks: send the project as FLV over a connection to `<service>/media/<id>`.
  z.object({ type: z.literal('preview'), ...media, projectId: z.int() }),
  // A connection for HLS, as for the preview: each file is its name, and then its bytes.
  z.object({ type: z.literal('hls'), ...media, projectId: z.int() }),
  // A part of a recording over a connection as for the preview: the size of the file as text, and then the bytes.
  z.object({
    type: z.literal('file'),
    ...media,
    file: z.string().check(z.regex(/^\d+\/[\dTZ.-]+\.(flv|mp4)$/)),
    /** First and last byte. */
    from: z.number(),
    to: z.number(),
  }),
  // Recordings that were deleted. It is told `gone` of each.
  z.object({ type: z.literal('forget'), names: z.array(z.string().check(z.regex(/^\d+\/[\dTZ.-]+$/))) }),
  // To a node that the service started itself.
  z.object({ type: z.literal('quit') }),
])
export type FromService = z.output<typeof FromService>

/** Reads a message. @returns null when it is none: another version, or somebody who plays */
export function readMessage<T extends z.ZodMiniType>(schema: T, text: string): z.output<T> | null {
  try {
    const read = z.safeParse(schema, JSON.parse(text))
    return read.success ? read.data : null
  } catch {
    return null
  }
}
