// Promo codes: credit of the bonus balance, a plan free of charge, or a lower price of a purchase. A project uses a code once.
import { type LineName, lineNames, type Period } from '#contract/entities/plan.ts'
import type { Currency } from '#contract/entities/project.ts'
import { iso } from '#server/core/clock.ts'
import type { Call, Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { networkOf } from '#server/core/limits.ts'
import type { Db, Trx } from '#server/db/open.ts'
import { projectTransaction } from '#server/db/transaction.ts'
import { refuseWhileOff } from '#server/domain/installation/installation.ts'
import { recordHistory } from '#server/domain/projects/history.ts'
import type { promoTypes } from '#contract/entities/money.ts'
import { emptyBalance } from '#server/domain/money/balance.ts'
import type { Reduction, Titles, Wanted } from '#server/domain/tariffs/catalog-rules.ts'
import { book, lockWallet } from '#server/domain/money/ledger.ts'
import { lineOf } from '#server/domain/tariffs/lines.ts'
import { getCurrency } from '#server/domain/money/store.ts'
import { type PurchaseRequest, type Quote, quotePurchase } from '#server/domain/tariffs/subscriptions.ts'
import { buyIn, type BuyRequest, type BuyResult } from '#server/domain/tariffs/subscriptions-change.ts'
import { findPromo, hasUsed, insertUse, listPromoAmounts, lockPromo, type PromoRow } from './store.ts'

/** Tries a minute of one user, by the name under which they are counted. */
const userTries = { promo: 10, 'promo quote': 30 } as const
/** Tries a minute of all users of one network. */
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

/** Effect of a code for a project. Amount in minor units of `currency`; null for a plan and for a percentage. */
export interface PromoOffer {
  readonly row: PromoRow
  readonly currency: Currency
  readonly amount: number | null
  /** Null unless the code lowers the price of a purchase. */
  readonly reduction: Reduction | null
  readonly plan: (PromoPlan & { readonly title: string; readonly titles?: Titles }) | null
}

/**
 * Returns the effect of a code for a project.
 * @throws RuleError `PromoNotFound`, `PromoEnded`, `PromoUsed`, `PromoOtherCurrency`, `PaymentsOff`; RateLimitedError
 */
export async function checkPromo(call: Call, attempt: Attempt): Promise<PromoOffer> {
  limitTry(call, attempt.userId, 'promo')
  await refuseWhileOff(call.db)
  return await offerOf(call.db, iso(call.clock.now()), attempt)
}

/**
 * Quotes a purchase with its promo code.
 * @throws RuleError as `checkPromo`, `PromoNoReduction` for a code that lowers no price; the errors of `quotePurchase`
 */
export async function quoteWithCode(call: Call, userId: number, request: PurchaseRequest): Promise<Quote> {
  limitCode(call, userId, request)
  return await quoteReduced(call, request)
}

/** Quotes a purchase with its promo code, which is not counted as a try. @throws as `quoteWithCode` */
export async function quoteReduced(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  request: PurchaseRequest,
): Promise<Quote> {
  const { code, projectId } = request
  const reduction =
    code === undefined ? undefined : reductionOf(await offerOf(db, iso(clock.now()), { projectId, code }))
  return await quotePurchase(db, clock, { ...request, reduction })
}

/** Counts a try of the code of a purchase, if it has one. @throws RateLimitedError */
export const limitCode = (call: Call, userId: number, { code }: Pick<PurchaseRequest, 'code'>): void =>
  code === undefined ? undefined : limitTry(call, userId, 'promo quote')

/**
 * Buys a plan with its promo code, in a given transaction: the purchase uses the code. A held quote keeps a code that has
 * expired since, and none that was ended or used up.
 * @throws RuleError as `checkPromo`, `PromoNoReduction`; the errors of `buyIn`
 */
export async function buyWithCode(
  services: Pick<Services, 'clock'>,
  trx: Trx,
  request: BuyRequest,
): Promise<BuyResult> {
  const { code, projectId, asOf, links } = request
  if (code === undefined) return await buyIn(trx, services.clock, request)
  const now = iso(services.clock.now())
  let used: PromoRow | undefined
  const redeem = async () => {
    const { id } = await getPromo(trx, code)
    await lockPromo(trx, id)
    const offer = await offerOf(trx, asOf?.at ?? now, { projectId, code })
    used = offer.row
    return reductionOf(offer)
  }
  const bought = await buyIn(trx, services.clock, { ...request, redeem })
  if (bought.outcome !== 'bought' || !used) return bought
  await noteUse(services, trx, used, { projectId, userId: links?.user_id ?? null, now })
  return bought
}

/** Records that a project used a locked code. */
async function noteUse(
  services: Pick<Services, 'clock'>,
  trx: Trx,
  { id, name }: PromoRow,
  { projectId, userId, now }: { readonly projectId: number; readonly userId: number | null; readonly now: string },
): Promise<void> {
  await insertUse(trx, { promo_id: id, project_id: projectId, user_id: userId ?? 0, date_create: now })
  await recordHistory(services, trx, { projectId, userId, action: 'promo_applied', details: { name } })
}

/**
 * Applies a code: credits the bonus balance, or gives the plan.
 * @throws RuleError as `checkPromo`, `PromoNotNow` where the plan would replace a bought one, `PromoAtPurchase` for a code
 *   that lowers the price of a purchase
 */
export async function applyPromo(call: Call, attempt: Attempt): Promise<'top_up' | 'tariff'> {
  limitTry(call, attempt.userId, 'promo')
  await refuseWhileOff(call.db)
  return projectTransaction(call.db, attempt.projectId, async (trx) => {
    const wallet = await lockWallet(trx, attempt.projectId)
    const now = iso(call.clock.now())
    // The lock of the wallet comes first (server/db/transaction.ts), then that of the code, whose uses are counted.
    const { id } = await getPromo(trx, attempt.code)
    await lockPromo(trx, id)
    const { row, currency, amount, plan, reduction } = await offerOf(trx, now, attempt)
    if (reduction) throw new RuleError('PromoAtPurchase')
    if (plan && isLine(row.type)) await give(call, trx, attempt, row.type, plan)
    else
      await book(trx, now, wallet, {
        type: 'promo_topup_1',
        currency,
        change: { ...emptyBalance, bonus: amount ?? 0 },
        details: { title: row.name },
        links: { user_id: attempt.userId },
      })
    await noteUse(call, trx, row, { ...attempt, now })
    return plan ? 'tariff' : 'top_up'
  })
}

async function give(
  services: Services,
  trx: Trx,
  { projectId, userId }: Attempt,
  line: LineName,
  { title: _, titles: __, ...plan }: NonNullable<PromoOffer['plan']>,
) {
  const gift = `promo_create_plan_${line}_1` as const
  const { outcome } = await buyIn(trx, services.clock, { projectId, line, gift, links: { user_id: userId }, ...plan })
  if (outcome !== 'bought') {
    throw new RuleError('PromoNotNow')
  }
}

async function offerOf(db: Db | Trx, now: string, { projectId, code }: Omit<Attempt, 'userId'>): Promise<PromoOffer> {
  const row = await getPromo(db, code)
  if (await hasUsed(db, row.id, projectId)) throw new RuleError('PromoUsed')
  const isOver = row.date_end !== null || (row.date_until !== null && row.date_until <= now)
  if (isOver || (row.uses_max !== null && row.uses >= row.uses_max)) {
    throw new RuleError('PromoEnded')
  }
  const currency = await getCurrency(db, projectId)
  if (isLine(row.type)) {
    const plan = JSON.parse(row.plan ?? '{}') as PromoPlan
    const { title, titles = {} } = await lineOf(row.type).plan(db, plan.planId)
    return { row, currency, amount: null, reduction: null, plan: { ...plan, title, titles } }
  }
  if (row.type === 'percent')
    return { row, currency, amount: null, reduction: { percent: row.percent ?? 0 }, plan: null }
  const amount = (await listPromoAmounts(db, [row.id])).get(row.id)?.[currency]
  if (amount === undefined) throw new RuleError('PromoOtherCurrency')
  return { row, currency, amount, reduction: row.type === 'fixed' ? { minor: amount } : null, plan: null }
}

/** Returns whether a type of codes gives a plan: it is the line of the plan. */
export const isLine = (type: (typeof promoTypes)[number]): type is LineName => lineNames.some((line) => line === type)

function reductionOf({ reduction }: PromoOffer): Reduction {
  if (!reduction) throw new RuleError('PromoNoReduction')
  return reduction
}

async function getPromo(db: Db | Trx, code: string): Promise<PromoRow> {
  const row = await findPromo(db, code.trim().toUpperCase())
  if (!row) throw new RuleError('PromoNotFound')
  return row
}

/** Counts every try, right or wrong: codes must not be guessed. */
function limitTry({ limits, address }: Call, userId: number, name: keyof typeof userTries): void {
  limits.countGuess(`${name} ${userId}`, userTries[name])
  limits.countGuess(`promo ${networkOf(address)}`, networkTriesPerMinute)
}
