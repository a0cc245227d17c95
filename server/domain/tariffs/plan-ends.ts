// Handles the ends of bought terms, once each. The slots need no job (subscriptions-slots.ts); what follows from an end does:
// switching off channels that the next plan does not allow, and a notification. Safe on any number of replicas.
import { type Clock, iso } from '#server/core/clock.ts'
import type { LineName } from '#contract/entities/plan.ts'
import type { Db, Trx } from '#server/db/open.ts'
import { projectTransaction } from '#server/db/transaction.ts'
import { holdsUntil } from './allowances.ts'
import { lockWallet } from '#server/domain/money/ledger.ts'
import { readState } from './subscriptions.ts'
import { removeRenewal, listDue, updateTermRolled } from './subscriptions-store.ts'
import { isBought } from './subscriptions-rules.ts'
import type { Slots, Sold } from './subscriptions-slots.ts'

/** An ended term, and the plan that the project has since. */
export interface PlanEnd {
  readonly projectId: number
  readonly line: LineName
  readonly termId: number
  /** Plan since the end. */
  readonly planId: number
  /** The term that ended, when nothing is bought any more; null when a queued plan follows. */
  readonly expired: { readonly planId: number; readonly end: string } | null
}

/** Dependencies of `endPlans`. */
export interface PlanEndOptions {
  readonly db: Db
  readonly clock: Clock
  /** Applies what a project has in a line since the end, in the same transaction. */
  readonly fit: (trx: Trx, projectId: number, line: LineName) => Promise<void>
  /** Notified of each end after its commit; of concurrent calls one is. */
  readonly onEnd: (end: PlanEnd) => void
}

/** Ends per query. */
const batch = 200

/** Handles the terms of all projects that have ended since the last call. */
export async function endPlans(options: PlanEndOptions): Promise<void> {
  const { db, clock, onEnd } = options
  let due
  do {
    const now = clock.now()
    due = await listDue(db, iso(now), holdsUntil(now), batch)
    for (const term of due) {
      const end = await endTerm(options, term)
      if (end) onEnd(end)
    }
  } while (due.length === batch)
}

/** Locks the project's wallet, as a purchase does, so that a term is either prolonged or marked as ended. */
const endTerm = (
  { db, clock, fit }: PlanEndOptions,
  { id, projectId, line }: { id: number; projectId: number; line: LineName },
) =>
  projectTransaction(db, projectId, async (trx): Promise<PlanEnd | null> => {
    await lockWallet(trx, projectId)
    const { slots, now } = await readState(trx, clock, projectId, line)
    if (!(await updateTermRolled(trx, id, now))) return null
    await fit(trx, projectId, line)
    const { current }: Slots<Sold> = slots
    if (!isBought(current)) await removeRenewal(trx, projectId, line)
    const { before }: Slots<Sold> = slots
    const isOver = !isBought(current) && before !== null && isBought(before) && before.id === id
    const expired = isOver ? { planId: before.planId, end: before.end } : null
    return { projectId, line, termId: id, planId: current.planId, expired }
  })
