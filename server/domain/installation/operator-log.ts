// Log of changes by operators.
import { type Clock, iso } from '#server/core/clock.ts'
import type { Trx } from '#server/db/open.ts'
import { insertOperatorLog } from './store.ts'

/** A change by an operator. */
export interface OperatorChange {
  /** Null: a command of the terminal. */
  readonly userId: number | null
  /** Kind of the change, for example `balance_change`. */
  readonly action: string
  readonly projectId?: number | undefined
  /** State before and after, stored as JSON. No secrets. */
  readonly before?: unknown
  readonly after?: unknown
  readonly reason: string
}

/** Logs a change in the transaction that makes it. */
export const logOperator = (trx: Trx, clock: Clock, change: OperatorChange): Promise<void> =>
  insertOperatorLog(trx, {
    user_id: change.userId,
    action: change.action,
    project_id: change.projectId ?? null,
    before: textOf(change.before),
    after: textOf(change.after),
    reason: change.reason,
    date_create: iso(clock.now()),
  })

const textOf = (state: unknown): string | null => (state === undefined ? null : JSON.stringify(state))
