// Tables of broadcasts (migrations 0011, 0012, 0016, 0018): what went on air, where to, what happened, how much came in.
import type { Generated } from 'kysely'

export interface BroadcastTables {
  /** How far each relay node was heard: what it tells again is known by its number. */
  relay_nodes: { name: string; seq: number }
  /** One time on air: it survives absences of the encoder. One of a project has no `date_end`. */
  broadcasts: {
    id: Generated<number>
    project_id: number
    /** The relay node that has it. */
    node: string
    /** `active`: media comes in. `lost`: the encoder is away, for now. `done`: over. */
    status: 'active' | 'lost' | 'done'
    /** What the encoder calls itself. */
    encoder: string
    /** Where the encoder is. */
    address: string
    reconnects: number
    /** The last second as the node told it: JSON of `LiveSample`. */
    sample: string | null
    /** Since when nothing is passed on; null: it is. */
    date_pause: Generated<string | null>
    /** When platforms were last asked how many watch. */
    date_viewers: Generated<string | null>
    /**
     * A person stopped it: its encoder is not let on air before this moment, which moves on as long as the encoder sends.
     * While the broadcast runs: the node has not ended it yet. Null: nobody did, or the encoder has gone.
     */
    held_until: Generated<string | null>
    /** Who stopped it; null: nobody did. */
    stopped_by: Generated<number | null>
    date_create: string
    date_end: string | null
  }
  /** A channel that a broadcast went to, under the name that it had then. */
  restreams: {
    id: Generated<number>
    broadcast_id: number
    channel_id: number
    name: string
    type: string
    /** The last change of state: JSON of `DestinationReport`. */
    report: string
    date_create: string
    /** When it was first live; null when it never was. */
    date_live: string | null
    /** Page of the stream at the platform, where the platform said it. */
    url: Generated<string | null>
    /** What the platform said last, and the most that it said; null: it says nothing. */
    viewers: Generated<number | null>
    viewers_max: Generated<number | null>
  }
  /** What a platform gave for one broadcast, where it gives a new address each time. */
  broadcast_targets: {
    broadcast_id: number
    channel_id: number
    /** `starting`: somebody asks. `dropped`: nobody wants it any more. `ended`: the platform was told. */
    state: 'starting' | 'ready' | 'failed' | 'dropped' | 'ended'
    attempt: number
    /** Address and secrets as channels have them. */
    address: string | null
    secret_sealed: string | null
    /** The platform's own id of the stream. */
    video_id: string | null
    url: string | null
    /** When it may be tried again; null: not by itself. */
    date_next: string | null
  }
  /** What happened, in order. */
  broadcast_events: {
    id: Generated<number>
    broadcast_id: number
    /** Null when it is about the whole broadcast. */
    channel_id: number | null
    level: 'info' | 'warning' | 'error'
    kind: string
    reason: string | null
    /** What a platform said. */
    words: string | null
    /** The relay node that told it; null: the service itself. */
    node: Generated<string | null>
    date_create: string
    /** How often it happened, and when it last did; null: once. */
    count: Generated<number>
    date_last: Generated<string | null>
  }
  /** What came in, averaged over `step` seconds that begin at `at` (Unix seconds). */
  broadcast_samples: { broadcast_id: number; step: number; at: number; kbps: number; fps: number }
  /** Viewers of all platforms that say it, as `broadcast_samples`. */
  broadcast_viewers: { broadcast_id: number; step: number; at: number; viewers: number }
  /** By what overlays read along. */
  chat_keys: { project_id: number; key_sealed: string; key_hash: string }
}
