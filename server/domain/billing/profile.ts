// Billing details of a project, and the change of currency that a new country brings.
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { RuleError, ValidationError } from '#server/core/errors.ts'
import type { Db, Trx } from '#server/db/open.ts'
import { projectTransaction } from '#server/db/transaction.ts'
import { countryCodeOf, russia } from '#contract/entities/countries.ts'
import { currencyOfCountry } from '#contract/entities/currencies.ts'
import { recordHistory } from '#server/domain/projects/history.ts'
import { type Balance, emptyBalance } from '#server/domain/money/balance.ts'
import { book, getBalance, lockWallet } from '#server/domain/money/ledger.ts'
import { getCurrency, getDebt } from '#server/domain/money/store.ts'
import { changeCurrency, type CurrencyChange } from '#server/domain/money/currency.ts'
import {
  countOpenTerms,
  countPendingPayments,
  findRate,
  type ProfileRow,
  updateProfile,
  updateProjectCountry,
} from './profile-store.ts'

type Part = Pick<Services, 'db' | 'clock'>
/** Change of currency that is allowed. */
type AllowedChange = Exclude<CurrencyChange, { outcome: 'in-use' }>

/** Fields of an address that are required outside Russia (published `PaySettingEnBodyDto`). */
const addressFields = ['street', 'house_number', 'zip', 'city', 'state'] as const

/**
 * Returns the effect of a country on the currency and the balance of a project.
 * @throws ValidationError for an unknown country
 * @throws RuleError `CurrencyInUse` while plans, pending payments, a debt or money hold the currency
 */
export async function checkCountry({ db, clock }: Part, projectId: number, countryId: number): Promise<AllowedChange> {
  assertCountry('country_id', countryId)
  return allowedChange(db, iso(clock.now()), projectId, countryId, await getBalance(db, projectId))
}

/**
 * Sets the billing details of a project, and changes its currency if the country requires it.
 * @param userId owner of the project
 * @throws ValidationError for an unknown country, or an incomplete address outside Russia
 * @throws RuleError `CurrencyInUse`, see `checkCountry`
 */
export async function setProfile(
  { db, clock }: Part,
  userId: number,
  profile: Omit<ProfileRow, 'date_change'>,
): Promise<void> {
  const { project_id: projectId, country_id: countryId } = profile
  assertCountry('countrie_id', countryId)
  if (countryId !== russia) assertAddress(profile)
  await projectTransaction(db, projectId, async (trx) => {
    const now = iso(clock.now())
    const wallet = await lockWallet(trx, projectId)
    const change = await allowedChange(trx, now, projectId, countryId, wallet.held)
    const currency = currencyOfCountry(countryId)
    if (change.outcome === 'exchanged') {
      const links = { user_id: userId }
      const { currency: before, held } = wallet
      await book(trx, now, wallet, { type: 'conversion', currency: before, change: negative(held), links })
      const other = { projectId, currency, held: emptyBalance, debt: 0 }
      await book(trx, now, other, { type: 'conversion', currency, change: change.balance, links })
    }
    await updateProjectCountry(trx, projectId, { countryId, currency })
    await updateProfile(trx, { ...profile, date_change: now })
    const details = { country: countryCodeOf(countryId) ?? '', ...(change.outcome === 'same' ? {} : { currency }) }
    await recordHistory({ clock }, trx, { projectId, userId, action: 'billing_details_changed', details })
  })
}

async function allowedChange(
  db: Db | Trx,
  now: string,
  projectId: number,
  countryId: number,
  held: Balance,
): Promise<AllowedChange> {
  const [from, to] = [await getCurrency(db, projectId), currencyOfCountry(countryId)]
  const change = changeCurrency({
    from,
    to,
    held,
    debt: await getDebt(db, projectId),
    openTerms: await countOpenTerms(db, projectId, now),
    pendingPayments: await countPendingPayments(db, projectId),
    rate: await findRate(db, from, to),
  })
  if (change.outcome !== 'in-use') return change
  throw new RuleError('CurrencyInUse', {
    reasons: change.reasons,
  })
}

function assertCountry(property: string, countryId: number): void {
  if (countryCodeOf(countryId) === null) throw new ValidationError([{ property, text: 'isCountry' }])
}

function assertAddress(profile: Pick<ProfileRow, (typeof addressFields)[number]>): void {
  const missing = addressFields.filter((field) => profile[field] === null)
  if (missing.length > 0) throw new ValidationError(missing.map((property) => ({ property, text: 'isNotEmpty' })))
}

const negative = ({ bonus, payment, profit }: Balance): Balance => ({
  bonus: -bonus,
  payment: -payment,
  profit: -profit,
})
