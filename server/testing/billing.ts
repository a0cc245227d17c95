// Test helpers for billing: an address, and projects without money.
import type { LineName } from '#contract/entities/plan.ts'
import type { Currency } from '#contract/entities/project.ts'
import type { Db } from '#server/db/open.ts'
import { updateRate } from '#server/domain/billing/profile-store.ts'
import type { World } from './test-app.ts'

/** A postal address outside Russia. */
export const someAddressOfUs = {
  street: 'Market Street',
  house_number: '1',
  zip: '94103',
  city: 'San Francisco',
  state: 'CA',
} as const

/** Sets the balance of a project, past the ledger; minor units. */
export async function setBalance(
  { app }: Pick<World, 'app'>,
  projectId: number,
  { bonus = 0, payment = 0, profit = 0 }: { bonus?: number; payment?: number; profit?: number },
): Promise<void> {
  const values = { bonus_minor: bonus, payment_minor: payment, profit_minor: profit }
  await app.db.updateTable('wallets').set(values).where('project_id', '=', projectId).execute()
}

/** Sets the exchange rate of the operator; null: none. */
export const setRate = (db: Db, kopecksPerDollar: number | null): Promise<void> =>
  updateRate(db, 'usd', 'rub', kopecksPerDollar)

/** Sets the monthly price of a plan, past the operator; minor units. */
export const setPrice = async (
  db: Db,
  line: LineName,
  planId: number,
  price: Readonly<Partial<Record<Currency, number>>>,
): Promise<void> => {
  for (const [currency, minor] of Object.entries(price))
    await db
      .updateTable('prices')
      .set({ minor })
      .where((eb) => eb.and({ line, plan_id: planId, part: 'base', currency: currency as Currency }))
      .execute()
}
