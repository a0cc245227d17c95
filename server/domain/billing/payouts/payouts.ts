// Payouts of the earned balance. The amount leaves the balance with the request; the operator sends it or refuses it.
import { iso } from '#server/core/clock.ts'
import type { Services, User } from '#server/core/context.ts'
import { NotFoundError, RuleError, SuspendedError } from '#server/core/errors.ts'
import { derivedKey, masked, seal, tryUnseal } from '#server/core/secrets.ts'
import type { Trx } from '#server/db/open.ts'
import { projectTransaction } from '#server/db/transaction.ts'
import { refuseWhileOff } from '#server/domain/installation/installation.ts'
import { closeCase } from '#server/domain/notifications/incidents.ts'
import { notifyOfMoney } from '#server/domain/notifications/operators.ts'
import { recordHistory } from '#server/domain/projects/history.ts'
import { emptyBalance } from '#server/domain/money/balance.ts'
import { findSuspension } from '#server/domain/projects/store.ts'
import { book, lockWallet } from '#server/domain/money/ledger.ts'
import {
  countWaiting,
  findPayout,
  findPayoutByKey,
  findWay,
  insertPayout,
  lockPayout,
  type PayoutRow,
  type PayoutMethod,
  updatePayout,
} from './store.ts'

/** Payouts of a project that may wait for the operator. */
const waitingMax = 5
const perMinute = 10

/** A payout to create. Amount in minor units of the project's currency. */
export interface PayoutRequest {
  readonly projectId: number
  readonly userId: number
  readonly wayId: number
  readonly amount: number
  /** Account of the recipient. */
  readonly wallet: string
  readonly key?: string | undefined
}

/** Returns the commission of a payout, minor units: a percentage is rounded up. */
export const commissionOf = (way: Pick<PayoutMethod, 'commission' | 'commission_type'>, amount: number): number =>
  way.commission_type === 'fix' ? way.commission : Math.ceil((amount * way.commission) / 10_000)

/**
 * Creates a payout, and takes its amount from the earned balance.
 * @throws RuleError `PaymentsOff`, `PayoutWayNotFound`, `PayoutAmount`, `InsufficientBalance`, `TooManyPayouts`, `DebtOpen`,
 *   `IdempotencyKeyReused`; SuspendedError; RateLimitedError
 */
export async function createPayout(services: Services, request: PayoutRequest): Promise<void> {
  const { projectId, userId, amount, wallet: account, key } = request
  services.limits.count(`payout ${projectId}`, perMinute)
  await refuseWhileOff(services.db)
  await projectTransaction(services.db, projectId, async (trx) => {
    const wallet = await lockWallet(trx, projectId)
    if (key !== undefined && (await isRepeated(services, trx, request, key))) return
    if (await findSuspension(trx, projectId)) throw new SuspendedError()
    const way = await findWay(trx, request.wayId)
    if (!way || way.active === 0 || way.currency !== wallet.currency) {
      throw new RuleError('PayoutWayNotFound')
    }
    const commission = commissionOf(way, amount)
    refuseAmount(way, amount, commission)
    if (amount > wallet.held.profit) {
      const data = { available: wallet.held.profit, currency: wallet.currency }
      throw new RuleError('InsufficientBalance', data)
    }
    if ((await countWaiting(trx, projectId)) >= waitingMax) {
      throw new RuleError('TooManyPayouts', { max: waitingMax })
    }
    const now = iso(services.clock.now())
    const id = await insertPayout(trx, {
      project_id: projectId,
      user_id: userId,
      way_id: way.id,
      currency: wallet.currency,
      amount_minor: amount,
      commission_minor: commission,
      wallet_sealed: seal(keyOf(services), account),
      wallet_masked: masked(account),
      status: 'waiting',
      reference: null,
      reason: null,
      idempotency_key: key ?? null,
      date_create: now,
      date_end: null,
    })
    await book(trx, now, wallet, {
      type: 'payout',
      currency: way.currency,
      change: { ...emptyBalance, profit: -amount },
      details: { title: way.title },
      links: { user_id: userId, payout_id: id },
    })
    await recordHistory(services, trx, { projectId, userId, action: 'payout_created', details: { name: way.title } })
    const { currency } = way
    await notifyOfMoney(services, trx, { kind: 'operator_payout', ref: id, projectId, amount, currency })
  })
}

/**
 * Cancels a payout that waits, and returns its amount.
 * @throws NotFoundError `PayoutNotFound`; RuleError `PayoutDone`
 */
export async function cancelPayout(services: Services, user: User, projectId: number, id: number): Promise<void> {
  const found = await findPayout(services.db, id)
  if (found?.project_id !== projectId) throw new NotFoundError('PayoutNotFound')
  await endPayout(services, found, 'cancelled', { userId: user.id }, async (trx) => {
    await recordHistory(services, trx, { projectId, userId: user.id, action: 'payout_cancelled' })
  })
}

/**
 * Ends a payout that waits. `sent` keeps the money out of the balance, the others return it.
 * @param also runs in the same transaction
 * @throws RuleError `PayoutDone` when it has ended
 */
export function endPayout(
  services: Pick<Services, 'db' | 'clock'>,
  { id, project_id: projectId }: Pick<PayoutRow, 'id' | 'project_id'>,
  status: 'sent' | 'refused' | 'cancelled',
  facts: { readonly userId: number; readonly reference?: string; readonly reason?: string },
  also: (trx: Trx, before: PayoutRow) => Promise<void>,
): Promise<void> {
  return projectTransaction(services.db, projectId, async (trx) => {
    const wallet = await lockWallet(trx, projectId)
    const row = await lockPayout(trx, id)
    if (!row) throw new NotFoundError('PayoutNotFound')
    if (row.status !== 'waiting') throw new RuleError('PayoutDone', { status: row.status })
    const now = iso(services.clock.now())
    const { reference = null, reason = null } = facts
    await updatePayout(trx, id, { status, reference, reason, date_end: now })
    await closeCase(services, trx, { kind: 'operator_payout', ref: id })
    if (status !== 'sent') {
      await book(trx, now, wallet, {
        type: 'payout_cancel',
        currency: row.currency,
        change: { ...emptyBalance, profit: row.amount_minor },
        links: { user_id: facts.userId, payout_id: id },
      })
    }
    await also(trx, row)
  })
}

/** Returns the account of a recipient, for the operator; masked when `SECRET` has changed since. */
export const walletOf = (services: Pick<Services, 'config'>, { wallet_sealed, wallet_masked }: PayoutRow): string =>
  tryUnseal(keyOf(services), wallet_sealed) ?? wallet_masked

const keyOf = ({ config }: Pick<Services, 'config'>) => derivedKey(config.secret, 'payout')

function refuseAmount(way: PayoutMethod, amount: number, commission: number): void {
  if (amount >= way.min_minor && amount <= way.max_minor && amount > commission) return
  const data = { min: way.min_minor, max: way.max_minor, commission, currency: way.currency }
  throw new RuleError('PayoutAmount', data)
}

async function isRepeated(
  services: Pick<Services, 'config'>,
  trx: Trx,
  { projectId, wayId, amount, wallet }: PayoutRequest,
  key: string,
): Promise<boolean> {
  const earlier = await findPayoutByKey(trx, projectId, key)
  const isSame = earlier?.way_id === wayId && earlier.amount_minor === amount && walletOf(services, earlier) === wallet
  if (earlier && !isSame) {
    throw new RuleError('IdempotencyKeyReused')
  }
  return earlier !== undefined
}
