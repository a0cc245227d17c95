// Another plan for a project, by an operator: its consequence, and the purchase from the balance.
import type { LineName, Period } from '#contract/entities/plan.ts'
import type { Services, User } from '#server/core/context.ts'
import { NotFoundError, RuleError } from '#server/core/errors.ts'
import type { ReadDb } from '#server/db/open.ts'
import { projectTransaction } from '#server/db/transaction.ts'
import { logOperator } from '#server/domain/installation/operator-log.ts'
import { amountText } from '#server/domain/money/decimal.ts'
import { sumOf } from '#server/domain/money/balance.ts'
import { notify } from '#server/domain/notifications/notify.ts'
import { lineDetails, recordHistory } from '#server/domain/projects/history.ts'
import { type Quote, quotePurchase, readState } from '#server/domain/tariffs/subscriptions.ts'
import { buyIn } from '#server/domain/tariffs/subscriptions-change.ts'
import type { Sold } from '#server/domain/tariffs/subscriptions-slots.ts'
import { lineOf } from '#server/domain/tariffs/lines.ts'
import { findProjectOf } from './store.ts'

type Part = Pick<Services, 'db' | 'clock'>

/** A plan for a project, with its running or its smallest setting. */
export interface WantedPlan {
  readonly projectId: number
  readonly line: LineName
  readonly planId: number
  readonly period: Period
}

/** Returns what another plan would change: money, start and end. @throws NotFoundError; the errors of a purchase */
export async function getPlanChange({ db, clock }: Part, wanted: WantedPlan) {
  if (!(await findProjectOf(db, wanted.projectId))) throw new NotFoundError('ProjectNotFound')
  return consequenceOf(await quotePurchase(db, clock, wanted))
}

function consequenceOf({ decision, held, currency }: Quote) {
  const { action, price, total, start, end } = decision
  const balance = sumOf(held)
  return {
    action,
    price,
    refund: price - total,
    balance,
    balance_after: balance - total,
    currency,
    date_start: start,
    date_end: end,
  }
}

/**
 * Moves a project to another plan, paid from its balance: now, or at the end of the running plan for a lower one.
 * @throws RuleError `QuoteChanged` when the consequence is another one than the operator saw; the errors of a purchase
 */
export const changePlan = (
  { db, clock }: Part,
  user: Pick<User, 'id'>,
  {
    quotedTotal,
    reason,
    key,
    ...wanted
  }: WantedPlan & {
    readonly quotedTotal: number
    readonly reason: string
    readonly key: string | undefined
  },
): Promise<void> =>
  projectTransaction(db, wanted.projectId, async (trx) => {
    const { projectId, line, period } = wanted
    if (!(await findProjectOf(trx, projectId))) throw new NotFoundError('ProjectNotFound')
    const { slots } = await readState(trx, clock, projectId, line)
    const before = await titleOf(trx, line, slots.current)
    const bought = await buyIn(trx, clock, { ...wanted, quotedTotal, key, links: { user_id: user.id } })
    if (bought.outcome === 'repeated') return
    if (bought.outcome !== 'bought') throw new RuleError('QuoteChanged', { quote: consequenceOf(bought.quote) })
    const { plan, decision } = bought.quote
    const { action, total } = decision
    const details = { plan: plan.title, period, action, ...lineDetails(line) }
    await recordHistory({ clock }, trx, { projectId, userId: user.id, action: 'plan_bought', details })
    await logOperator(trx, clock, {
      userId: user.id,
      action: 'plan_change',
      projectId,
      before: { line, plan: before },
      after: { line, plan: plan.title, total, date_start: decision.start, date_end: decision.end },
      reason,
    })
    const amount = total === 0 ? null : amountText(Math.abs(total), bought.quote.currency)
    const [charged, returned] = total > 0 ? [amount, null] : [null, amount]
    const params = { line, plan: plan.title, date_start: decision.start, date_end: decision.end, charged, returned }
    await notify({ clock }, trx, { kind: 'plan_changed', projectId, ref: bought.transactionId, params })
  })

/** Returns the name of a plan; null for a line without one. */
async function titleOf(db: ReadDb, line: LineName, { planId }: Sold): Promise<string | null> {
  return planId === 0 ? null : (await lineOf(line).plan(db, planId)).title
}
