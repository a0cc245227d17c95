// The line of a relay node that is connected to this service.
import type { FromService } from '#contract/relay/from-service.ts'
import type { Poster } from '#server/core/context.ts'

/** The state of a project that a node was sent last. */
interface Told {
  /** Of the lease; undefined for nodes without leases. */
  readonly epoch: number | undefined
  /** Destinations and terms as JSON; empty: nothing yet by this service. */
  readonly wanted: string
  /** Mark of the key that the stream came in by; null: not known yet. */
  readonly keyMark: string | null
}

/** A node that is connected here. */
export interface Line {
  /** Lines are numbered in the order in which they open. */
  readonly number: number
  node: string
  /** The projects that it has on air. */
  readonly told: Map<number, Told>
  /** When the node last reported the parked encoder of a project, by `performance.now()`. */
  readonly held: Map<number, number>
  readonly posters: Map<number, Poster>
  ffmpeg: boolean
  send(message: FromService): void
  /** Resolves when it has closed. */
  readonly gone: Promise<void>
  /** Resolves when every message that it has received is handled. */
  idle(): Promise<void>
  /** Cuts it. */
  end(): void
  /** Cuts it, because a message could not be taken. */
  fail(error: unknown): void
}

/** A person stops what is on air. */
export const stopMessage = (projectId: number): FromService => ({
  type: 'stop',
  projectId,
  words: 'The broadcast was stopped in the dashboard',
  hold: true,
})
