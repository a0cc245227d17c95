// Settlement: which steps bring the booked state of a payment to what its provider reports. Pure. It compares levels, not
// events, so that duplicates, replays and stale or reordered reports cause no step.
import type { Move, PaymentRow, Seen, SeenDispute, SeenRefund } from './provider.ts'

/** Booked state of a payment, minor units. */
export interface Booked {
  readonly payment: Pick<PaymentRow, 'amount_minor' | 'currency' | 'status' | 'review' | 'credited_minor'>
  readonly refunds: readonly Pick<SeenRefund, 'id' | 'takenMinor' | 'returnedMinor'>[]
  readonly disputes: readonly Pick<SeenDispute, 'id' | 'withdrawnMinor' | 'reinstatedMinor'>[]
}

/**
 * Returns the steps in the order in which they are booked.
 *
 * - A report below what is booked is stale: no step.
 * - A success after `cancel` or `error` is credited, because the money arrived.
 * - Another amount or currency is not booked: it waits for the operator.
 */
export function settlement({ payment, refunds, disputes }: Booked, seen: Seen): Move[] {
  if (seen.status === 'success' && payment.credited_minor === 0) {
    const different = differenceOf(payment, seen)
    if (different !== null) {
      if (payment.review !== null) return []
      return [{ kind: 'review', reason: different, amountMinor: seen.amountMinor, currency: seen.currency }]
    }
    const credit = { kind: 'credit', amountMinor: seen.amountMinor, feeMinor: seen.feeMinor } as const
    return [credit, ...returnsOf(refunds, disputes, seen)]
  }
  if (payment.credited_minor > 0) return returnsOf(refunds, disputes, seen)
  if (payment.status === 'pending' && (seen.status === 'error' || seen.status === 'cancel'))
    return [{ kind: 'end', status: seen.status, reason: seen.reason }]
  return []
}

function differenceOf(payment: Booked['payment'], seen: Seen): 'amount' | 'currency' | null {
  if (seen.currency !== payment.currency) return 'currency'
  return seen.amountMinor === payment.amount_minor ? null : 'amount'
}

function returnsOf(refunds: Booked['refunds'], disputes: Booked['disputes'], seen: Seen): Move[] {
  return [
    ...seen.refunds.flatMap((refund) => refundMoves(refunds, refund)),
    ...seen.disputes.flatMap((dispute) => disputeMoves(disputes, dispute)),
  ]
}

function refundMoves(booked: Booked['refunds'], refund: SeenRefund): Move[] {
  const known = booked.find(({ id }) => id === refund.id) ?? { takenMinor: 0, returnedMinor: 0 }
  const taken = refund.takenMinor - known.takenMinor
  const returned = refund.returnedMinor - known.returnedMinor
  return [
    ...(taken > 0 ? [{ kind: 'refund', refund, amountMinor: taken } as const] : []),
    ...(returned > 0 ? [{ kind: 'refund-failed', refund, amountMinor: returned } as const] : []),
  ]
}

function disputeMoves(booked: Booked['disputes'], dispute: SeenDispute): Move[] {
  const known = booked.find(({ id }) => id === dispute.id) ?? { withdrawnMinor: 0, reinstatedMinor: 0 }
  const withdrawn = dispute.withdrawnMinor - known.withdrawnMinor
  const reinstated = dispute.reinstatedMinor - known.reinstatedMinor
  return [
    ...(withdrawn > 0 ? [{ kind: 'withdraw', dispute, amountMinor: withdrawn } as const] : []),
    ...(reinstated > 0 ? [{ kind: 'reinstate', dispute, amountMinor: reinstated } as const] : []),
  ]
}
