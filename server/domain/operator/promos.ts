// Promo codes, made and ended by operators.
import { currencyFields } from '#contract/entities/currencies.ts'
import type { PromoType } from '#contract/entities/money.ts'
import { iso } from '#server/core/clock.ts'
import type { Services, User } from '#server/core/context.ts'
import { NotFoundError, RuleError } from '#server/core/errors.ts'
import { isDuplicate, transaction } from '#server/db/transaction.ts'
import { isLine, type PromoPlan } from '#server/domain/billing/promos/promos.ts'
import { insertPromo, type PromoAmounts, updatePromoEnd } from '#server/domain/billing/promos/store.ts'
import { logOperator } from '#server/domain/installation/operator-log.ts'
import { lockPlan } from '#server/domain/tariffs/store.ts'

/** A code to create. Amounts in minor units. */
export interface NewPromo {
  readonly code: string
  readonly name: string
  readonly type: PromoType
  /** Credit, or amount off a price, by currency. */
  readonly amounts: PromoAmounts
  /** Percent off a price. */
  readonly percent: number | null
  readonly plan: PromoPlan | null
  readonly usesMax: number | null
  readonly until: string | null
}

/**
 * Creates a promo code.
 * @throws RuleError `PromoCodeInvalid` for other characters than letters, digits, `-` and `_`; `PromoExists`, `PromoIncomplete` without the amount, the percentage, or the id and period of the plan that the type needs
 */
export async function createPromo(services: Services, user: User, promo: NewPromo, reason: string): Promise<void> {
  const { type, plan } = promo
  if (!/^[A-Za-z0-9_-]+$/.test(promo.code)) {
    throw new RuleError('PromoCodeInvalid')
  }
  const hasAmounts = type === 'top_up' || type === 'fixed'
  const percent = type === 'percent' ? promo.percent : null
  const isComplete = {
    percent: percent !== null,
    amounts: Object.keys(promo.amounts).length > 0,
    plan: plan !== null,
  }
  if (!isComplete[hasAmounts ? 'amounts' : isLine(type) ? 'plan' : 'percent']) throw new RuleError('PromoIncomplete')
  const values = {
    code: promo.code.toUpperCase(),
    name: promo.name,
    type,
    plan: isLine(type) ? JSON.stringify(plan) : null,
    percent,
    uses_max: promo.usesMax,
    date_until: promo.until === null ? null : iso(new Date(promo.until)),
    date_end: null,
    date_create: iso(services.clock.now()),
  }
  const amounts = hasAmounts ? promo.amounts : {}
  const after = { ...values, ...currencyFields('amount', (currency) => amounts[currency] ?? null) }
  try {
    await transaction(services.db, async (trx) => {
      if (isLine(type) && plan && !(await lockPlan(trx, type, plan.planId))) throw new NotFoundError('PlanNotFound')
      await insertPromo(trx, values, amounts)
      await logOperator(trx, services.clock, { userId: user.id, action: 'promo_created', after, reason })
    })
  } catch (error) {
    if (isDuplicate(error)) throw new RuleError('PromoExists')
    throw error
  }
}

/** Ends a code. What it gave stays. @throws NotFoundError `PromoNotFound` when it does not exist or has ended */
export const endPromo = ({ db, clock }: Services, user: User, id: number, reason: string): Promise<void> =>
  transaction(db, async (trx) => {
    const row = await updatePromoEnd(trx, id, iso(clock.now()))
    if (!row) throw new NotFoundError('PromoNotFound_ended')
    await logOperator(trx, clock, { userId: user.id, action: 'promo_ended', before: { code: row.code }, reason })
  })
