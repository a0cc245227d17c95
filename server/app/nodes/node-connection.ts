// Connection of a relay node to this service.
import type { FromService } from '#contract/relay/from-service.ts'
import type { Poster } from '#server/core/context.ts'
import type { SampleEvent } from '#contract/relay/events.ts'

/** Samples that the service has received and not stored; the node keeps them until they are acknowledged. */
export interface SampleBuffer {
  readonly waiting: SampleEvent[]
  /** Destinations of samples that arrive in parts, by project. */
  readonly parts: Map<number, { readonly at: number; readonly destinations: SampleEvent['destinations'] }>
  /** Newest sample of each project. */
  readonly newest: Map<number, SampleEvent>
  /** Arrival of the newest samples, by `performance.now()`. */
  newestAt: number
  /** Acknowledges the waiting samples; null: nothing to acknowledge. */
  ack: FromService | null
  /** Resolves when no samples are being stored. */
  flushing: Promise<void>
}

export const emptyBuffer = (): SampleBuffer => ({
  waiting: [],
  newest: new Map(),
  newestAt: 0,
  parts: new Map(),
  ack: null,
  flushing: Promise.resolve(),
})

/** A project on air at a node, as the service last sent it. */
interface SentState {
  /** Epoch of the lease; undefined for nodes without leases. */
  readonly epoch: number | undefined
  /** Desired state as JSON; empty: this service has not sent it. */
  readonly desired: string
  /** Mark of the stream key in use; null: not known yet. */
  readonly keyMark: string | null
}

export interface NodeConnection {
  /** Connections are numbered in the order in which they open. */
  readonly number: number
  /** Name of the node; empty before its `hello`. */
  node: string
  /** Machine of the node, whose disk has its recordings; empty before its `hello`. */
  machine: string
  /** The node drains, by its last report. */
  isDraining: boolean
  /** Projects that the node has on air. */
  readonly projects: Map<number, SentState>
  /** Projects whose desired state is being read. */
  readonly reading: Set<number>
  /** When the node last reported the parked encoder of a project, by `performance.now()`. */
  readonly parked: Map<number, number>
  readonly posters: Map<number, Poster>
  readonly samples: SampleBuffer
  /** The node has ffmpeg; null before its first report. */
  ffmpeg: boolean | null
  /** The node takes streams of browsers, by its last report. */
  takesBrowsers: boolean
  /** The node accepts no new projects, by its last report. */
  isFull: boolean
  /** The node would prepare a film, by its last report. */
  takesFilms: boolean
  /** The node takes runs of schedules, or remote sources, by its last report. */
  takesWork: boolean
  /** Agreed version of the protocol; 0 before the `hello`. */
  version: number
  /** Optional features that the node named in its `hello`. */
  features: ReadonlySet<string>
  send(message: FromService): void
  /** Resolves when the connection has closed. */
  readonly closed: Promise<void>
  /** Runs a task after the received messages. A failure closes the connection. */
  run(task: () => Promise<void>): void
  /** Resolves when every received message is handled. */
  idle(): Promise<void>
  /** Closes the connection. */
  end(): void
  /** Logs the error and closes the connection: the node repeats its events when it reconnects. */
  fail(error: unknown): void
}

/** State of a connection before the first message of its node. */
export const unknownNode = (): Omit<
  NodeConnection,
  'number' | 'idle' | 'closed' | 'run' | 'send' | 'end' | 'fail'
> => ({
  node: '',
  machine: '',
  isDraining: false,
  projects: new Map(),
  reading: new Set(),
  parked: new Map(),
  posters: new Map(),
  samples: emptyBuffer(),
  ffmpeg: null,
  version: 0,
  takesBrowsers: false,
  isFull: false,
  takesFilms: false,
  takesWork: false,
  features: new Set(),
})

/** Stop requested by a user. */
export const stopMessage = (projectId: number): FromService => ({
  type: 'stop',
  projectId,
  words: 'The broadcast was stopped in the dashboard',
  hold: true,
})
