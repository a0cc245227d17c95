// Tables of recordings.
import type { Generated } from 'kysely'

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
  }
}
