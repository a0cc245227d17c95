// Tables of the engine: jobs (migration 0041), and versions of projects (0042).
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
    /** Fence of the running lease, random: rows are deleted, so a counter could repeat. 0: no run. */
    token: Generated<number>
    /** Runs since the last success. Raised by the lease, so that a run that ends the process counts. */
    attempts: Generated<number>
    /** Leases that expired during a run since the last success. */
    deaths: Generated<number>
    /** Failure of the last run. */
    error: Generated<string | null>
  }
  /** Number of changes of what the desired state of a project depends on, counted by triggers. Project 0: of all projects. */
  project_versions: { project_id: number; version: number }
}
