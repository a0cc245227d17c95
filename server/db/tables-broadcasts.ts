// Tables of broadcasts and ingest: restreams, targets, events, samples, recordings, transcoders, keys and servers.
import type { MediaError, MediaKind } from '#contract/entities/media.ts'
import type { RemoteState } from '#contract/entities/remote-source.ts'
import type { Generated } from 'kysely'
import type { Preset, TranscoderMode, VideoCodec } from '#contract/entities/transcoder.ts'
import type { Transport } from '#contract/entities/ingest.ts'

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
    /** Time without an encoder, milliseconds; without an absence that lasts. */
    away_ms: Generated<number>
    /** The scheduled files that are on air: JSON of `PlayOnAir`; null: an encoder is, or was the last. */
    play: Generated<string | null>
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
    /** What the platform shows: JSON of `Seen`; null: unknown. */
    seen: Generated<string | null>
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
  /** A new broadcast at the platform of a channel: at most one for each broadcast of ours (`heals.ts`). */
  platform_heals: {
    broadcast_id: number
    channel_id: number
    /** `inserting`: the request may have been sent. `inserted`: it exists. `bound`: the stream feeds it. */
    state: 'inserting' | 'inserted' | 'bound' | 'done' | 'failed'
    /** Scheduled start at the platform, ISO 8601: with the title, the mark by which a later try finds the broadcast. */
    start_at: string
    title: string
    /** The platform's own id of the broadcast; null: not known yet. */
    video_id: string | null
    /** No other run acts before this time, Unix milliseconds by the clock of the database. */
    claim_until: number
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

// Tables of recordings.

export interface RecordingTables {
  /** A file that a relay node has written, or writes. */
  recordings: {
    id: Generated<number>
    project_id: number
    /** Null: the broadcast is unknown. */
    broadcast_id: number | null
    /** The node that stores the file. */
    node: string
    /** Permanent name of the file on the node. */
    name: string
    /** Current path, below the folder of recordings. */
    file: string
    state: 'recording' | 'processing' | 'ready' | 'failed'
    /** Reason of an end before that of the broadcast. */
    reason: string | null
    bytes: number
    /** 0: unknown. */
    duration_ms: number
    date_create: string
    /** Time when a user deleted it; the row is removed after the node has deleted the file. */
    date_delete: Generated<string | null>
    /** Name that a user gave it; null: none. */
    title: Generated<string | null>
  }
}

// Table of transcoders.

export interface TranscoderTables {
  /** A transcoder of a project. Null: as in the incoming stream. */
  transcoders: {
    id: Generated<number>
    project_id: number
    name: string
    mode: TranscoderMode
    /** 0: stopped. */
    active: 0 | 1
    video_codec: VideoCodec
    preset: Preset
    width: number | null
    height: number | null
    fps: number | null
    video_kbps: number | null
    audio_kbps: number | null
    /** 1: a quarter turn to the right, 2: to the left. */
    rotation: number | null
    b_frames: number | null
    delay_seconds: number
    date_create: string
  }
}

// Tables of ingest.

/** State of a media file. */
export type MediaState = 'new' | 'uploading' | 'uploaded' | 'preparing' | 'ready' | 'failed' | 'cancelled' | 'missing'

export interface IngestTables {
  /** Stream key and ingest settings of a project. Created at the first request. */
  stream_keys: {
    project_id: number
    /** Encrypted key, shown to editors. */
    key_sealed: string
    /** Hash by which a key finds its project. */
    key_hash: string
    /** Hash of the key before it; null: never replaced. */
    replaced_hash: Generated<string | null>
    record: 0 | 1
    wait_minutes: number
    /** The channels wait also after the encoder ended the stream itself. */
    hold: Generated<0 | 1>
    date_rotate: string
    /** File that is shown while the encoder is lost; null: its last frame. */
    lost_media_id: Generated<number | null>
    /** File that is shown in a pause; null: nothing. */
    pause_media_id: Generated<number | null>
    /** JSON of `QualityRule`; null: a main encoder that sends is on air, however poor. */
    quality: Generated<string | null>
  }
  /** Pictures and films of projects. */
  media_files: {
    id: Generated<number>
    project_id: number
    kind: Generated<MediaKind>
    /**
     * Of a film. `new`: nothing is uploaded. `uploaded`: waits for a relay node. `missing`: its file is gone. A picture is `ready`.
     */
    state: Generated<MediaState>
    /** Why it failed; null: it did not. */
    error: Generated<MediaError | null>
    name: string
    /** Of a picture: name in `files`. Of a film: name of the prepared file; empty: none. */
    file: string
    /** Picture of a film, in `files`. */
    thumbnail: Generated<string | null>
    content_type: string
    /** Of a film: bytes that count against the space of the project. */
    bytes: number
    /** Null: unknown. */
    user_id: Generated<number | null>
    width: Generated<number>
    height: Generated<number>
    duration_ms: Generated<number>
    /** Percent of the preparation. */
    done: Generated<number>
    date_create: string
    /** Time when it was deleted: it is hidden, and the row goes with its files. */
    date_delete: Generated<string | null>
  }
  /** Upload and preparation of a film, while its uploaded file exists. Times of locks are those of the database, Unix milliseconds. */
  media_uploads: {
    media_id: number
    /** Name of the upload. */
    file_id: string
    /** Bytes of the upload; null: it has not begun. */
    length: number | null
    received: Generated<number>
    /** Last request of the upload, ISO 8601. */
    date_touch: string
    /** Request that writes to the upload; null: none. */
    lock_owner: Generated<string | null>
    lock_until: Generated<number>
    /** 1: another request waits for the lock. */
    lock_wanted: Generated<0 | 1>
    /** Secret name of the preparation in progress; null: none. */
    job: Generated<string | null>
    /** Relay node that prepares it. */
    node: Generated<string | null>
    /** The preparation is lost if the node has sent nothing until then. */
    node_until: Generated<number>
    /** Preparations that have begun. */
    attempts: Generated<number>
  }
  /** Address of a project that a relay node fetches. */
  remote_sources: {
    project_id: number
    /** Scheme and host. */
    address: string
    /** Whole address, encrypted. */
    url_sealed: string
    is_on: 0 | 1
    /** Node that fetches; null: none. */
    node: string | null
    state: RemoteState
    words: string
    date_state: string
  }
  /** Key of a project with which programs read the figures of its encoder. Created at the first request. */
  stats_keys: {
    project_id: number
    key_sealed: string
    key_hash: string
    date_rotate: string
  }
  /** Keys to fetch a project's stream. */
  pull_keys: {
    id: Generated<number>
    project_id: number
    key_sealed: string
    key_hash: string
    transport: Transport
    name: string
    /** City of a pull server; empty: the best one. */
    region: string
    status: 'active' | 'inactive' | 'error'
    date_create: string
  }
  /** Relay nodes that have reported. */
  ingest_nodes: {
    id: Generated<number>
    /** Name of the node in its reports. */
    name: string
    /** The newest report without its loads, as JSON (`NodeReport`). */
    about: string
    date_create: string
    /** Time of the newest report. */
    date_report: string
  }
  /** Loads of a node at a moment, percent. Kept for a day. */
  ingest_reports: {
    node_id: number
    date_report: string
    network: number
    cpu: number
    ram: number
    /** Delivered packets, percent. */
    delivered: number
  }
}
