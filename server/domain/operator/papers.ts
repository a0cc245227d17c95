// Settings of papers that operators change: seller, exchange rate, codes of 54-FZ receipts, and taxes by country.
import { countryCodeOf } from '#contract/entities/countries.ts'
import { type Currency, currencyCodes } from '#contract/entities/currencies.ts'
import type { Services, User } from '#server/core/context.ts'
import { RuleError, ValidationError } from '#server/core/errors.ts'
import type { ReadDb } from '#server/db/types.ts'
import { transaction } from '#server/db/transaction.ts'
import { findTaxRate, removeTaxRate, upsertTaxRate } from '#server/domain/billing/papers/store.ts'
import {
  findRate,
  getPaperSettings,
  type PaperSettings,
  updatePaperSettings,
  updateRate,
} from '#server/domain/billing/profile-store.ts'
import { logOperator } from '#server/domain/installation/operator-log.ts'
import { minorOf } from '#server/domain/money/currency.ts'

type Part = Pick<Services, 'db' | 'clock'>

/** Settings that one operation changes, and the name of the change in the log. */
type Change =
  | {
      readonly action: 'seller'
      readonly values: Pick<PaperSettings, 'seller_name' | 'seller_address' | 'seller_tax_id'>
    }
  | { readonly action: 'receipts'; readonly values: Pick<PaperSettings, 'tax_system' | 'vat_code'> }

/**
 * Changes a part of the settings. Issued papers keep what they were issued with.
 * @throws ValidationError when only one of the two receipt codes is set
 */
export async function setPapers(
  { db, clock }: Part,
  user: Pick<User, 'id'>,
  { action, values }: Change,
  reason: string,
): Promise<void> {
  if (action === 'receipts' && (values.tax_system === null) !== (values.vat_code === null)) {
    const property = values.tax_system === null ? 'tax_system' : 'vat_code'
    throw new ValidationError([{ property, text: 'isPair' }])
  }
  await transaction(db, async (trx) => {
    const before = await getPaperSettings(trx)
    await updatePaperSettings(trx, { ...before, ...values })
    const known = Object.fromEntries(Object.keys(values).map((key) => [key, before[key as keyof PaperSettings]]))
    await logOperator(trx, clock, { userId: user.id, action, before: known, after: values, reason })
  })
}

/**
 * Sets the exchange rate of a pair of currencies for both directions.
 * @param minor minor units of `to` for a whole unit of `from`; null: no exchange
 * @throws RuleError `SameCurrency`
 */
export async function setRate(
  { db, clock }: Part,
  user: Pick<User, 'id'>,
  { from, to, minor }: { readonly from: Currency; readonly to: Currency; readonly minor: number | null },
  reason: string,
): Promise<void> {
  if (from === to) throw new RuleError('SameCurrency')
  await transaction(db, async (trx) => {
    const before = { from, to, minor: await getRateMinor(trx, from, to) }
    await updateRate(trx, from, to, minor)
    await logOperator(trx, clock, { userId: user.id, action: 'exchange', before, after: { from, to, minor }, reason })
  })
}

/** Returns the rate of every pair of currencies. */
export async function listRates(db: ReadDb) {
  const pairs = currencyCodes.flatMap((from, at) => currencyCodes.slice(at + 1).map((to) => ({ from, to })))
  return await Promise.all(pairs.map(async (pair) => ({ ...pair, minor: await getRateMinor(db, pair.from, pair.to) })))
}

/** Returns the minor units of `to` for a whole unit of `from`, rounded down; null: no exchange. */
async function getRateMinor(db: ReadDb, from: Currency, to: Currency): Promise<number | null> {
  const rate = await findRate(db, from, to)
  return rate && minorOf(rate)
}

/**
 * Sets the tax that prices include for buyers of a country; 0 removes it.
 * @throws ValidationError for an unknown country
 */
export async function setTax(
  { db, clock }: Part,
  user: Pick<User, 'id'>,
  {
    countryId,
    percentHundredths,
    label,
    isReversed,
  }: {
    readonly countryId: number
    readonly percentHundredths: number
    readonly label: string
    /** Buyers with a tax id account for the tax themselves. */
    readonly isReversed: boolean
  },
  reason: string,
): Promise<void> {
  if (countryCodeOf(countryId) === null) {
    throw new ValidationError([{ property: 'country_id', text: 'isCountry' }])
  }
  await transaction(db, async (trx) => {
    const before = await findTaxRate(trx, countryId)
    const reverse_charge = isReversed ? (1 as const) : (0 as const)
    const after = { country_id: countryId, percent_hundredths: percentHundredths, label, reverse_charge }
    if (percentHundredths === 0) await removeTaxRate(trx, countryId)
    else await upsertTaxRate(trx, after)
    await logOperator(trx, clock, { userId: user.id, action: 'tax', before, after, reason })
  })
}
