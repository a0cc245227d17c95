// Money of projects: a balance of three types, and double-entry rows that sum to zero. Rows are only added. Each change runs
// in a transaction that locks the project's wallet, so that changes of one project are serialised.
import { randomUUID } from 'node:crypto'
import type { Currency } from '#contract/entities/project.ts'
import type { Clock } from '#server/core/clock.ts'
import type { Db, Trx } from '#server/db/open.ts'
import { type Balance, balanceTypes, emptyBalance, plus, sumOf } from './balance.ts'
import {
  findBalance,
  findByKey,
  getCurrency,
  insertLedgerEntries,
  insertLedgerTransaction,
  lockBalance,
  updateBalance,
} from './store.ts'
import type { Instant } from './subscriptions-periods.ts'

/** Purpose of a movement of money, by its wire name (published `money_flow` types). */
export type MoneyFlow = 'registration_bonus' | 'accrued_admin' | 'plan_restream_buy' | 'refund'

/** Counter account of each movement: bonuses that we grant, and sales of plans. */
const counterAccount: Readonly<Record<MoneyFlow, 'grants' | 'sales'>> = {
  registration_bonus: 'grants',
  accrued_admin: 'grants',
  plan_restream_buy: 'sales',
  refund: 'sales',
}

/** Bonus of each personal project in minor units: a year of Pro, or some months of Business. */
export const registrationBonusMinor: Readonly<Record<Currency, number>> = { rub: 1_500_000, usd: 18_000 }

/** The balance of a project inside a transaction that has locked it. */
export interface Wallet {
  readonly projectId: number
  readonly currency: Currency
  readonly held: Balance
}

/** A movement of money to book. */
export interface Movement {
  readonly type: MoneyFlow
  /** Change of each balance type; negative for a payment. */
  readonly change: Balance
  /** Unique per project; the caller checks first (`findByKey`). */
  readonly key?: string | undefined
  /** Request under the key, to detect a reused key. */
  readonly request?: string
  /** Purpose, as the history of payments shows it. */
  readonly details?: { readonly title: string; readonly date_end: string }
}

/** Returns the balance of a project in minor units. */
export const getBalance = async (db: Db | Trx, projectId: number): Promise<Balance> =>
  (await findBalance(db, projectId)) ?? emptyBalance

/** Locks the wallet of a project until the transaction ends. */
export async function lockWallet(trx: Trx, projectId: number): Promise<Wallet> {
  const held = await lockBalance(trx, projectId)
  return { projectId, currency: await getCurrency(trx, projectId), held }
}

/**
 * Books a movement: one entry per balance type, and one on the counter account.
 * @returns the wallet after it, and the id of the ledger transaction
 * @throws when a balance would become negative; callers prevent it with `spend`
 */
export async function book(
  trx: Trx,
  now: Instant,
  wallet: Wallet,
  movement: Movement,
): Promise<{ readonly wallet: Wallet; readonly id: number }> {
  const held = plus(wallet.held, movement.change)
  if (balanceTypes.some((type) => held[type] < 0 || !Number.isSafeInteger(held[type]))) {
    throw new Error(`${movement.type} would overdraw the balance of project ${wallet.projectId}`)
  }
  const id = await insertLedgerTransaction(trx, {
    uuid: randomUUID(),
    project_id: wallet.projectId,
    type: movement.type,
    idempotency_key: movement.key ?? null,
    request: movement.request ?? null,
    details: movement.details ? JSON.stringify(movement.details) : null,
    date_create: now,
  })
  const common = { transaction_id: id, project_id: wallet.projectId, currency: wallet.currency }
  await insertLedgerEntries(
    trx,
    entriesOf(wallet, movement).map((entry) => ({ ...common, ...entry })),
  )
  await updateBalance(trx, wallet.projectId, held)
  return { wallet: { ...wallet, held }, id }
}

/** Grants the registration bonus of a project, once. */
export async function grantRegistrationBonus(trx: Trx, clock: Clock, projectId: number): Promise<void> {
  const wallet = await lockWallet(trx, projectId)
  const key = 'registration_bonus'
  if (await findByKey(trx, projectId, key)) return
  const bonus = registrationBonusMinor[wallet.currency]
  await book(trx, clock.now().toISOString(), wallet, {
    type: 'registration_bonus',
    change: { ...emptyBalance, bonus },
    key,
  })
}

function entriesOf({ held }: Wallet, { type: flow, change }: Movement) {
  const moved = balanceTypes.filter((type) => change[type] !== 0)
  const own = moved.map((type) => ({
    account: type as string,
    amount_minor: change[type],
    balance_before_minor: held[type] as number | null,
  }))
  const against = { account: counterAccount[flow], amount_minor: -sumOf(change), balance_before_minor: null }
  return against.amount_minor === 0 ? own : [...own, against]
}
