// Handles the ends of bought terms, once each, by a job at the time of the end. The slots need no job (subscriptions-slots.ts);
// what follows from an end does: switching off channels that the next plan does not allow, and a notification.
import { type Clock, iso } from '#server/core/clock.ts'
import { outcomeOf } from '#server/core/jobs.ts'
import { type Outcome, scheduleJobs } from '#server/db/jobs.ts'
import type { LineName } from '#contract/entities/plan.ts'
import type { Db, Trx } from '#server/db/open.ts'
import { projectTransaction } from '#server/db/transaction.ts'
import { holdEnd } from './allowances.ts'
import { lockWallet } from '#server/domain/money/ledger.ts'
import { readState } from './subscriptions.ts'
import { findOpenTerm, listEndedTerms, planEndKind, removeRenewal, updateTermRolled } from './subscriptions-store.ts'
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

/** Dependencies of `endPlan`. */
export interface PlanEndOptions {
  readonly db: Db
  readonly clock: Clock
  /** Applies what a project has in a line since the end, in the same transaction. */
  readonly fit: (trx: Trx, projectId: number, line: LineName) => Promise<void>
}

/**
 * Handles the end of a term. A broadcast on air that began in the term delays it by at most 12 hours.
 * @returns the end, which concurrent calls return once; otherwise the outcome of a run that has nothing to handle
 */
export async function endPlan(options: PlanEndOptions, id: number): Promise<PlanEnd | Outcome> {
  const term = await findOpenTerm(options.db, id)
  if (!term) return 'done'
  const now = options.clock.now()
  const due = term.holds ? holdEnd(term.end) : term.end
  if (due > iso(now)) return outcomeOf(due, now)
  // Without an end another call has handled it, or a purchase has moved it: the next run sees which.
  return (await endTerm(options, term)) ?? { againMs: 0 }
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

/** Schedules the handling of the ended terms of a project, which no broadcast holds any more. */
export async function scheduleHeldEnds(trx: Trx, projectId: number, now: string): Promise<void> {
  const ids = await listEndedTerms(trx, now, projectId)
  await scheduleJobs(
    trx,
    ids.map((id) => ({ ...planEndKind, key: String(id) })),
  )
}
