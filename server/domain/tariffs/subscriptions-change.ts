// Purchase and cancellation: one transaction each, with the project's wallet locked from the first read to the commit.
import type { Clock } from '#server/core/clock.ts'
import { RuleError } from '#server/core/errors.ts'
import type { Db, Trx } from '#server/db/open.ts'
import { projectTransaction } from '#server/db/transaction.ts'
import { book, lockWallet, type Wallet } from './ledger.ts'
import { type Balance, spend, sumOf } from './balance.ts'
import { assess, type PurchaseRequest, type Quote, readState, type State } from './subscriptions.ts'
import type { Instant } from './subscriptions-periods.ts'
import { isBought } from './subscriptions-rules.ts'
import { type BoughtTerm, type PaidPeriod, unusedOf } from './subscriptions-slots.ts'
import { cancelTerm, cutTerm, extendTerm, insertPeriod, insertTerm, moveTerm } from './subscriptions-store.ts'
import { findByKey, getPlan } from './store.ts'

/** A purchase to carry out. */
export interface BuyRequest extends PurchaseRequest {
  /** The quoted total, minor units. The purchase fails when the current total differs. */
  readonly quotedTotal?: number | undefined
  /** Idempotency key: a purchase is made once per key. */
  readonly key?: string | undefined
}

/** `bought`: bought now. `repeated`: the key has bought before, no change. `changed`: no change, see the new quote. */
export type BuyResult =
  | { readonly outcome: 'bought' | 'changed'; readonly quote: Quote }
  | { readonly outcome: 'repeated' }

/**
 * Buys a plan from the balance of the project.
 * @throws RuleError `InsufficientBalance`, and the errors of `quotePurchase`
 */
export function buy(db: Db, clock: Clock, request: BuyRequest): Promise<BuyResult> {
  return projectTransaction(db, request.projectId, async (trx) => {
    const wallet = await lockWallet(trx, request.projectId)
    if (await wasBought(trx, request)) return { outcome: 'repeated' }
    const state = await readState(trx, clock, request.projectId)
    const quote = await assess(trx, request, state)
    if (request.quotedTotal !== undefined && request.quotedTotal !== quote.decision.total) {
      return { outcome: 'changed', quote }
    }
    const { paid, transactionId } = await settle(trx, wallet, state, quote, request)
    await place(trx, state, quote, request.projectId, { paid, transactionId })
    return { outcome: 'bought', quote }
  })
}

/**
 * Cancels the queued plan and refunds it.
 * @param planId the plan that the caller expects to be queued
 */
export function cancelNext(db: Db, clock: Clock, projectId: number, planId: number): Promise<void> {
  return projectTransaction(db, projectId, async (trx) => {
    const wallet = await lockWallet(trx, projectId)
    const { slots, now } = await readState(trx, clock, projectId)
    if (!isBought(slots.next)) throw new RuleError('NoNextPlan', 'No plan is queued')
    if (slots.next.planId !== planId) {
      throw new RuleError('NextPlanDiffers', 'Another plan is queued', { plan_restream_id: slots.next.planId })
    }
    await refund(trx, { now, wallet, term: slots.next, amount: unusedOf(slots.next, now) })
    await cancelTerm(trx, slots.next.id, now)
  })
}

/** Books the money: refunds first, so that they can pay for the purchase. */
async function settle(trx: Trx, wallet: Wallet, state: State, quote: Quote, request: BuyRequest) {
  const { decision, plan, currency } = quote
  let after = wallet
  const { now, slots } = state
  const { current, next } = slots
  if (isBought(current))
    after = await refund(trx, { now, wallet: after, term: current, amount: decision.refundCurrent })
  if (isBought(next)) after = await refund(trx, { now, wallet: after, term: next, amount: decision.refundNext })
  const paid = spend(after.held, decision.price)
  if (!paid) {
    const data = { needed: decision.total, balance: sumOf(wallet.held), currency }
    throw new RuleError('InsufficientBalance', 'The balance does not cover the purchase', data)
  }
  const { id } = await book(trx, now, after, {
    type: 'plan_restream_buy',
    change: minus(paid),
    key: request.key === undefined ? undefined : ledgerKey(request.key),
    request: requestText(request),
    details: { title: plan.title, date_end: decision.end },
  })
  return { paid, transactionId: id }
}

/** Writes the terms of a decision. */
async function place(
  trx: Trx,
  { slots, now }: State,
  { decision, setting, period }: Quote,
  projectId: number,
  { paid, transactionId }: { readonly paid: Balance; readonly transactionId: number },
): Promise<void> {
  const { action, start, end, movedNext } = decision
  const bought: PaidPeriod = { period, start, end, paid }
  const { current, next } = slots
  if (action === 'prolongate' && isBought(current)) {
    await extendTerm(trx, current.id, end)
    if (movedNext) await moveTerm(trx, movedNext)
    await insertPeriod(trx, current.id, transactionId, bought)
    return
  }
  if (isBought(next)) await cancelTerm(trx, next.id, now)
  if (action === 'upgrade' && isBought(current)) await cutTerm(trx, current.id, now)
  const termId = await insertTerm(trx, projectId, setting, { created: now, start, end })
  await insertPeriod(trx, termId, transactionId, bought)
}

/** Refunds a term. A refund of zero is not booked. */
async function refund(
  trx: Trx,
  { now, wallet, term, amount }: { now: Instant; wallet: Wallet; term: BoughtTerm; amount: Balance },
): Promise<Wallet> {
  if (sumOf(amount) === 0) return wallet
  const { title } = await getPlan(trx, term.planId)
  const details = { title, date_end: term.end }
  return (await book(trx, now, wallet, { type: 'refund', change: amount, details })).wallet
}

async function wasBought(trx: Trx, request: BuyRequest): Promise<boolean> {
  if (request.key === undefined) return false
  const earlier = await findByKey(trx, request.projectId, ledgerKey(request.key))
  if (earlier && earlier.request !== requestText(request)) {
    throw new RuleError('IdempotencyKeyReused', 'This key was used for another purchase')
  }
  return earlier !== null
}

/** Prefixes the keys of callers, so that they cannot collide with keys of the service. */
const ledgerKey = (key: string) => `buy:${key}`

const requestText = ({ planId, period, channels, bitrate }: PurchaseRequest) =>
  JSON.stringify({ planId, period, channels, bitrate })

const minus = (amount: Balance): Balance => ({
  bonus: -amount.bonus,
  payment: -amount.payment,
  profit: -amount.profit,
})
