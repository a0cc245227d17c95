// Purchases, cancellations and renewal switches of any line over HTTP, with their history.
import type { HistoryChange } from '#contract/entities/history.ts'
import type { LineName } from '#contract/entities/plan.ts'
import type { Context } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import type { Db, Trx } from '#server/db/open.ts'
import { projectTransaction } from '#server/db/transaction.ts'
import { refuseWhileOff } from '#server/domain/installation/installation.ts'
import { lineDetails, recordHistory } from '#server/domain/projects/history.ts'
import { buyWithCode, limitCode } from '#server/domain/billing/promos/promos.ts'
import { setRenewal, type BuyRequest, cancelNext } from '#server/domain/tariffs/subscriptions-change.ts'
import { getPeriodTerms } from '#server/domain/tariffs/store.ts'
import type { Quote } from '#server/domain/tariffs/subscriptions.ts'

type Owner = Context<'owner'>
const done = { success: true }

/**
 * Buys a plan from the balance.
 * @param present the quote as the operation `check` shows it, for a price that has changed
 * @throws RuleError `QuoteChanged`, and the errors of `buyWithCode`
 */
export async function buyPlan(ctx: Owner, request: BuyRequest, present: (quote: Quote) => object) {
  limitCode(ctx, ctx.user.id, request)
  const result = await projectTransaction(ctx.db, request.projectId, async (trx) => {
    const bought = await buyWithCode(ctx, trx, { ...request, links: { user_id: ctx.user.id } })
    if (bought.outcome !== 'bought') return bought
    const { plan, decision } = bought.quote
    const about = { plan: plan.title, period: request.period, action: decision.action, ...lineDetails(request.line) }
    await note(ctx, trx, { action: 'plan_bought', details: about })
    return bought
  })
  if (result.outcome === 'changed') {
    const data = { quote: present(result.quote) }
    throw new RuleError('QuoteChanged', data)
  }
  return done
}

/** Returns the discounts of a line, percent. @throws RuleError `PaymentsOff` while plans do not apply */
export async function discountsOf(db: Db, line: LineName) {
  await refuseWhileOff(db)
  return { ...(await getPeriodTerms(db, line)) }
}

/** Cancels the queued plan of a line. @param planId the plan that the caller expects to be queued */
export async function cancelPlan(ctx: Owner, line: LineName, planId: number | undefined) {
  const projectId = ctx.project.id
  await projectTransaction(ctx.db, projectId, async (trx) => {
    const { title } = await cancelNext(trx, ctx.clock, { projectId, line, planId, userId: ctx.user.id })
    await note(ctx, trx, { action: 'plan_cancelled', details: { plan: title, ...lineDetails(line) } })
  })
  return done
}

/** Switches the automatic renewal of a line. */
export async function switchRenewal(ctx: Owner, line: LineName, isOn: boolean) {
  const projectId = ctx.project.id
  await projectTransaction(ctx.db, projectId, async (trx) => {
    await setRenewal(trx, ctx.clock, { projectId, line, isOn })
    await note(ctx, trx, { action: isOn ? 'plan_renewal_on' : 'plan_renewal_off', details: { line } })
  })
  return done
}

const note = (ctx: Owner, trx: Trx, change: HistoryChange): Promise<void> =>
  recordHistory(ctx, trx, { projectId: ctx.project.id, userId: ctx.user.id, ...change })
