// Books the difference between a payment and what its provider reports: one transaction, with the wallet and the payment
// locked.
import { iso } from '#server/core/clock.ts'
import type { Trx } from '#server/db/open.ts'
import { projectTransaction } from '#server/db/transaction.ts'
import { closeCase } from '#server/domain/notifications/incidents.ts'
import { notifyOfMoney } from '#server/domain/notifications/operators.ts'
import { recordHistory } from '#server/domain/projects/history.ts'
import { emptyBalance } from '#server/domain/money/balance.ts'
import { book, lockWallet, type Movement, type Wallet } from '#server/domain/money/ledger.ts'
import { saveMethod } from './methods.ts'
import {
  type DisputeRow,
  findPayment,
  insertDispute,
  insertRefund,
  listDisputes,
  listRefunds,
  lockPayment,
  type RefundRow,
  updateDispute,
  updatePayment,
  updateRefund,
  hasOpenRefund,
} from './store.ts'
import { enterAdvance, reopenAdvances, withParts } from './advances.ts'
import { issuePaper } from '#server/domain/billing/papers/papers.ts'
import type { Move, PaymentRow, ProviderPayment, PayServices } from '#server/domain/billing/providers/provider.ts'
import { publishPayment } from './present.ts'
import { noticeBack, noticeCredit, noticeDebt, noticeFailed, noticeReturn } from './notices.ts'
import { purchasePlan } from './purchase.ts'
import { bookable, reviewOf } from './review-case.ts'
import { openReview } from './open-review.ts'
import { arrivedIn, recordRefund } from './refund-outcome.ts'
import { type Booked, debitOf, settlement } from './settlement.ts'
import { checkDelayMs, scheduleCheck } from './schedule.ts'

/** A payment inside the transaction that settles it. */
interface Settling {
  readonly services: PayServices
  readonly trx: Trx
  readonly now: string
  readonly payment: PaymentRow
  readonly refunds: readonly RefundRow[]
  readonly disputes: readonly DisputeRow[]
  readonly seen: ProviderPayment
  wallet: Wallet
}

/** A booked step, with the wallet before and after it. */
interface BookedStep {
  readonly move: Move
  readonly before: Wallet
  readonly after: Wallet
}

/**
 * Settles a payment by a report of its provider. A report of another payment books nothing.
 * @param rules default: `settlement`; disputes by hand bring their own steps
 * @param noted runs in the transaction
 * @returns the booked steps
 */
export async function settle(
  services: PayServices,
  paymentId: number,
  seen: ProviderPayment,
  rules: typeof settlement = settlement,
  noted?: (trx: Trx) => Promise<void>,
): Promise<readonly Move[]> {
  const { db, clock } = services
  const known = await findPayment(db, paymentId)
  if (!known || known.uuid !== seen.uuid) return []
  const moves = await projectTransaction(db, known.project_id, async (trx) => {
    const wallet = await lockWallet(trx, known.project_id)
    const payment = await lockPayment(trx, paymentId)
    const [refunds, disputes] = [await listRefunds(trx, paymentId), await listDisputes(trx, paymentId)]
    const settling: Settling = { services, trx, now: iso(clock.now()), payment, refunds, disputes, seen, wallet }
    const steps = bookable(wallet, payment, rules(bookedOf(settling), seen))
    const booked: BookedStep[] = []
    for (const move of steps) {
      const before = settling.wallet
      await apply(settling, move)
      booked.push({ move, before, after: settling.wallet })
    }
    await noteReport(settling)
    await noted?.(trx)
    if (steps.some(({ kind }) => kind === 'credit')) await afterCredit(settling)
    // A refund that failed meanwhile has its credit note before the receipt of the money that came back.
    for (const refund of arrivedIn(seen, refunds)) await recordRefund(services, trx, payment, refund)
    for (const step of booked) await noticeStep(settling, step)
    for (const move of steps) await issuePaperOf(settling, move)
    return steps
  })
  if (moves.length > 0) await publishPayment(services, paymentId)
  return moves
}

/** Issues the paper of a booked step, last in the transaction: numbers are locked until it ends. */
async function issuePaperOf({ services, trx, payment }: Settling, move: Move): Promise<void> {
  if (move.kind === 'end' || move.kind === 'review') return
  const { amountMinor } = move
  const isReturn = move.kind === 'refund' || move.kind === 'withdraw'
  const source = [move.kind, payment.id, ...levelOf(move)].join(' ')
  await issuePaper(trx, services, { kind: isReturn ? 'credit_note' : 'receipt', source, payment, amountMinor })
}

/** Names the refund or dispute of a step and its level, which a later report raises. */
function levelOf(move: Move): readonly (string | number)[] {
  if ('refund' in move) return [move.refund.id, move.refund.takenMinor, move.refund.returnedMinor]
  if ('dispute' in move) return [move.dispute.id, move.dispute.withdrawnMinor, move.dispute.reinstatedMinor]
  return []
}

/** The money arrived: steps that belong to the same transaction. */
async function afterCredit({ services, trx, payment, seen }: Settling): Promise<void> {
  if (seen.method !== null && payment.save === 1) await saveMethod(services, trx, payment, seen.method)
  await purchasePlan(services, trx, await lockPayment(trx, payment.id))
}

/** Returns the booked levels. A refund that the operator requested has our key as its id until the provider reports it. */
function bookedOf({ payment, refunds, disputes, seen }: Settling): Booked {
  const idOf = (refund: RefundRow) =>
    refund.provider_id ?? seen.refunds.find(({ key }) => key === refund.uuid)?.id ?? refund.uuid
  return {
    payment,
    refunds: refunds.map((refund) => ({
      id: idOf(refund),
      takenMinor: refund.taken_minor,
      returnedMinor: refund.returned_minor,
    })),
    disputes: disputes.map((dispute) => ({
      id: dispute.provider_id,
      withdrawnMinor: dispute.withdrawn_minor,
      reinstatedMinor: dispute.reinstated_minor,
    })),
  }
}

async function apply(settling: Settling, move: Move): Promise<void> {
  const { trx, now, payment } = settling
  if (move.kind === 'end') {
    await updatePayment(trx, payment.id, { status: move.status, reason: move.reason, date_end: now })
    await closeCase(settling.services, trx, { kind: 'operator_transfer', ref: payment.id })
    if (move.status === 'error') await noticeFailed(settling.services, trx, payment)
  } else if (move.kind === 'review') {
    // A payment with a closed case waits again.
    await openReview(settling.services, trx, payment, reviewOf(move), move.returns !== undefined)
  } else if (move.kind === 'credit') {
    const { paymentChange: enteredMinor } = await giveBack(settling, move.amountMinor, `payment:${payment.uuid}`)
    await enterAdvance(trx, payment, settling.seen, { amountMinor: move.amountMinor, enteredMinor })
    await updatePayment(trx, payment.id, {
      status: 'success',
      reason: null,
      review: null,
      credited_minor: payment.credited_minor + move.amountMinor,
      fee_minor: move.feeMinor,
      date_end: now,
    })
    await note(settling, 'payment_received', move.amountMinor)
    for (const kind of ['operator_transfer', 'operator_review'] as const)
      await closeCase(settling.services, trx, { kind, ref: payment.id })
  } else if ('refund' in move) await applyRefund(settling, move)
  else await applyDispute(settling, move)
}

/** Notifies the owners of the money of a step, and of a debt that it opened. */
async function noticeStep(settling: Settling, { move, before, after }: BookedStep): Promise<void> {
  const { services, trx, payment } = settling
  if (move.kind === 'end' || move.kind === 'review') return
  const { amountMinor } = move
  const arrival = { amountMinor, before, after }
  const ref = [move.kind, ...levelOf(move)].join(' ')
  if (move.kind === 'credit') await noticeCredit(services, trx, payment.id, arrival)
  else if (move.kind === 'refund' || move.kind === 'withdraw') {
    const kind = move.kind === 'refund' ? 'payment_refunded' : 'payment_disputed'
    await noticeReturn(services, trx, { kind, payment, amountMinor, ref })
    await noticeDebt(services, trx, { before, after, ref: `${payment.id} ${ref}` })
  } else {
    const kind = move.kind === 'reinstate' ? 'payment_dispute_won' : 'payment_refund_failed'
    await noticeBack(services, trx, { kind, payment, arrival, ref })
  }
}

type RefundMove = Extract<Move, { kind: 'refund' | 'refund-failed' }>

async function applyRefund(settling: Settling, { kind, refund, amountMinor }: RefundMove): Promise<void> {
  const { trx, now, payment } = settling
  const rows = await listRefunds(trx, payment.id)
  const known = rows.find((row) => row.provider_id === refund.id || row.uuid === refund.key)
  const row =
    known ??
    (await insertRefund(trx, {
      uuid: `${payment.uuid}:${refund.id}`,
      payment_id: payment.id,
      user_id: null,
      provider_id: refund.id,
      requested_minor: refund.takenMinor,
      state: 'booked',
      date_create: now,
    }))
  if (kind === 'refund') {
    const { advances } = await takeBack(settling, amountMinor)
    const advance_parts = withParts(row.advance_parts, advances)
    await updateRefund(trx, row.id, { taken_minor: row.taken_minor + amountMinor, advance_parts })
    await note(settling, 'payment_refunded', amountMinor)
  } else {
    const advance_parts = await undoTaken(settling, row.advance_parts, amountMinor)
    const returned_minor = row.returned_minor + amountMinor
    await updateRefund(trx, row.id, { returned_minor, state: 'failed', advance_parts })
  }
}

type DisputeMove = Extract<Move, { kind: 'withdraw' | 'reinstate' }>

async function applyDispute(settling: Settling, { kind, dispute, amountMinor }: DisputeMove): Promise<void> {
  const { services, trx, now, payment } = settling
  const known = (await listDisputes(trx, payment.id)).find((row) => row.provider_id === dispute.id)
  const withdrawn = (known?.withdrawn_minor ?? 0) + (kind === 'withdraw' ? amountMinor : 0)
  const reinstated = (known?.reinstated_minor ?? 0) + (kind === 'reinstate' ? amountMinor : 0)
  const levels = { withdrawn_minor: withdrawn, reinstated_minor: reinstated, status: dispute.status, date_update: now }
  const away = known?.advance_parts ?? null
  const advance_parts =
    kind === 'withdraw'
      ? withParts(away, (await takeBack(settling, amountMinor)).advances)
      : await undoTaken(settling, away, amountMinor)
  const values = { ...levels, advance_parts }
  if (known) await updateDispute(trx, known.id, values)
  else {
    const { id: ref, project_id: projectId, currency } = payment
    await insertDispute(trx, { ...values, payment_id: ref, provider_id: dispute.id, date_create: now })
    const about = { ref: `${ref} ${dispute.id}`, projectId, amount: amountMinor, currency }
    await notifyOfMoney(services, trx, { kind: 'operator_dispute', ...about })
  }
  await note(settling, kind === 'withdraw' ? 'payment_disputed' : 'payment_dispute_won', amountMinor)
}

const giveBack = (settling: Settling, amount: number, key?: string) =>
  bookMove(settling, { type: 'payment', change: { ...emptyBalance, payment: amount }, key })

/** Reverses the amount of a refund or dispute, with its advances. @returns the advances that are not reversed yet */
async function undoTaken(settling: Settling, away: string | null, amountMinor: number): Promise<string | null> {
  const { paymentChange: enteredMinor } = await giveBack(settling, amountMinor)
  return await reopenAdvances(settling.trx, settling.payment.project_id, away, { amountMinor, enteredMinor })
}

/** Takes money from the `payment` balance, then from `profit`; the rest becomes a debt. */
const takeBack = (settling: Settling, amount: number) =>
  bookMove(settling, { type: 'payment_cancel', ...debitOf(settling.wallet, amount, 'payment') })

async function bookMove(settling: Settling, movement: Pick<Movement, 'type' | 'change' | 'receivable' | 'key'>) {
  const { trx, now, wallet, payment } = settling
  const { currency, provider } = payment
  const links = { payment_id: payment.id, ...(payment.user_id === null ? {} : { user_id: payment.user_id }) }
  const booked = await book(trx, now, wallet, { ...movement, currency, provider, links })
  settling.wallet = booked.wallet
  return booked
}

/** Records a step in the history of the project. */
async function note(
  { services, trx, payment }: Settling,
  action: `payment_${'received' | 'refunded' | 'disputed' | 'dispute_won'}`,
  amount: number,
): Promise<void> {
  const { id, currency, project_id: projectId } = payment
  const details = { amount, currency, payment_id: id }
  await recordHistory(services, trx, { projectId, userId: payment.user_id, action, details })
}

/** Stores states of refunds and disputes, and schedules a check while a refund is not decided. */
async function noteReport(settling: Settling): Promise<void> {
  const { services, trx, now, payment, seen } = settling
  const { id: paymentId } = payment
  if (payment.pay_ref !== seen.payRef && seen.payRef !== null)
    await updatePayment(trx, paymentId, { pay_ref: seen.payRef })
  await noteRefunds(trx, paymentId, seen)
  // Reconciliation may find a refund of a payment that no check is scheduled for.
  if (await hasOpenRefund(trx, paymentId)) await scheduleCheck(trx, paymentId, checkDelayMs(payment.looks))
  for (const row of await listDisputes(trx, paymentId)) {
    const { id, status = 'open' } = seen.disputes.find((one) => one.id === row.provider_id) ?? {}
    if (row.status === 'open' && status !== 'open') await updateDispute(trx, row.id, { status, date_update: now })
    if (status !== 'open') await closeCase(services, trx, { kind: 'operator_dispute', ref: `${paymentId} ${id}` })
    const wasLost = settling.disputes.some((one) => one.id === row.id && one.status === 'lost')
    if (status !== 'lost' || wasLost) continue
    const lost = { payment, amountMinor: row.withdrawn_minor - row.reinstated_minor, ref: `lost ${id}` }
    await noticeReturn(services, trx, { kind: 'payment_dispute_lost', ...lost })
  }
}

async function noteRefunds(trx: Trx, paymentId: number, seen: ProviderPayment): Promise<void> {
  const rows = await listRefunds(trx, paymentId)
  for (const { id, key, isPending } of seen.refunds) {
    const row = rows.find((one) => (one.provider_id === null ? one.uuid === key : one.provider_id === id))
    if (!row) continue
    const open = row.state === 'unclear' ? 'unclear' : 'sent'
    const state = row.state === 'failed' ? 'failed' : isPending ? open : 'booked'
    if (row.provider_id !== id || row.state !== state) await updateRefund(trx, row.id, { provider_id: id, state })
  }
}
