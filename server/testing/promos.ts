// Test helpers for promo codes, payouts and referrals: rows that the operator would make.
import { byCurrency } from '#contract/entities/currencies.ts'
import type { Db } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { insertPromo, type PromoAmounts, type PromoRow } from '#server/domain/billing/promos/store.ts'
import { insertWay, type PayoutMethod } from '#server/domain/billing/payouts/store.ts'

const date_create = '2026-01-01T00:00:00.000Z'

/** Inserts a promo code that credits 5 of every currency, unless changed. */
export const newPromo = (
  db: Db,
  code: string,
  { amounts = byCurrency(() => 500), ...change }: Partial<PromoRow> & { readonly amounts?: PromoAmounts } = {},
): Promise<PromoRow> => {
  const values = { code, name: `Code ${code}`, type: 'top_up', plan: null, percent: null, date_create } as const
  const open = { uses_max: null, date_until: null, date_end: null }
  return transaction(db, (trx) => insertPromo(trx, { ...values, ...open, ...change }, amounts))
}

/** Inserts a way to pay out dollars: 2.5 percent, from 10 to 1,000, unless changed. @returns its id */
export const newWay = (db: Db, change: Partial<PayoutMethod> = {}): Promise<number> =>
  transaction(db, (trx) =>
    insertWay(trx, {
      title: 'Bank card',
      description: 'Within 3 days',
      currency: 'usd',
      commission: 250,
      commission_type: 'percent',
      min_minor: 1000,
      max_minor: 100_000,
      active: 1,
      ...change,
    }),
  )
