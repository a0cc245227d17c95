// Money of projects: three purses each, and double-entry rows that sum to zero. Nothing is ever changed, only added.
// Every change happens in a transaction that holds the project's wallet, so that changes of one project queue up.
import { randomUUID } from 'node:crypto'
import type { Currency } from '#contract/entities/project.ts'
import type { Clock } from '#server/core/clock.ts'
import type { Db, Trx } from '#server/db/open.ts'
import { emptyPurses, plus, type Purses, purses, sumOf } from './ledger-purses.ts'
import type { Instant } from './subscriptions-periods.ts'

/** What a movement of money is for, in the words of the wire (published `money_flow` types). */
export type MoneyFlow = 'registration_bonus' | 'accrued_admin' | 'plan_restream_buy' | 'refund'

/** Where money comes from and goes to outside the purses: given by us, and earned by selling plans. */
const counterAccount: Readonly<Record<MoneyFlow, 'grants' | 'sales'>> = {
  registration_bonus: 'grants',
  accrued_admin: 'grants',
  plan_restream_buy: 'sales',
  refund: 'sales',
}

/** Given to each new project, minor units: a year of Pro, or some months of Business. */
export const registrationBonusMinor: Readonly<Record<Currency, number>> = { rub: 1_500_000, usd: 18_000 }

/** The purses of a project inside a transaction that holds them. */
export interface Wallet {
  readonly projectId: number
  readonly currency: Currency
  readonly held: Purses
}

/** A movement of money to book. */
export interface Movement {
  readonly type: MoneyFlow
  /** What each purse gains, or gives when negative. */
  readonly change: Purses
  /** Once per project; the caller looks first (`findByKey`). */
  readonly key?: string | undefined
  /** What was asked for under the key. */
  readonly request?: string
  /** What it was for, as history shows it. */
  readonly details?: { readonly title: string; readonly date_end: string }
}

/** What a project's purses hold, minor units. A project that never had money has three empty ones. */
export async function balances(db: Db | Trx, projectId: number): Promise<Purses> {
  return (await selectPurses(db, projectId).executeTakeFirst()) ?? emptyPurses
}

/** The currency that a project pays in. */
export async function currencyOf(db: Db | Trx, projectId: number): Promise<Currency> {
  const row = await db.selectFrom('projects').select('currency').where('id', '=', projectId).executeTakeFirstOrThrow()
  return row.currency
}

/** Takes hold of a project's purses until the transaction ends. */
export async function lockWallet(trx: Trx, projectId: number): Promise<Wallet> {
  await trx
    .insertInto('wallets')
    .values({ project_id: projectId, bonus_minor: 0, payment_minor: 0, profit_minor: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const held = await selectPurses(trx, projectId).forUpdate().executeTakeFirstOrThrow()
  return { projectId, currency: await currencyOf(trx, projectId), held }
}

/**
 * Books a movement: one entry a purse, and one that balances them.
 * @returns the wallet after it, and the transaction it is booked under
 * @throws when a purse would hold less than nothing, which callers rule out with `spend`
 */
export async function book(
  trx: Trx,
  now: Instant,
  wallet: Wallet,
  movement: Movement,
): Promise<{ readonly wallet: Wallet; readonly id: number }> {
  const held = plus(wallet.held, movement.change)
  if (purses.some((purse) => held[purse] < 0 || !Number.isSafeInteger(held[purse]))) {
    throw new Error(`${movement.type} would overdraw a purse of project ${wallet.projectId}`)
  }
  const { id } = await trx
    .insertInto('ledger_transactions')
    .values({
      uuid: randomUUID(),
      project_id: wallet.projectId,
      type: movement.type,
      idempotency_key: movement.key ?? null,
      request: movement.request ?? null,
      details: movement.details ? JSON.stringify(movement.details) : null,
      date_create: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const entries = entriesOf(wallet, movement)
  if (entries.length > 0) {
    const common = { transaction_id: id, project_id: wallet.projectId, currency: wallet.currency }
    await trx
      .insertInto('ledger_entries')
      .values(entries.map((entry) => ({ ...common, ...entry })))
      .execute()
  }
  await trx
    .updateTable('wallets')
    .set({ bonus_minor: held.bonus, payment_minor: held.payment, profit_minor: held.profit })
    .where('project_id', '=', wallet.projectId)
    .execute()
  return { wallet: { ...wallet, held }, id }
}

/** What was asked for under a key of this project, or null when it was never used. */
export async function findByKey(trx: Trx, projectId: number, key: string): Promise<{ request: string | null } | null> {
  const row = await trx
    .selectFrom('ledger_transactions')
    .select('request')
    .where('project_id', '=', projectId)
    .where('idempotency_key', '=', key)
    .executeTakeFirst()
  return row ?? null
}

/** Gives a new project its bonus, once. */
export async function grantRegistrationBonus(trx: Trx, clock: Clock, projectId: number): Promise<void> {
  const wallet = await lockWallet(trx, projectId)
  const key = 'registration_bonus'
  if (await findByKey(trx, projectId, key)) return
  const bonus = registrationBonusMinor[wallet.currency]
  await book(trx, clock.now().toISOString(), wallet, {
    type: 'registration_bonus',
    change: { ...emptyPurses, bonus },
    key,
  })
}

const selectPurses = (db: Db | Trx, projectId: number) =>
  db
    .selectFrom('wallets')
    .select(['bonus_minor as bonus', 'payment_minor as payment', 'profit_minor as profit'])
    .where('project_id', '=', projectId)

function entriesOf({ held }: Wallet, { type, change }: Movement) {
  const moved = purses.filter((purse) => change[purse] !== 0)
  const inPurses = moved.map((purse) => ({
    account: purse as string,
    amount_minor: change[purse],
    balance_before_minor: held[purse] as number | null,
  }))
  const against = { account: counterAccount[type], amount_minor: -sumOf(change), balance_before_minor: null }
  return against.amount_minor === 0 ? inPurses : [...inPurses, against]
}
