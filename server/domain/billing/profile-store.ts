// SQL of billing details, of the operator's settings of papers, of exchange rates, and of the facts that hold a currency.
import type { Insertable, Selectable } from 'kysely'
import type { Currency } from '#contract/entities/project.ts'
import { accessTypesFor } from '#contract/entities/roles.ts'
import { countRows } from '#server/db/fragments.ts'
import { insertJobs, removeJobsOf } from '#server/db/jobs.ts'
import type { Db, Trx } from '#server/db/open.ts'
import type { ReadDb } from '#server/db/types.ts'
import type { PaperTables } from '#server/db/tables-papers.ts'
import { inverseOf, type Rate, rateOf } from '#server/domain/money/currency.ts'
import { receiptKind } from '#server/domain/money/advances-store.ts'
import { listOpenReceipts } from './receipts/store.ts'

/** Billing details of a project. */
export type ProfileRow = Selectable<PaperTables['billing_profiles']>
/** Settings of the operator for papers and 54-FZ receipts. */
export type PaperSettings = Omit<Selectable<PaperTables['paper_settings']>, 'id'>

/** Returns the billing details of a project; undefined until they are set. */
export const findProfile = (db: Db | Trx, projectId: number): Promise<ProfileRow | undefined> =>
  db.selectFrom('billing_profiles').selectAll().where('project_id', '=', projectId).executeTakeFirst()

/**
 * Returns the address for receipts by 54-FZ: that of the billing details, else of the paying user, else of an owner of the
 * project; null without one.
 */
export async function findReceiptEmail(
  db: Db,
  { project_id: projectId, user_id: userId }: { readonly project_id: number; readonly user_id: number | null },
): Promise<string | null> {
  const profile = await findProfile(db, projectId)
  if (profile) return profile.email
  const payer = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst()
  if (payer?.email) return payer.email
  const row = await db
    .selectFrom('project_members')
    .innerJoin('users', 'users.id', 'project_members.user_id')
    .select('users.email')
    .where('project_id', '=', projectId)
    .where('access_type', 'in', accessTypesFor('owner'))
    .where('users.email', 'is not', null)
    .orderBy('users.id')
    .executeTakeFirst()
  return row?.email ?? null
}

/** Inserts or replaces the billing details of a project. */
export async function updateProfile(trx: Trx, values: Insertable<PaperTables['billing_profiles']>): Promise<void> {
  await trx
    .insertInto('billing_profiles')
    .values(values)
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(values))
    .execute()
}

/** Sets country and currency of a project. The caller has locked its wallet. */
export async function updateProjectCountry(
  trx: Trx,
  projectId: number,
  { countryId, currency }: { readonly countryId: number; readonly currency: Currency },
): Promise<void> {
  await trx.updateTable('projects').set({ country_id: countryId, currency }).where('id', '=', projectId).execute()
}

/** Returns the number of plans of a project that run or are queued. */
export async function countOpenTerms(db: Db | Trx, projectId: number, now: string): Promise<number> {
  return await countRows(
    db
      .selectFrom('plan_terms')
      .where('project_id', '=', projectId)
      .where('date_cancel', 'is', null)
      .where('date_end', '>', now),
  )
}

/** Returns the number of payments, refunds and payouts of a project that are not decided. */
export async function countPendingPayments(db: Db | Trx, projectId: number): Promise<number> {
  const payments = db.selectFrom('payments').where('project_id', '=', projectId).where('status', '=', 'pending')
  const payouts = db.selectFrom('payouts').where('project_id', '=', projectId).where('status', '=', 'waiting')
  const refunds = db
    .selectFrom('payment_refunds as refund')
    .innerJoin('payments', 'payments.id', 'refund.payment_id')
    .where('payments.project_id', '=', projectId)
    .where('refund.state', 'in', ['requested', 'sent'])
  return (await countRows(payments)) + (await countRows(refunds)) + (await countRows(payouts))
}

const noSettings: PaperSettings = {
  seller_name: '',
  seller_address: '',
  seller_tax_id: '',
  tax_system: null,
  vat_code: null,
}

/** Returns the settings of the operator; empty until they are set. */
export const getPaperSettings = async (db: Db | Trx): Promise<PaperSettings> =>
  (await db.selectFrom('paper_settings').selectAll().where('id', '=', 1).executeTakeFirst()) ?? noSettings

/** Returns whether the codes of 54-FZ are set: receipts wait without them. */
export const hasCodes = ({ tax_system, vat_code }: PaperSettings): boolean => tax_system !== null && vat_code !== null

/** Replaces the settings of the operator. Open receipts are sent while the codes are set. */
export async function updatePaperSettings(trx: Db | Trx, values: PaperSettings): Promise<void> {
  await trx
    .insertInto('paper_settings')
    .values({ id: 1, ...values })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
    .execute()
  if (hasCodes(values)) await insertJobs(trx, receiptKind.kind, (await listOpenReceipts(trx)).map(String))
  else await removeJobsOf(trx, receiptKind.kind)
}

/** Returns the exchange rate from one currency to another; null: there is none. */
export async function findRate(db: ReadDb, from: Currency, to: Currency): Promise<Rate | null> {
  const rows = await db
    .selectFrom('rates')
    .selectAll()
    .where('from_currency', 'in', [from, to])
    .where('to_currency', 'in', [from, to])
    .execute()
  const [row] = rows
  if (!row) return null
  return row.from_currency === from ? rateOf(row.minor) : inverseOf(rateOf(row.minor))
}

/** Replaces the rate of a pair of currencies. @param minor minor units of `to` for a whole unit of `from`; null: none */
export async function updateRate(trx: Db | Trx, from: Currency, to: Currency, minor: number | null): Promise<void> {
  const pair = [from, to]
  await trx.deleteFrom('rates').where('from_currency', 'in', pair).where('to_currency', 'in', pair).execute()
  if (minor === null) return
  await trx.insertInto('rates').values({ from_currency: from, to_currency: to, minor }).execute()
}
