// SQL of the model test of billing: purchases, renewals, promo codes, payouts and papers of a project, and their invariants.
import type { Selectable } from 'kysely'
import type { LineName } from '#contract/entities/plan.ts'
import type { Currency } from '#contract/entities/project.ts'
import type { MovableClock } from '#server/core/clock.ts'
import type { Db } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import { transaction } from '#server/db/transaction.ts'
import { balanceTypes, emptyBalance, spend } from '#server/domain/money/balance.ts'
import { book, lockWallet } from '#server/domain/money/ledger.ts'
import type { MoneyFlow } from '#server/domain/money/accounts.ts'
import type { Amounts, Model } from './model-state.ts'
import { accountsOf } from './model-store.ts'

type Transaction = Selectable<Tables['ledger_transactions']>
/** Selects ledger transactions. */
export type Movements = (moved: Transaction) => boolean

/** An amount that the model counts once, minor units. */
interface Counted {
  readonly source: string
  readonly amount: number
  readonly currency: Currency
}

/** Returns the payments of a project with a saved method. */
export const listCharges = (db: Db, projectId: number) =>
  db
    .selectFrom('payments')
    .select(['id', 'uuid'])
    .where('project_id', '=', projectId)
    .where('method_id', 'is not', null)
    .orderBy('id')
    .execute()

/** Returns the quotes of the plans that payments bought. */
export async function listBoughtByPayment(db: Db, projectId: number): Promise<Counted[]> {
  const rows = await listPlanned(db, projectId)
  return rows
    .filter(({ purchase }) => outcomeOf(purchase) === 'bought')
    .map(({ uuid, quote_total, currency }) => ({ source: `payment ${uuid}`, amount: quote_total ?? 0, currency }))
}

/** Returns what the renewals of a project bought. */
export async function listRenewed(db: Db, projectId: number): Promise<Counted[]> {
  const rows = await db
    .selectFrom('plan_periods as paid')
    .innerJoin('ledger_transactions as moved', 'moved.id', 'paid.transaction_id')
    .innerJoin('ledger_entries as sold', 'sold.transaction_id', 'moved.id')
    .where('sold.account', '=', 'sales')
    .select([
      'sold.currency',
      'moved.idempotency_key as key',
      'paid.bonus_minor',
      'paid.payment_minor',
      'paid.profit_minor',
    ])
    .where('moved.project_id', '=', projectId)
    .where('moved.idempotency_key', 'like', 'buy:renewal %')
    .execute()
  return rows.map((row) => ({ source: String(row.key), amount: paidOf(row), currency: row.currency }))
}

/** Returns what the queued plan of a line cost, minor units; null: none is queued. */
export async function queuedPrice(db: Db, projectId: number, line: LineName, now: string): Promise<number | null> {
  const rows = await db
    .selectFrom('plan_periods as paid')
    .innerJoin('plan_terms as term', 'term.id', 'paid.term_id')
    .select(['paid.bonus_minor', 'paid.payment_minor', 'paid.profit_minor'])
    .where('term.project_id', '=', projectId)
    .where('term.line', '=', line)
    .where('term.date_start', '>', now)
    .where('term.date_cancel', 'is', null)
    .execute()
  return rows.length === 0 ? null : sum(rows.map(paidOf))
}

/** @returns descriptions of the broken rules I6, I9, I10 and I12 */
export async function brokenSales(
  db: Db,
  projectId: number,
  model: Pick<Model, 'sales' | 'promos' | 'payouts'>,
): Promise<string[]> {
  const accounts = await accountsOf(db, projectId)
  const planned = await listPlanned(db, projectId)
  const moved = await db.selectFrom('ledger_transactions').selectAll().where('project_id', '=', projectId).execute()
  const keys = new Set(moved.map(({ idempotency_key }) => idempotency_key))
  const differs = (rule: string, account: string, amounts: Amounts, sign: 1 | -1) =>
    currencies
      .map((currency) => ({
        currency,
        found: accounts[`${account} ${currency}`] ?? 0,
        expected: sign * amounts[currency],
      }))
      .filter(({ found, expected }) => found - expected !== 0)
      .map(({ currency, found, expected }) => `${rule}: ${account} has ${found} ${currency} instead of ${expected}`)
  return [
    ...differs('I9', 'sales', model.sales, 1),
    ...differs('I12', 'promos', model.promos, -1),
    ...differs('I2', 'payouts', model.payouts, 1),
    ...planned
      .filter(({ uuid, purchase }) => (outcomeOf(purchase) === 'bought') !== keys.has(`buy:payment:${uuid}`))
      .map(({ id, purchase }) => `I6: payment ${id} says ${purchase}, the ledger another thing`),
    ...(await brokenRenewals(db, projectId)),
    ...(await brokenPromos(db, projectId)),
  ]
}

async function brokenRenewals(db: Db, projectId: number): Promise<string[]> {
  const tries = await db
    .selectFrom('renewal_tries as tried')
    .innerJoin('renewals as renewal', 'renewal.id', 'tried.renewal_id')
    .innerJoin('payments as payment', 'payment.id', 'tried.payment_id')
    .select(['renewal.id', 'renewal.date_end', 'payment.credited_minor', 'payment.date_create'])
    .where('renewal.project_id', '=', projectId)
    .execute()
  const charged = tries.filter(({ credited_minor }) => credited_minor > 0).map(({ id }) => id)
  return [
    ...(new Set(charged).size === charged.length ? [] : ['I10: a renewal charged twice']),
    ...tries
      .filter(({ date_create, date_end }) => date_create >= date_end)
      .map(({ id }) => `I10: renewal ${id} charged after the end`),
  ]
}

async function brokenPromos(db: Db, projectId: number): Promise<string[]> {
  const uses = await db.selectFrom('promo_uses').select('promo_id').where('project_id', '=', projectId).execute()
  const codes = await db.selectFrom('promo_codes').select(['id', 'uses', 'uses_max']).execute()
  return [
    ...(new Set(uses.map(({ promo_id }) => promo_id)).size === uses.length ? [] : ['I12: a code was used twice']),
    ...codes
      .filter(({ uses: used, uses_max }) => used > (uses_max ?? used))
      .map(({ id }) => `I12: code ${id} was used too often`),
  ]
}

/** Papers before a run: the last id, and the last number of each series. */
export interface PapersBefore {
  readonly id: number
  readonly numbers: Readonly<Record<string, number>>
}

/** Returns the papers so far. */
export async function papersBefore(db: Db): Promise<PapersBefore> {
  const rows = await db.selectFrom('paper_series').selectAll().execute()
  const { id } = await db
    .selectFrom('papers')
    .select((eb) => eb.fn.max('id').as('id'))
    .executeTakeFirstOrThrow()
  return { id: id ?? 0, numbers: Object.fromEntries(rows.map(({ series, last_number }) => [series, last_number])) }
}

/**
 * Checks the papers of a run.
 * @param known content of the papers so far, which grows
 * @returns descriptions of the broken rule I13
 */
export async function brokenPapers(db: Db, before: PapersBefore, known: Map<number, string>): Promise<string[]> {
  const rows = await db.selectFrom('papers').selectAll().where('id', '>', before.id).orderBy('number').execute()
  const ids = new Set(rows.map(({ id }) => id))
  const broken = [
    ...[...known.keys()].filter((id) => !ids.has(id)).map((id) => `I13: paper ${id} was removed`),
    ...rows
      .filter(({ id, content }) => (known.get(id) ?? content) !== content)
      .map(({ id }) => `I13: paper ${id} changed`),
    ...[...new Set(rows.map(({ series }) => series))].flatMap((series) => {
      const first = before.numbers[series] ?? 0
      const numbers = rows.filter((row) => row.series === series).map(({ number }) => number)
      return numbers.every((number, at) => number === first + at + 1)
        ? []
        : [`I13: ${series} has the numbers ${numbers.join()}`]
    }),
  ]
  for (const { id, content } of rows) known.set(id, content)
  return broken
}

/** Returns the end of the running plans whose renewal is on, earliest first. @param line default: all lines */
export async function renewalEnds(db: Db, projectId: number, now: string, line?: LineName): Promise<string[]> {
  const rows = await db
    .selectFrom('plan_renewals as wanted')
    .innerJoin('plan_terms as term', (join) =>
      join.onRef('term.project_id', '=', 'wanted.project_id').onRef('term.line', '=', 'wanted.line'),
    )
    .select(['term.date_end', 'term.line'])
    .where('wanted.project_id', '=', projectId)
    .where('term.date_cancel', 'is', null)
    .where('term.date_end', '>', now)
    .orderBy('term.date_end')
    .execute()
  return rows.filter((row) => line === undefined || row.line === line).map(({ date_end }) => date_end)
}

/** Ends the renewals of earlier runs, which take no part in the next one. */
export async function forgetRenewals(db: Db): Promise<void> {
  await db.deleteFrom('plan_renewals').execute()
  await db.updateTable('renewals').set({ state: 'stopped' }).where('state', '=', 'waiting').execute()
}

/**
 * Books one of the chosen movements of a project a second time, as a faulty service would.
 * @returns whether there was one that the balance allows
 */
export async function bookTwice(db: Db, clock: MovableClock, projectId: number, which: Movements): Promise<boolean> {
  const moved = await db.selectFrom('ledger_transactions').selectAll().where('project_id', '=', projectId).execute()
  const one = moved.find(which)
  if (!one) return false
  const entries = await db.selectFrom('ledger_entries').selectAll().where('transaction_id', '=', one.id).execute()
  const total = sum(entries.filter((entry) => purses.has(entry.account)).map((row) => row.amount_minor))
  return await transaction(db, async (trx) => {
    const wallet = await lockWallet(trx, projectId)
    const taken = total < 0 ? spend(wallet.held, 0 - total) : emptyBalance
    if (!taken || wallet.debt > 0 || total === 0) return false
    const { bonus, payment, profit } = taken
    const change =
      total < 0 ? { bonus: 0 - bonus, payment: 0 - payment, profit: 0 - profit } : { ...emptyBalance, bonus: total }
    const { currency } = wallet
    await book(trx, clock.now().toISOString(), wallet, { type: one.type as MoneyFlow, currency, change })
    return true
  })
}

const currencies = ['usd', 'rub'] as const
const purses: ReadonlySet<string> = new Set(balanceTypes)

const listPlanned = (db: Db, projectId: number) =>
  db
    .selectFrom('payments')
    .select(['id', 'uuid', 'purchase', 'quote_total', 'currency'])
    .where('project_id', '=', projectId)
    .where('plan', 'is not', null)
    .execute()

const outcomeOf = (purchase: string | null): string | null =>
  purchase === null ? null : (JSON.parse(purchase) as { outcome: string }).outcome

type Paid = Readonly<Record<'bonus_minor' | 'payment_minor' | 'profit_minor', number>>
const paidOf = ({ bonus_minor, payment_minor, profit_minor }: Paid): number =>
  bonus_minor + payment_minor + profit_minor
const sum = (amounts: readonly number[]): number => amounts.reduce((total, one) => total + one, 0)
