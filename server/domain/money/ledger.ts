// Money of projects: a balance of three types, and double-entry rows that sum to zero. Rows are only added. Each change runs
// in a transaction that locks the project's wallet, so that changes of one project are serialised. Movement types and their
// counter accounts: accounts.ts.
import { randomUUID } from 'node:crypto'
import type { Currency } from '#contract/entities/project.ts'
import type { Clock, Instant } from '#server/core/clock.ts'
import { RuleError } from '#server/core/errors.ts'
import type { ReadDb, Trx } from '#server/db/open.ts'
import { registrationBonus } from '#server/domain/installation/installation.ts'
import { takeAdvances } from './advances.ts'
import type { AdvancePart } from './advances-rules.ts'
import { type Balance, balanceTypes, emptyBalance, plus, sumOf } from './balance.ts'
import { counterAccountOf, type MoneyFlow } from './accounts.ts'
import {
  findBalance,
  findByKey,
  getCurrency,
  insertLedgerEntries,
  insertLedgerTransaction,
  lockBalance,
  updateBalance,
} from './store.ts'

/** The balance of a project inside a transaction that has locked it. */
export interface Wallet {
  readonly projectId: number
  readonly currency: Currency
  readonly held: Balance
  /** Owed after a chargeback, or a reversal of earnings, of money that was spent; minor units. */
  readonly debt: number
}

/** A movement of money to book. */
export interface Movement {
  readonly type: MoneyFlow
  /** Currency of the amounts: that of the payment, payout or price that they come from. */
  readonly currency: Currency
  /** Change of each balance type; negative when money leaves the balance. */
  readonly change: Balance
  /** Payment provider, for types whose counter account is `clearing.<provider>`. */
  readonly provider?: string | undefined
  /** Change of the account `receivable` in minor units: negative when the debt of the project grows. Default 0. */
  readonly receivable?: number | undefined
  /** Records that the movement belongs to. */
  readonly links?: MovementLinks | undefined
  /** Unique per project; the caller checks first (`findByKey`). */
  readonly key?: string | undefined
  /** Request under the key, to detect a reused key. */
  readonly request?: string
  /** Purpose, as the history of payments shows it. */
  readonly details?: { readonly title: string; readonly date_end?: string }
}

/** Records that a movement belongs to: the acting user, and rows of other tables. */
export interface MovementLinks {
  readonly user_id?: number | undefined
  readonly payment_id?: number | undefined
  readonly payout_id?: number | undefined
  readonly referral_id?: number | undefined
}

/**
 * Largest balance of one type in minor units: the product of a balance and the hours of many years stays an exact integer.
 */
export const balanceMaxMinor = 300_000_000_000

/** Returns the balance of a project in minor units. */
export const getBalance = async (db: ReadDb, projectId: number): Promise<Balance> =>
  (await findBalance(db, projectId)) ?? emptyBalance

/** Locks the wallet of a project until the transaction ends. */
export async function lockWallet(trx: Trx, projectId: number): Promise<Wallet> {
  const { held, debt } = await lockBalance(trx, projectId)
  return { projectId, currency: await getCurrency(trx, projectId), held, debt }
}

/** A movement that was booked. */
interface BookedMovement {
  readonly wallet: Wallet
  /** Id of the ledger transaction. */
  readonly id: number
  /** Change of the paid-in balance, minor units. */
  readonly paymentChange: number
  /** Parts of advances (54-FZ) that it took. */
  readonly advances: readonly AdvancePart[]
}

/**
 * Books a movement: one entry per balance type, one for a debt, and one on the counter account. Money that enters the
 * `payment` or `profit` balance pays a debt first.
 * @returns the wallet after it, and what it changed
 * @throws RuleError `CurrencyDiffers` when the amounts are in another currency than the wallet
 * @throws RuleError `BalanceTooHigh` above `balanceMaxMinor`, `DebtOpen` for a purchase or payout of a project with a debt
 * @throws when a balance would become negative; callers prevent it with `spend`
 */
export async function book(trx: Trx, now: Instant, wallet: Wallet, requested: Movement): Promise<BookedMovement> {
  refuseOtherCurrency(wallet, requested.currency)
  const movement = payingDebt(wallet, requested)
  const held = heldAfter(wallet, movement)
  const debt = wallet.debt - (movement.receivable ?? 0)
  const entries = entriesOf(wallet, movement)
  const { user_id = null, payment_id = null, payout_id = null, referral_id = null } = movement.links ?? {}
  const id = await insertLedgerTransaction(trx, {
    uuid: randomUUID(),
    project_id: wallet.projectId,
    type: movement.type,
    idempotency_key: movement.key ?? null,
    request: movement.request ?? null,
    details: movement.details ? JSON.stringify(movement.details) : null,
    date_create: now,
    user_id,
    payment_id,
    payout_id,
    referral_id,
  })
  const common = { transaction_id: id, project_id: wallet.projectId, currency: wallet.currency }
  await insertLedgerEntries(
    trx,
    entries.map((entry) => ({ ...common, ...entry })),
  )
  await updateBalance(trx, wallet.projectId, held, debt)
  const advances = await takenFrom(trx, wallet, movement, { held, id, now })
  return { wallet: { ...wallet, held, debt }, id, paymentChange: held.payment - wallet.held.payment, advances }
}

/**
 * Refuses an amount that a wallet cannot hold.
 * @throws RuleError `CurrencyDiffers` with `{currency, balance_currency}`
 */
export function refuseOtherCurrency(wallet: Pick<Wallet, 'currency'>, currency: Currency): void {
  if (currency === wallet.currency) return
  const data = { currency, balance_currency: wallet.currency }
  throw new RuleError('CurrencyDiffers', data)
}

/** Takes the advances of a booked movement; a purchase closes them. */
async function takenFrom(
  trx: Trx,
  wallet: Wallet,
  { type, provider, links }: Movement,
  { held, id, now }: { readonly held: Balance; readonly id: number; readonly now: Instant },
): Promise<readonly AdvancePart[]> {
  const amountMinor = wallet.held.payment - held.payment
  // Advances are in roubles only.
  if (amountMinor <= 0 || wallet.currency !== 'rub') return []
  return await takeAdvances(trx, {
    projectId: wallet.projectId,
    isSale: counterAccountOf(type, provider) === 'sales',
    amountMinor,
    afterMinor: held.payment,
    paymentId: type === 'payment_cancel' ? links?.payment_id : undefined,
    transactionId: id,
    now,
  })
}

/** Grants the registration bonus of the installation to a project, once. A bonus of zero is not booked. */
export async function grantRegistrationBonus(trx: Trx, clock: Clock, projectId: number): Promise<void> {
  const currency = await getCurrency(trx, projectId)
  const bonus = await registrationBonus(trx, currency)
  if (bonus === 0) return
  const wallet = await lockWallet(trx, projectId)
  const key = 'registration_bonus'
  if (await findByKey(trx, projectId, key)) return
  await book(trx, clock.now().toISOString(), wallet, {
    type: 'registration_bonus',
    currency,
    change: { ...emptyBalance, bonus },
    key,
  })
}

/** Movements that a project with a debt cannot make. */
const needNoDebt: ReadonlySet<MoneyFlow> = new Set([
  'plan_restream_buy',
  'plan_transcoding_buy',
  'plan_storage_buy',
  'payout',
  'conversion',
  'transfer',
])

/** Returns the movement with the part of its income that pays the debt on the account `receivable`. */
function payingDebt({ debt }: Wallet, movement: Movement): Movement {
  if (debt === 0) return movement
  const { type, change, receivable = 0 } = movement
  if (needNoDebt.has(type) && sumOf(change) < 0) throw new RuleError('DebtOpen', { debt })
  const payment = Math.min(debt, Math.max(0, change.payment))
  const profit = Math.min(debt - payment, Math.max(0, change.profit))
  const rest = { ...change, payment: change.payment - payment, profit: change.profit - profit }
  return { ...movement, change: rest, receivable: receivable + payment + profit }
}

function heldAfter(wallet: Wallet, { type: flow, change }: Movement): Balance {
  const held = plus(wallet.held, change)
  if (balanceTypes.some((type) => held[type] < 0 || !Number.isSafeInteger(held[type]))) {
    throw new Error(`${flow} would overdraw the balance of project ${wallet.projectId}`)
  }
  if (balanceTypes.some((type) => held[type] > balanceMaxMinor)) {
    throw new RuleError('BalanceTooHigh', { max: balanceMaxMinor })
  }
  return held
}

function entriesOf({ held, debt }: Wallet, { type: flow, change, provider, receivable = 0 }: Movement) {
  const own = balanceTypes.map((type) => ({
    account: type as string,
    amount_minor: change[type],
    balance_before_minor: held[type] as number | null,
  }))
  const others = [
    ['receivable', receivable, 0 - debt],
    [counterAccountOf(flow, provider), -sumOf(change) - receivable, null],
  ] as const
  const rest = others.map(([account, amount_minor, before]) => ({
    account,
    amount_minor,
    balance_before_minor: before,
  }))
  return [...own, ...rest].filter(({ amount_minor }) => amount_minor !== 0)
}
