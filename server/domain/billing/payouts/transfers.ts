// Balance moved between two projects of one owner. Bonus stays where it was granted, so that it cannot be collected.
import { iso } from '#server/core/clock.ts'
import type { Services, User } from '#server/core/context.ts'
import { RuleError, SuspendedError } from '#server/core/errors.ts'
import type { Trx } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { refuseWhileOff } from '#server/domain/installation/installation.ts'
import { recordHistory } from '#server/domain/projects/history.ts'
import { authorizeMember } from '#server/domain/projects/access.ts'
import { findProjectName, findSuspension } from '#server/domain/projects/store.ts'
import { enterAdvances } from '#server/domain/money/advances.ts'
import { type Balance, spend } from '#server/domain/money/balance.ts'
import { book, lockWallet, refuseOtherCurrency, type Wallet } from '#server/domain/money/ledger.ts'
import { findByKey } from '#server/domain/money/store.ts'

/** A transfer; amount in minor units. */
export interface Transfer {
  readonly from: number
  readonly to: number
  readonly amount: number
  readonly key?: string | undefined
}

/**
 * Moves balance: from `payment` first, then from `profit`, each to the same type of the target.
 * @throws ForbiddenError unless the caller owns both projects; SuspendedError for the balance of a suspended project
 * @throws RuleError `PaymentsOff`, `SameProject`, `CurrencyDiffers`, `InsufficientBalance`, `DebtOpen`, `IdempotencyKeyReused`
 */
export async function moveBalance(services: Services, user: User, transfer: Transfer): Promise<void> {
  const { from, to, amount, key } = transfer
  await refuseWhileOff(services.db)
  if (from === to) throw new RuleError('SameProject')
  await transaction(services.db, async (trx) => {
    for (const id of [from, to]) await authorizeMember({ db: trx }, user, id, 'owner')
    const [source, target] = await lockBoth(trx, from, to)
    if (await findSuspension(trx, from)) throw new SuspendedError()
    const request = JSON.stringify({ to, amount })
    const ledgerKey = key === undefined ? undefined : `move:${key}`
    if (ledgerKey !== undefined && (await isRepeated(trx, from, ledgerKey, request))) return
    const { currency } = source
    refuseOtherCurrency(target, currency)
    const moved = spend({ ...source.held, bonus: 0 }, amount)
    if (!moved) {
      const data = { available: source.held.payment + source.held.profit, currency }
      throw new RuleError('InsufficientBalance', data)
    }
    const now = iso(services.clock.now())
    const [sourceName, targetName] = [await nameOf(trx, from), await nameOf(trx, to)]
    const common = { type: 'transfer', currency, links: { user_id: user.id } } as const
    const out = { ...common, change: minus(moved), details: { title: targetName }, key: ledgerKey, request }
    const { advances } = await book(trx, now, source, out)
    const entered = await book(trx, now, target, { ...common, change: moved, details: { title: sourceName } })
    await enterAdvances(trx, to, advances, entered.paymentChange)
    const entry = { userId: user.id, action: 'balance_moved' } as const
    await recordHistory(services, trx, { ...entry, projectId: from, details: { name: targetName } })
    await recordHistory(services, trx, { ...entry, projectId: to, details: { name: sourceName } })
  })
}

/** Locks both wallets in the order of their ids, so that opposite transfers do not wait for each other. */
async function lockBoth(trx: Trx, from: number, to: number): Promise<readonly [Wallet, Wallet]> {
  const first = await lockWallet(trx, Math.min(from, to))
  const second = await lockWallet(trx, Math.max(from, to))
  return from < to ? [first, second] : [second, first]
}

async function isRepeated(trx: Trx, projectId: number, key: string, request: string): Promise<boolean> {
  const earlier = await findByKey(trx, projectId, key)
  if (earlier && earlier.request !== request) {
    throw new RuleError('IdempotencyKeyReused')
  }
  return earlier !== null
}

const nameOf = async (trx: Trx, projectId: number): Promise<string> =>
  (await findProjectName(trx, projectId))?.name ?? ''

const minus = ({ payment, profit }: Balance): Balance => ({ bonus: 0, payment: -payment, profit: -profit })
