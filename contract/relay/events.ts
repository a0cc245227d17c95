// Events of a project on air. A node numbers them, and repeats them until the service acknowledges them.
import * as z from 'zod/mini'
import {
  BitrateReport,
  BitrateState,
  Count,
  DestinationReport,
  FaultReport,
  Id,
  IngestReport,
  Kbps,
  NodeTime,
  PullReport,
  RecordingReport,
  TranscoderReport,
} from './reports.ts'

/** `epoch`: of the node's lease. Nodes and services of releases without leases omit it. */
const about = { projectId: Id, at: NodeTime, epoch: z.optional(Count) }

const measured = {
  ingest: IngestReport,
  bitrate: z.optional(BitrateReport),
  destinations: z.readonly(z.array(DestinationReport)),
  transcoders: z.optional(z.readonly(z.array(TranscoderReport))),
  pulls: z.optional(z.readonly(z.array(PullReport))),
}

/** One second of a project on air. */
export const Sample = z.object({
  ...about,
  ...measured,
  /** Further destinations follow in the next part of the same second. */
  isPart: z.optional(z.boolean()),
})
export type Sample = z.output<typeof Sample>

export const RelayEvent = z.discriminatedUnion('type', [
  // `play`: run of the play that is on air now; without it, an encoder: the backup one with `isBackup`.
  z.object({
    type: z.literal('source-began'),
    ...about,
    encoder: z.string(),
    address: z.string(),
    play: z.optional(Id),
    isBackup: z.optional(z.boolean()),
  }),
  z.object({ type: z.literal('source-lost'), ...about, how: z.string() }),
  z.object({ type: z.literal('ended'), ...about }),
  z.object({ type: z.literal('bitrate'), ...about, state: BitrateState, kbps: Kbps, kbpsMax: Kbps }),
  // A fault of the incoming stream began, or is over.
  z.object({ type: z.literal('fault'), ...about, fault: FaultReport, isOn: z.boolean() }),
  z.object({ type: z.literal('destination'), ...about, report: DestinationReport }),
  z.object({ type: z.literal('recording'), ...about, recording: RecordingReport }),
  // Once per second from nodes of version 2. Newer nodes send `samples`.
  z.object({ type: z.literal('sample'), ...about, ...measured }),
])
export type RelayEvent = z.output<typeof RelayEvent>

/** A sample that changes the state of its broadcast is handled as an event. */
export type SampleEvent = Extract<RelayEvent, { type: 'sample' }>

/** The newest sample of a project, as the service stores it. */
export type StoredSample = Omit<SampleEvent, 'projectId' | 'type' | 'epoch'>
