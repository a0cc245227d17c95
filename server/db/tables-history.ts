// Table of the history of projects.
import type { Generated } from 'kysely'

export interface HistoryTables {
  project_history: {
    id: Generated<number>
    project_id: number
    user_id: number | null
    action: string
    channel_id: number | null
    /** JSON. */
    details: string | null
    date_create: string
  }
}
