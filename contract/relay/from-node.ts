// Messages from a relay node to the service: JSON over the WebSocket that the node opens.
import * as z from 'zod/mini'
import { playStates } from '#contract/entities/play.ts'
import { mediaErrors } from '#contract/entities/media.ts'
import { remoteStates } from '#contract/entities/remote-source.ts'
import { RelayEvent } from './events.ts'
import { Count, Id, NodeTime } from './reports.ts'

/** Ownership of a project on air. */
const Lease = z.object({
  projectId: Id,
  /** Missing from nodes of releases without leases: the current epoch of the owner. */
  epoch: z.optional(Count),
  /** The encoder sends: no other node may take the project. */
  isSending: z.boolean(),
})
export type Lease = z.output<typeof Lease>

/** Projects that a node may have on air. */
const projectsMax = 10_000
const Leases = z.array(Lease).check(z.maxLength(projectsMax))

export const FromNode = z.discriminatedUnion('type', [
  // First message on a connection. `version`: the oldest that the node speaks, `latest`: the newest.
  z.object({
    type: z.literal('hello'),
    version: z.int(),
    latest: z.optional(z.int()),
    node: z.string(),
    // Machine of the process, which has the disk. Missing from nodes of earlier releases: the name of the node.
    machine: z.optional(z.string().check(z.minLength(1), z.maxLength(64))),
    projects: z.array(Id).check(z.maxLength(projectsMax)),
    leases: z.optional(Leases),
    // Optional features of the node. Those that this service does not know are ignored.
    features: z.optional(z.array(z.string().check(z.maxLength(40))).check(z.maxLength(100))),
  }),
  // Every 5 s, and when an encoder starts or stops to send. Only after a welcome with `leases`.
  z.object({ type: z.literal('leases'), leases: Leases }),
  z.object({
    type: z.literal('admit'),
    request: z.int(),
    key: z.string(),
    app: z.string(),
    encoder: z.string(),
    address: z.string(),
    // A backup encoder: `key` is without its suffix. Only the owner of a project on air admits it.
    isBackup: z.optional(z.boolean()),
    // A play of the service: the number of its run. It never takes the project from an encoder.
    play: z.optional(z.int()),
    // The node is full: it accepts no project that it does not have on air.
    isFull: z.optional(z.boolean()),
  }),
  // JPEG thumbnail in base64. Neither numbered nor repeated, because the next one follows soon.
  z.object({
    type: z.literal('poster'),
    projectId: Id,
    at: NodeTime,
    jpeg: z.string().check(z.maxLength(200_000)),
  }),
  z.object({
    type: z.literal('admit-player'),
    request: z.int(),
    key: z.string(),
    address: z.string(),
    // Missing from nodes without SRT: `rtmp`.
    transport: z.optional(z.enum(['rtmp', 'srt'])),
  }),
  // An SRT caller can name a number and encrypt by the key: the stream key of a project, or a pull key.
  z.object({
    type: z.literal('key'),
    request: z.int(),
    mode: z.enum(['publish', 'play']),
    number: z.int(),
    address: z.string(),
  }),
  // A numbered event. The service answers `ack`.
  z.object({ type: z.literal('event'), seq: z.int(), event: RelayEvent }),
  // Samples of a second. Their numbers are their own: they wait while other messages go first. The service answers `samples-ack`.
  z.object({ type: z.literal('samples'), seq: z.int(), samples: z.readonly(z.array(z.unknown())) }),
  // Every second: the node keeps the encoder of a stopped broadcast connected. `gone`: no longer.
  z.object({ type: z.literal('held'), projectId: Id, gone: z.boolean() }),
  // An encoder that the node itself refused, for the history of its project. Neither numbered nor repeated.
  z.object({
    type: z.literal('refused'),
    projectId: Id,
    address: z.string().check(z.maxLength(100)),
    reason: z.enum(['another_encoder', 'wrong_passphrase', 'bitrate']),
  }),
  // State of a remote source, when it changes and every 30 s. Only for those that the service sent.
  z.object({
    type: z.literal('remote'),
    projectId: Id,
    state: z.enum(remoteStates),
    words: z.string().check(z.maxLength(1_000)),
  }),
  // State of a play, when it changes and every 30 s. Only for those that the service sent.
  z.object({
    type: z.literal('play'),
    projectId: Id,
    run: Id,
    state: z.enum(playStates),
    // Why it failed, or what it skipped.
    words: z.string().check(z.maxLength(1_000)),
    // Item that runs, or that was skipped, from 0.
    item: z.optional(Count),
  }),
  // Preparation of a film: at most each second, and at least each ten seconds. `busy`: the node has no room for it. `failed` without
  // an error: another attempt may succeed. A film that is done is sent over HTTP.
  z.object({
    type: z.literal('prepare'),
    job: z.string().check(z.maxLength(64)),
    state: z.enum(['working', 'busy', 'failed']),
    // Percent.
    done: z.optional(z.int().check(z.minimum(0), z.maximum(100))),
    error: z.optional(z.enum(mediaErrors)),
    words: z.optional(z.string().check(z.maxLength(1_000))),
  }),
  // The registry of ingest servers reads it.
  z.object({ type: z.literal('report'), report: z.record(z.string(), z.unknown()) }),
])
export type FromNode = z.output<typeof FromNode>

/** An event of a type that this service does not know: a node of a newer release may send more. */
export const UnknownEvent = z.object({ type: z.literal('event'), seq: z.int() })
export type UnknownEvent = z.output<typeof UnknownEvent>
