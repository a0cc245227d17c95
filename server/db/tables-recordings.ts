// Tables of recordings (migrations 0014, 0015).
import type { Generated } from 'kysely'

export interface RecordingTables {
  /** A file that a relay node has written, or is writing. */
  recordings: {
    id: Generated<number>
    project_id: number
    /** Null: it belongs to none that is known. */
    broadcast_id: number | null
    /** On whose disk it lies. */
    node: string
    /** What the node calls it for good. */
    name: string
    /** Where it is now, below the folder of recordings. */
    file: string
    state: 'recording' | 'processing' | 'ready' | 'failed'
    /** Why it ended before the broadcast did. */
    reason: string | null
    bytes: number
    /** 0: not known. */
    duration_ms: number
    date_create: string
    /** Somebody deleted it; the node takes the file away, and then the row goes. */
    date_delete: Generated<string | null>
  }
}
