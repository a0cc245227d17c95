// Tables of broadcasts, with their restreams, targets, events and samples.
import type { Generated } from 'kysely'

export interface BroadcastTables {
  /** Number of the last report of each relay node, to detect repeated reports. */
  relay_nodes: { name: string; seq: number }
  /** A broadcast; it survives reconnects of the encoder. At most one of a project has no `date_end`. */
  broadcasts: {
    id: Generated<number>
    project_id: number
    /** The relay node that has it on air. */
    node: string
    /** `active`: receives media. `lost`: waits for the encoder. `done`: over. */
    status: 'active' | 'lost' | 'done'
    /** Name that the encoder sent. */
    encoder: string
    /** Address of the encoder. */
    address: string
    reconnects: number
    /** Sample of the last second, as the node reported it: JSON of `LiveSample`. */
    sample: string | null
    /** Time since which destinations receive nothing; null: not paused. */
    date_pause: Generated<string | null>
    /** Time of the last request for viewers. */
    date_viewers: Generated<string | null>
    /**
     * End of a stop by a user: until then the encoder is not on air. Extended as long as the encoder sends. While the
     * broadcast runs: the node has not ended it yet. Null: not stopped, or the encoder has disconnected.
     */
    held_until: Generated<string | null>
    /** User that stopped it; null: not stopped. */
    stopped_by: Generated<number | null>
    date_create: string
    date_end: string | null
    /** Epoch of the node that was unreachable when it ended: it continues when that node is back under it. Null: ended. */
    lost_epoch: Generated<number | null>
  }
  /** A channel that received a broadcast, with its name at that time. */
  restreams: {
    id: Generated<number>
    broadcast_id: number
    channel_id: number
    name: string
    type: string
    /** The last change of state: JSON of `DestinationReport`. */
    report: string
    date_create: string
    /** Time when it was first live; null: never. */
    date_live: string | null
    /** Page of the stream at the platform, if the platform reported it. */
    url: Generated<string | null>
    /** Viewers in the last report of the platform, and the maximum of all reports; null: not reported. */
    viewers: Generated<number | null>
    viewers_max: Generated<number | null>
  }
  /** The target of a broadcast at a platform that assigns an address to each broadcast. */
  broadcast_targets: {
    broadcast_id: number
    channel_id: number
    /** `starting`: the request is running. `dropped`: no longer needed. `ended`: the platform has received the end. */
    state: 'starting' | 'ready' | 'failed' | 'dropped' | 'ended'
    attempt: number
    /** Address and secrets, as channels have them. */
    address: string | null
    secret_sealed: string | null
    /** The platform's own id of the stream. */
    video_id: string | null
    url: string | null
    /** Time of the next attempt; null: no automatic retry. */
    date_next: string | null
  }
  /** Events in order of time. */
  broadcast_events: {
    id: Generated<number>
    broadcast_id: number
    /** Null for events of the whole broadcast. */
    channel_id: number | null
    level: 'info' | 'warning' | 'error'
    kind: string
    reason: string | null
    /** Message of a platform. */
    words: string | null
    /** The relay node that reported it; null: the service itself. */
    node: Generated<string | null>
    date_create: string
    /** Number of repetitions, and time of the last one; null: it occurred once. */
    count: Generated<number>
    date_last: Generated<string | null>
  }
  /** Incoming stream, averaged over `step` seconds that begin at `at` (Unix seconds). */
  broadcast_samples: { broadcast_id: number; step: number; at: number; kbps: number; fps: number }
  /** Viewers at all platforms that report them, as `broadcast_samples`. */
  broadcast_viewers: { broadcast_id: number; step: number; at: number; viewers: number }
}
