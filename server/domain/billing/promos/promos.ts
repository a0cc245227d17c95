// Promo codes: credit of the bonus balance, or a plan free of charge. A project uses a code once.
import type { LineName, Period } from '#contract/entities/plan.ts'
import type { Currency } from '#contract/entities/project.ts'
import { iso } from '#server/core/clock.ts'
import type { Call, Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { networkOf } from '#server/core/limits.ts'
import type { Db, Trx } from '#server/db/open.ts'
import { projectTransaction } from '#server/db/transaction.ts'
import { refuseWhileOff } from '#server/domain/installation/installation.ts'
import { recordHistory } from '#server/domain/projects/history.ts'
import { emptyBalance } from '#server/domain/money/balance.ts'
import type { Wanted } from '#server/domain/tariffs/catalog-rules.ts'
import { book, lockWallet } from '#server/domain/money/ledger.ts'
import { lineOf } from '#server/domain/tariffs/lines.ts'
import { getCurrency } from '#server/domain/money/store.ts'
import { buyIn } from '#server/domain/tariffs/subscriptions-change.ts'
import { findPromo, hasUsed, insertUse, listPromoAmounts, lockPromo, type PromoRow } from './store.ts'

/** Tries a minute of one user, and of all users of one network. */
const triesPerMinute = 10
const networkTriesPerMinute = 60

/** A plan that a code gives. */
export interface PromoPlan extends Wanted {
  readonly planId: number
  readonly period: Period
}

/** The caller and the project of a code. */
interface Attempt {
  readonly projectId: number
  readonly userId: number
  readonly code: string
}

/** Effect of a code for a project. Amount in minor units of `currency`; null for a plan. */
export interface PromoOffer {
  readonly row: PromoRow
  readonly currency: Currency
  readonly amount: number | null
  readonly plan: (PromoPlan & { readonly title: string }) | null
}

/**
 * Returns the effect of a code for a project.
 * @throws RuleError `PromoNotFound`, `PromoEnded`, `PromoUsed`, `PromoOtherCurrency`, `PaymentsOff`; RateLimitedError
 */
export async function checkPromo(call: Call, attempt: Attempt): Promise<PromoOffer> {
  limitTry(call, attempt.userId)
  await refuseWhileOff(call.db)
  return await offerOf(call.db, iso(call.clock.now()), attempt)
}

/**
 * Applies a code: credits the bonus balance, or gives the plan.
 * @throws RuleError as `checkPromo`, and `PromoNotNow` where the plan would replace a bought one
 */
export async function applyPromo(call: Call, attempt: Attempt): Promise<'top_up' | 'tariff'> {
  limitTry(call, attempt.userId)
  await refuseWhileOff(call.db)
  return projectTransaction(call.db, attempt.projectId, async (trx) => {
    const wallet = await lockWallet(trx, attempt.projectId)
    const now = iso(call.clock.now())
    // The lock of the wallet comes first (server/db/transaction.ts), then that of the code, whose uses are counted.
    const { id } = await getPromo(trx, attempt.code)
    await lockPromo(trx, id)
    const { row, currency, amount, plan } = await offerOf(trx, now, attempt)
    if (plan) await give(call, trx, attempt, row.type as LineName, plan)
    else
      await book(trx, now, wallet, {
        type: 'promo_topup_1',
        currency,
        change: { ...emptyBalance, bonus: amount ?? 0 },
        details: { title: row.name },
        links: { user_id: attempt.userId },
      })
    await insertUse(trx, { promo_id: id, project_id: attempt.projectId, user_id: attempt.userId, date_create: now })
    const { projectId, userId } = attempt
    await recordHistory(call, trx, { projectId, userId, action: 'promo_applied', details: { name: row.name } })
    return plan ? 'tariff' : 'top_up'
  })
}

async function give(
  services: Services,
  trx: Trx,
  { projectId, userId }: Attempt,
  line: LineName,
  { title: _, ...plan }: PromoPlan & { title: string },
) {
  const gift = `promo_create_plan_${line}_1` as const
  const { outcome } = await buyIn(trx, services.clock, { projectId, line, gift, links: { user_id: userId }, ...plan })
  if (outcome !== 'bought') {
    throw new RuleError('PromoNotNow')
  }
}

async function offerOf(db: Db | Trx, now: string, { projectId, code }: Attempt): Promise<PromoOffer> {
  const row = await getPromo(db, code)
  if (await hasUsed(db, row.id, projectId)) throw new RuleError('PromoUsed')
  const isOver = row.date_end !== null || (row.date_until !== null && row.date_until <= now)
  if (isOver || (row.uses_max !== null && row.uses >= row.uses_max)) {
    throw new RuleError('PromoEnded')
  }
  const currency = await getCurrency(db, projectId)
  if (row.type !== 'top_up') {
    const plan = JSON.parse(row.plan ?? '{}') as PromoPlan
    const { title } = await lineOf(row.type).plan(db, plan.planId)
    return { row, currency, amount: null, plan: { ...plan, title } }
  }
  const amount = (await listPromoAmounts(db, [row.id])).get(row.id)?.[currency]
  if (amount === undefined) throw new RuleError('PromoOtherCurrency')
  return { row, currency, amount, plan: null }
}

async function getPromo(db: Db | Trx, code: string): Promise<PromoRow> {
  const row = await findPromo(db, code.trim().toUpperCase())
  if (!row) throw new RuleError('PromoNotFound')
  return row
}

/** Counts every try, right or wrong: codes must not be guessed. */
function limitTry({ limits, address }: Call, userId: number): void {
  limits.countGuess(`promo ${userId}`, triesPerMinute)
  limits.countGuess(`promo ${networkOf(address)}`, networkTriesPerMinute)
}
