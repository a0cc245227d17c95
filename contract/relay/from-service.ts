// Messages from the service to a relay node.
import * as z from 'zod/mini'
import { DesiredPlay } from '#contract/entities/play.ts'
import { DesiredRemote } from '#contract/entities/remote-source.ts'
import { desiredState } from './desired-state.ts'

/** Makes the node open a connection to `<service>/media/<id>`. `at`: URL of the replica that waits for it. */
const media = { id: z.string(), at: z.optional(z.string().check(z.regex(/^wss?:\/\//))) }

export const FromService = z.discriminatedUnion('type', [
  // Reply to `hello`. `version`: the agreed one.
  z.object({ type: z.literal('welcome'), version: z.int(), leases: z.optional(z.boolean()) }),
  // Reply to `leases`. `others`: other nodes are connected that could own the projects.
  z.object({ type: z.literal('leases'), others: z.boolean() }),
  // The service refuses the node.
  z.object({ type: z.literal('go-away'), words: z.string() }),
  z.object({
    type: z.literal('admitted'),
    request: z.int(),
    projectId: z.int(),
    // The broadcast was stopped: the node keeps the encoder connected and drops its media.
    held: z.optional(z.boolean()),
    epoch: z.optional(z.int()),
    ...desiredState,
  }),
  z.object({ type: z.literal('player-admitted'), request: z.int(), projectId: z.int(), keyId: z.int() }),
  z.object({ type: z.literal('key'), request: z.int(), key: z.string() }),
  // `conflict`: another encoder sends with this key. `overload`: the node is full.
  z.object({
    type: z.literal('refused'),
    request: z.int(),
    words: z.string(),
    reason: z.optional(z.enum(['conflict', 'overload'])),
  }),
  // New desired state of a project on air.
  z.object({ type: z.literal('desired'), projectId: z.int(), ...desiredState }),
  z.object({ type: z.literal('retry'), projectId: z.int(), destinationId: z.int() }),
  // Ends a broadcast. `hold`: keep the encoder connected, else it reconnects.
  // `moved`: another node owns the project; only the broadcast under `epoch` ends.
  z.object({
    type: z.literal('stop'),
    projectId: z.int(),
    words: z.string(),
    hold: z.optional(z.boolean()),
    reason: z.optional(z.literal('moved')),
    epoch: z.optional(z.int()),
  }),
  // The encoder of a stopped broadcast may be on air: the node requests its admission again.
  z.object({ type: z.literal('release'), projectId: z.int() }),
  // Acknowledges events up to `seq`.
  z.object({ type: z.literal('ack'), seq: z.int() }),
  // Acknowledges samples up to `seq`.
  z.object({ type: z.literal('samples-ack'), seq: z.int() }),
  // Preview: send the project as FLV.
  z.object({ type: z.literal('preview'), ...media, projectId: z.int() }),
  // HLS: send each file as its name followed by its bytes.
  z.object({ type: z.literal('hls'), ...media, projectId: z.int() }),
  // Stream of a browser: admit it like an encoder of the project, and answer with `BrowserText`. Only for nodes whose report has `browser`.
  z.object({
    type: z.literal('browser'),
    ...media,
    projectId: z.int(),
    // Of the client.
    address: z.string().check(z.maxLength(100)),
  }),
  // Part of a recording: send the size of the file as text, then the bytes `from` to `to`, both included.
  z.object({
    type: z.literal('file'),
    ...media,
    file: z.string().check(z.regex(/^\d+\/[\dTZ.-]+\.(flv|mp4)$/)),
    from: z.number(),
    to: z.number(),
  }),
  // Deletes recordings. The node reports `gone` for each.
  z.object({ type: z.literal('forget'), names: z.array(z.string().check(z.regex(/^\d+\/[\dTZ.-]+$/))) }),
  // The node accepts no new projects, and ends when none is left, after `ms` at the latest: it disconnects the encoders that are left.
  z.object({ type: z.literal('drain'), ms: z.int().check(z.minimum(0)) }),
  // The node accepts again, also while it disconnects encoders: those that are left stay.
  z.object({ type: z.literal('undrain') }),
  // All remote sources of the node: it ends those that are not in the list.
  z.object({ type: z.literal('remotes'), remotes: z.readonly(z.array(DesiredRemote)) }),
  // All plays of the node: it ends those that are not in the list. Only for nodes with the feature `plays`.
  z.object({ type: z.literal('plays'), plays: z.readonly(z.array(DesiredPlay)) }),
  // Reply to the report of a draining node. `others`: another process of its machine accepts on the same ports.
  z.object({ type: z.literal('listeners'), others: z.boolean() }),
  // Prepares a film: the node fetches the upload of `bytes` at `<service>/prepare/original`, and sends a film of `bytesMax` at most to
  // `<service>/prepare/master` and `<service>/prepare/film`, with the header `Prepare-Ticket`. Only for nodes with the feature `prepare`.
  z.object({
    type: z.literal('prepare'),
    job: z.string(),
    ticket: z.string(),
    bytes: z.number(),
    bytesMax: z.number(),
  }),
  // Ends the preparation of a film that is not needed any more.
  z.object({ type: z.literal('unprepare'), job: z.string() }),
  // Ends a node that the service started.
  z.object({ type: z.literal('quit') }),
])
export type FromService = z.output<typeof FromService>
