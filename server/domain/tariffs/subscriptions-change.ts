// Purchase, cancellation and switch of renewal of plans: one transaction each, with the project's wallet locked from the first read to the commit.
import type { LineName } from '#contract/entities/plan.ts'
import type { Clock, Instant } from '#server/core/clock.ts'
import { NotFoundError, RuleError } from '#server/core/errors.ts'
import { scheduleJob } from '#server/db/jobs.ts'
import type { Db, Trx } from '#server/db/open.ts'
import { projectTransaction } from '#server/db/transaction.ts'
import { type Balance, type BalanceType, emptyBalance, spend, sumOf } from '#server/domain/money/balance.ts'
import { book, lockWallet, type MovementLinks, type Wallet } from '#server/domain/money/ledger.ts'
import type { MoneyFlow } from '#server/domain/money/accounts.ts'
import type { Reduction } from './catalog-rules.ts'
import type { LinePlan } from './line.ts'
import { lineOf } from './lines.ts'
import { findByKey } from '#server/domain/money/store.ts'
import { lockPlan } from './store.ts'
import { assess, type PurchaseRequest, type Quote, readState, type State } from './subscriptions.ts'
import { isBought } from './subscriptions-rules.ts'
import { type BoughtTerm, type PaidPeriod, type Slots, type Sold, type Term, unusedOf } from './subscriptions-slots.ts'
import {
  insertPeriod,
  insertTerm,
  updateTermDates,
  updateTerm,
  insertRenewal,
  removeRenewal,
  planEndKind,
} from './subscriptions-store.ts'

/** A purchase to carry out. */
export interface BuyRequest extends PurchaseRequest {
  /** The quoted total, minor units. The purchase fails when the current total differs. */
  readonly quotedTotal?: number | undefined
  /** A quote that is still valid: the purchase is priced as of its moment, and fails when the mark differs. */
  readonly asOf?: Pick<Quote, 'at' | 'mark'> | undefined
  /** Idempotency key: a purchase is made once per key. */
  readonly key?: string | undefined
  /** Balance types that pay; default: all. */
  readonly from?: readonly BalanceType[] | undefined
  /** Locks the code of the purchase, and returns what it takes off the price. Runs once the key is known to be new. */
  readonly redeem?: ((trx: Trx) => Promise<Reduction>) | undefined
  /** Movement of a plan that is given free of charge. It begins or prolongs, and never replaces a bought plan. */
  readonly gift?: MoneyFlow | undefined
  /** Acting user and payment, as the history of payments shows them. */
  readonly links?: MovementLinks | undefined
}

/**
 * `bought`: bought now. `repeated`: the key has bought before, no change. `changed`: no change, see the new quote.
 * `replaces`: no change, the gift would replace a bought plan.
 */
export type BuyResult =
  | { readonly outcome: 'bought'; readonly quote: Quote; readonly transactionId: number; readonly termId: number }
  | { readonly outcome: 'changed' | 'replaces'; readonly quote: Quote }
  | { readonly outcome: 'repeated' }

/** Buys a plan from the balance of the project, in a transaction of its own. See `buyIn`. */
export const buy = (db: Db | Trx, clock: Clock, request: BuyRequest): Promise<BuyResult> =>
  projectTransaction(db, request.projectId, (trx) => buyIn(trx, clock, request))

/**
 * Buys a plan from the balance of the project, in a given transaction. Locks the wallet.
 * @throws RuleError `InsufficientBalance`, and the errors of `quotePurchase`
 */
export async function buyIn(trx: Trx, clock: Clock, request: BuyRequest): Promise<BuyResult> {
  const { projectId, line, gift } = request
  const wallet = await lockWallet(trx, projectId)
  if (await wasBought(trx, request)) return { outcome: 'repeated' }
  const state = stateOf(await readState(trx, clock, projectId, line), request)
  const reduction = await request.redeem?.(trx)
  const quote = await assess(trx, { ...request, reduction, inAnyPeriod: Boolean(gift ?? request.asOf) }, state)
  const { decision, mark } = quote
  const isChanged = request.quotedTotal !== undefined && request.quotedTotal !== decision.total
  if (isChanged || (request.asOf && request.asOf.mark !== mark)) return { outcome: 'changed', quote }
  if (gift && decision.action !== 'new' && decision.action !== 'prolongate') return { outcome: 'replaces', quote }
  const settled = await settle(trx, wallet, state, quote, request)
  const termId = await place(trx, state, quote, request, settled)
  return { outcome: 'bought', quote, transactionId: settled.transactionId, termId }
}

/** Returns the state that a purchase is priced in. A first plan begins now also when its quote is older. */
const stateOf = <A extends Sold>(state: State<A>, { asOf }: BuyRequest): State<A> =>
  asOf && asOf.at < state.now && isBought(state.slots.current) ? { ...state, now: asOf.at } : state

/**
 * Cancels the queued plan of a line and refunds it.
 * @param planId the plan that the caller expects to be queued; undefined: any
 * @param userId acting user
 * @returns the cancelled plan
 */
export function cancelNext(
  db: Db | Trx,
  clock: Clock,
  {
    projectId,
    line,
    planId,
    userId,
  }: {
    readonly projectId: number
    readonly line: LineName
    readonly planId?: number | undefined
    readonly userId?: number | undefined
  },
): Promise<LinePlan> {
  return projectTransaction(db, projectId, async (trx) => {
    const wallet = await lockWallet(trx, projectId)
    const { slots, now } = await readState(trx, clock, projectId, line)
    const next: Term<Sold> | null = slots.next
    if (!isBought(next)) throw new RuleError('NoNextPlan')
    const { planKey, plan } = lineOf(line)
    if (planId !== undefined && next.planId !== planId) {
      throw new RuleError('NextPlanDiffers', { [planKey]: next.planId })
    }
    await refund(trx, line, { now, wallet, term: next, amount: unusedOf(next, now), links: { user_id: userId } })
    await updateTerm(trx, next.id, { date_cancel: now })
    return await plan(trx, next.planId)
  })
}

/**
 * Ends the running plan of a line now, in a given transaction, and refunds it and the queued one to the balance. The job of
 * plan ends applies what follows. @returns whether a plan was running
 */
export async function endPlanIn(trx: Trx, clock: Clock, projectId: number, line: LineName): Promise<boolean> {
  let wallet = await lockWallet(trx, projectId)
  const { slots, now } = await readState(trx, clock, projectId, line)
  const { current, next }: Slots<Sold> = slots
  if (!isBought(current)) return false
  wallet = await refund(trx, line, { now, wallet, term: current, amount: unusedOf(current, now) })
  if (isBought(next)) {
    await refund(trx, line, { now, wallet, term: next, amount: unusedOf(next, now) })
    await updateTerm(trx, next.id, { date_cancel: now })
  }
  await updateTerm(trx, current.id, { date_end: now })
  await scheduleJob(trx, planEndKind, current.id)
  return true
}

/** Books the money: refunds first, so that they can pay for the purchase. */
async function settle(trx: Trx, wallet: Wallet, state: State, quote: Quote, request: BuyRequest) {
  const { decision, plan, currency } = quote
  const { line, gift, links } = request
  const { now, slots } = state
  const { current, next } = slots
  let after = wallet
  if (isBought(current))
    after = await refund(trx, line, { now, wallet: after, term: current, amount: decision.refundCurrent, links })
  if (isBought(next))
    after = await refund(trx, line, { now, wallet: after, term: next, amount: decision.refundNext, links })
  const paid = gift ? emptyBalance : spend(after.held, decision.price, request.from)
  if (!paid) {
    const data = { needed: decision.total, balance: sumOf(wallet.held, request.from), currency }
    throw new RuleError('InsufficientBalance', data)
  }
  const { id } = await book(trx, now, after, {
    type: gift ?? lineOf(line).buys,
    currency,
    change: minus(paid),
    key: request.key === undefined ? undefined : ledgerKey(request.key),
    request: requestText(request),
    details: { title: plan.title, date_end: decision.end },
    links,
  })
  return { paid, transactionId: id }
}

/** Writes the terms of a decision. @returns the term that the period belongs to */
async function place(
  trx: Trx,
  { slots, now }: State,
  { decision, setting, period }: Quote,
  of: BuyRequest,
  { paid, transactionId }: { readonly paid: Balance; readonly transactionId: number },
): Promise<number> {
  const { action, start, end, movedNext } = decision
  const bought: PaidPeriod = { period, start, end, paid }
  const { current, next } = slots
  if (action === 'prolongate' && isBought(current)) {
    await updateTerm(trx, current.id, { date_end: end })
    if (movedNext) await updateTermDates(trx, movedNext)
    await insertPeriod(trx, current.id, transactionId, bought)
    return current.id
  }
  if (isBought(next)) await updateTerm(trx, next.id, { date_cancel: now })
  if (action === 'upgrade' && isBought(current)) await updateTerm(trx, current.id, { date_end: now, date_rolled: now })
  // The plan may have been removed since it was quoted.
  if (!(await lockPlan(trx, of.line, setting.planId))) throw new NotFoundError('PlanNotFound')
  const termId = await insertTerm(trx, of, setting, { created: now, start, end })
  await insertPeriod(trx, termId, transactionId, bought)
  return termId
}

/** A term and the part of its price that returns to the balance. */
interface Refund {
  readonly now: Instant
  readonly wallet: Wallet
  readonly term: BoughtTerm<Sold>
  readonly amount: Balance
  readonly links?: MovementLinks | undefined
}

/** Refunds a term. A refund of zero is not booked. */
async function refund(trx: Trx, line: LineName, { now, wallet, term, amount, links }: Refund): Promise<Wallet> {
  if (sumOf(amount) === 0) return wallet
  const { title } = await lineOf(line).plan(trx, term.planId)
  const details = { title, date_end: term.end }
  // A project with an open term keeps its currency, so the term was paid in that of the wallet.
  const { currency } = wallet
  return (await book(trx, now, wallet, { type: 'refund', currency, change: amount, details, links })).wallet
}

async function wasBought(trx: Trx, request: BuyRequest): Promise<boolean> {
  if (request.key === undefined) return false
  const earlier = await findByKey(trx, request.projectId, ledgerKey(request.key))
  if (earlier && earlier.request !== requestText(request)) {
    throw new RuleError('IdempotencyKeyReused')
  }
  return earlier !== null
}

/** Prefixes the keys of callers, so that they cannot collide with keys of the service. */
const ledgerKey = (key: string) => `buy:${key}`

/** Text of a request. That of restream has no line, because earlier releases stored it so. */
const requestText = ({ line, planId, period, channels, bitrate, count, size, code }: PurchaseRequest) =>
  JSON.stringify({ planId, period, channels, bitrate, count, size, code, line: line === 'restream' ? undefined : line })

const minus = (amount: Balance): Balance => ({
  bonus: -amount.bonus,
  payment: -amount.payment,
  profit: -amount.profit,
})

/**
 * Switches the automatic renewal of a line. It goes off by itself when the line has no bought plan any more.
 * @throws RuleError `NothingToRenew` when no plan is bought
 */
export async function setRenewal(
  trx: Trx,
  clock: Clock,
  { projectId, line, isOn }: { readonly projectId: number; readonly line: LineName; readonly isOn: boolean },
): Promise<void> {
  await lockWallet(trx, projectId)
  if (!isOn) return await removeRenewal(trx, projectId, line)
  const { slots, now } = await readState(trx, clock, projectId, line)
  const { current }: Slots<Sold> = slots
  if (!isBought(current)) throw new RuleError('NothingToRenew')
  await insertRenewal(trx, projectId, line, now)
}
