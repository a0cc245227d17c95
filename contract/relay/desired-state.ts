// Desired state of a project at its relay node.
import * as z from 'zod/mini'
import { LadderChoice, TrackChoice } from '#contract/entities/tracks.ts'
import { presets, VideoCodec } from '#contract/entities/transcoder.ts'

/** RTMP address of a destination. The key is a secret: no log and no error may contain it. */
const RtmpTarget = z.object({
  protocol: z.enum(['rtmp', 'rtmps']),
  host: z.string(),
  port: z.int(),
  /** Path of the address without leading and trailing slashes. */
  app: z.string(),
  key: z.string(),
})
export type RtmpTarget = z.output<typeof RtmpTarget>

/** SRT address of a destination, only for nodes with the feature `srt-out`. Stream id and passphrase are secrets. */
const SrtTarget = z.object({
  protocol: z.literal('srt'),
  host: z.string(),
  port: z.int(),
  /** Empty: none. */
  streamId: z.string(),
  /** Empty: no encryption. */
  passphrase: z.string(),
  /** Length of the encryption key, bytes. */
  keyBytes: z.union([z.literal(16), z.literal(24), z.literal(32)]),
  latencyMs: z.int(),
})
export type SrtTarget = z.output<typeof SrtTarget>

const Target = z.discriminatedUnion('protocol', [RtmpTarget, SrtTarget])
export type Target = z.output<typeof Target>

const DesiredDestination = z.object({
  /** Channel number. */
  id: z.int(),
  /** Number of the transcoder that feeds the destination. Without it: the stream as the encoder sends it. */
  transcoder: z.optional(z.int()),
  /** Broadcast delay, milliseconds. Without it: 0. */
  delayMs: z.optional(z.int()),
  /** Tracks of the encoder. Without it: the main ones. */
  tracks: z.optional(TrackChoice),
  /** Smaller picture while the destination is too slow. Without it: `same_size`. */
  ladder: z.optional(LadderChoice),
  /** The destination needs sound: silence stands in for it while the stream has none. */
  silence: z.optional(z.boolean()),
  target: Target,
})
export type DesiredDestination = z.output<typeof DesiredDestination>

/** `null` keeps the value of the source. */
const override = z.nullable(z.int())

const DesiredTranscoder = z.object({
  id: z.int(),
  codec: VideoCodec,
  preset: z.enum(presets),
  width: override,
  height: override,
  fps: override,
  videoKbps: override,
  audioKbps: override,
  rotation: override,
  bFrames: override,
})
export type DesiredTranscoder = z.output<typeof DesiredTranscoder>

const DesiredRecording = z.object({
  /** Space for all recordings of the project on this node, bytes. Recording stops at this limit. */
  bytesMax: z.number(),
})
export type DesiredRecording = z.output<typeof DesiredRecording>

const InputNeeds = z.object({
  /** Largest distance of keyframes, milliseconds. */
  gopMs: z.number(),
  /** Least bitrate of the sound, kbps; 0: none. */
  audioKbps: z.number(),
})
export type InputNeeds = z.output<typeof InputNeeds>

/** Pictures and clips in the place of the encoder: names of files at the service. That of a clip ends with `.mp4`. */
const Slates = z.object({
  /** While the encoder is lost. Without it: the last frame. */
  lost: z.optional(z.string()),
  /** In a pause. Without it: nothing. */
  pause: z.optional(z.string()),
})
export type Slates = z.output<typeof Slates>

/** When a poor main encoder gives way to a backup. */
const QualityRule = z.object({
  /** It is poor below this bitrate, for this time, milliseconds. */
  kbps: z.number(),
  ms: z.number(),
  /** It takes over again above this bitrate, for this time, milliseconds. */
  backKbps: z.number(),
  backMs: z.number(),
})
export type QualityRule = z.output<typeof QualityRule>

/** Fields of the desired state; messages contain them beside their own. */
export const desiredState = {
  destinations: z.readonly(z.array(DesiredDestination)),
  /** Reconnect window of the encoder, milliseconds. Without it: the grace period of the node. */
  waitMs: z.optional(z.int()),
  /** The same after the encoder ended the stream itself. Without it: `waitMs`. */
  holdMs: z.optional(z.int()),
  transcoders: z.optional(z.readonly(z.array(DesiredTranscoder))),
  /** Destinations stay connected and receive no media. */
  paused: z.optional(z.boolean()),
  slates: z.optional(Slates),
  /** Without it a main encoder that sends is on air, however poor. */
  quality: z.optional(QualityRule),
  /** Numbers of the valid pull keys. */
  pullKeys: z.optional(z.readonly(z.array(z.int()))),
  /** Without it the project is not recorded. */
  record: z.optional(DesiredRecording),
  /** Bitrate limit of the tariff, kbps. 0 or missing: no limit. */
  kbpsMax: z.optional(z.number()),
  /** What the platforms of the destinations need of the incoming stream. */
  needs: z.optional(InputNeeds),
}

const DesiredState = z.object(desiredState)
export type DesiredState = z.output<typeof DesiredState>
