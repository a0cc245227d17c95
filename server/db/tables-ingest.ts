// Tables of ingest.
import type { Generated } from 'kysely'
import type { Transport } from '#contract/entities/ingest.ts'

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
