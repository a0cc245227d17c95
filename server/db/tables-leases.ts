// Table of leases (migration 0017): the relay node that owns a project.
import type { Generated } from 'kysely'

export interface LeaseTables {
  /** One row for each project that was on air. It stays when the broadcast ends, so that epochs only grow. */
  air_leases: {
    project_id: number
    /** The owner; empty: the owner restarted without the project. */
    node: string
    /** Raised with each change of the owner. Facts of an older epoch are dropped. */
    epoch: number
    /** No other node may take the project before this time: Unix milliseconds by the database's clock. */
    until: number
    /** Ended because the owner was unreachable; continues when the owner is back under the same epoch. */
    lost_broadcast_id: Generated<number | null>
  }
}
