// Purchase of a renewal: the running plan again, for the same period. Also a try at the request of owners.
import type { LineName } from '#contract/entities/plan.ts'
import type { Currency } from '#contract/entities/project.ts'
import { type Clock, iso } from '#server/core/clock.ts'
import { AppError, RuleError } from '#server/core/errors.ts'
import type { Db } from '#server/db/open.ts'
import { sumOf } from '#server/domain/money/balance.ts'
import { findRenewal } from '#server/domain/tariffs/subscriptions-store.ts'
import { assess, type PurchaseRequest, readState } from '#server/domain/tariffs/subscriptions.ts'
import { isBought } from '#server/domain/tariffs/subscriptions-rules.ts'
import type { Slots, Sold } from '#server/domain/tariffs/subscriptions-slots.ts'
import type { Services } from '#server/core/context.ts'
import { scheduleJob } from '#server/db/jobs.ts'
import { transaction } from '#server/db/transaction.ts'
import { findRenewalOf, renewalKind, updateRenewal } from './store.ts'

/** A renewal that can be bought. Money in minor units of `currency`. */
export interface Plan {
  readonly outcome: 'plan'
  readonly request: PurchaseRequest
  readonly title: string
  readonly price: number
  /** Price of the period that ends. */
  readonly last: number
  /** Bonus and paid-in balance. The earned balance never pays for a renewal. */
  readonly spendable: number
  readonly currency: Currency
}

/** No renewal: switched off, no such period any more, or a reason by the name of its error. */
export interface NoPlan {
  readonly outcome: 'off'
  readonly reason: string
}

/** Returns the purchase of the renewal of a period, at its present price. */
export async function planOfRenewal(
  db: Db,
  clock: Clock,
  { projectId, line, end }: { readonly projectId: number; readonly line: LineName; readonly end: string },
): Promise<Plan | NoPlan> {
  if (!(await findRenewal(db, projectId, line))) return { outcome: 'off', reason: 'switched_off' }
  const state = await readState(db, clock, projectId, line)
  const { current, next }: Slots<Sold> = state.slots
  if (!isBought(current) || current.end !== end || next !== null) return { outcome: 'off', reason: 'changed' }
  const paid = current.periods.at(-1)
  const request = { projectId, line, planId: current.planId, period: paid?.period ?? 'month' } as const
  try {
    const { decision, plan, held, currency } = await assess(db, request, state)
    if (decision.action !== 'prolongate') return { outcome: 'off', reason: 'changed' }
    return {
      outcome: 'plan',
      request,
      title: plan.title,
      price: decision.total,
      last: paid ? sumOf(paid.paid) : 0,
      spendable: sumOf(held, ['bonus', 'payment']),
      currency,
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { outcome: 'off', reason: error.name }
  }
}

type Part = Pick<Services, 'db' | 'clock'>

/**
 * Has the job try the renewal of a line now, also after it has stopped. A later try keeps its time.
 * @throws RuleError `NothingToRetry` without a renewal that failed
 */
export async function retryRenewal({ db, clock }: Part, projectId: number, line: LineName): Promise<void> {
  const { slots } = await readState(db, clock, projectId, line)
  const { current }: Slots<Sold> = slots
  const end = isBought(current) ? current.end : ''
  const row = await findRenewalOf(db, { projectId, line, end })
  if (!row || row.state === 'done' || row.reason === null || !(await findRenewal(db, projectId, line)))
    throw new RuleError('NothingToRetry')
  await transaction(db, async (trx) => {
    await updateRenewal(trx, row.id, { state: 'waiting', date_next: iso(clock.now()) })
    await scheduleJob(trx, renewalKind, row.id, { skipsBackoff: true })
  })
}
