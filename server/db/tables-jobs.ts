// Tables of the engine: jobs (migration 0041), versions of projects (0042), and owners (0050).
import type { Generated } from 'kysely'

export interface JobTables {
  /** One row is one piece of work: scheduling it twice is scheduling it once. Times are Unix milliseconds by the database's clock. */
  jobs: {
    kind: string
    key: string
    /** Start of the next run, or the end of the lease during a run; null: parked, waits for the operator. */
    due: number | null
    /** Start of the run after the running one; null: no schedule during the run. */
    again: Generated<number | null>
    /** The same, of a schedule that skips the backoff. */
    urgent: Generated<number | null>
    /** Fence of the running lease, random: rows are deleted, so a counter could repeat. 0: no run. */
    token: Generated<number>
    /** Runs since the last success. Raised by the lease, so that a run that ends the process counts. */
    attempts: Generated<number>
    /** Leases that expired during a run since the last success. */
    deaths: Generated<number>
    /** Failure of the last run. */
    error: Generated<string | null>
  }
  /** Keys that one holder has while it is alive. Rows stay, so that epochs only grow. `server/db/owners.ts` writes it. */
  owners: {
    kind: 'air' | 'chat' | 'telegram' | 'account'
    /** Project, source of a chat, empty, or account. */
    key: string
    /** Relay node, or a random id of the process or call; empty: released. */
    holder: string
    /** Raised with each change of the holder. Writes under an older epoch are refused. */
    epoch: number
    /** No other holder may claim the key before this time: Unix milliseconds by the database's clock. */
    until: number
  }
  /** Number of changes of what the desired state of a project depends on, counted by triggers. Project 0: of all projects. */
  project_versions: { project_id: number; version: number }
}
