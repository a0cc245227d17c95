// Tables of what comes in (migration 0010).
import type { Generated } from 'kysely'
import type { Transport } from '#contract/entities/ingest.ts'

export interface IngestTables {
  /** The key of a project and what belongs to it. Made when it is first asked for. */
  stream_keys: {
    project_id: number
    /** For showing it to editors. */
    key_sealed: string
    /** For finding the project by it. */
    key_hash: string
    record: 0 | 1
    wait_minutes: number
    date_rotate: string
  }
  /** Keys to fetch a project's stream by. */
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
    /** What the node calls itself. */
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
    /** Packets that reached where they were sent, percent. */
    delivered: number
  }
}
