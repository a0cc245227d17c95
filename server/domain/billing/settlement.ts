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
export function settlement(booked: Booked, seen: Seen): Move[] {
  const { payment } = booked
  if (seen.status === 'success' && payment.credited_minor === 0) {
    const different = differenceOf(payment, seen)
    if (different !== null) {
      if (payment.review !== null) return []
      return [{ kind: 'review', reason: different, amountMinor: seen.amountMinor, currency: seen.currency }]
    }
    const credit = { kind: 'credit', amountMinor: seen.amountMinor, feeMinor: seen.feeMinor } as const
    return [credit, ...returnsOf(booked, seen.amountMinor, seen)]
  }
  if (payment.credited_minor > 0) return returnsOf(booked, payment.credited_minor, seen)
  if (payment.status === 'pending' && (seen.status === 'error' || seen.status === 'cancel'))
    return [{ kind: 'end', status: seen.status, reason: seen.reason }]
  return []
}

function differenceOf(payment: Booked['payment'], seen: Seen): 'amount' | 'currency' | null {
  if (seen.currency !== payment.currency) return 'currency'
  return seen.amountMinor === payment.amount_minor ? null : 'amount'
}

type ReturnMove = Extract<Move, { refund: SeenRefund } | { dispute: SeenDispute }>

function returnsOf(booked: Booked, credited: number, seen: Seen): ReturnMove[] {
  // Failed refunds first: their amounts are free again.
  const refunds = seen.refunds.toSorted((a, b) => b.returnedMinor - a.returnedMinor)
  const moves = [
    ...refunds.flatMap((refund) => refundMoves(booked.refunds, refund)),
    ...seen.disputes.flatMap((dispute) => disputeMoves(booked.disputes, dispute)),
  ]
  return seen.isCapped === true ? cappedBy(booked, credited, moves) : moves
}

/**
 * Cuts the steps so that refunds and disputes together take at most what was credited, for providers that report the same
 * money as both. What a won dispute gives back is not taken again; a dispute gives back at most what it took here.
 */
function cappedBy({ refunds, disputes }: Booked, credited: number, moves: readonly ReturnMove[]): ReturnMove[] {
  const held = new Map<string, number>()
  let left = credited
  for (const { id, takenMinor, returnedMinor } of refunds) {
    held.set(`refund ${id}`, takenMinor - returnedMinor)
    left -= takenMinor - returnedMinor
  }
  for (const { id, withdrawnMinor, reinstatedMinor } of disputes) {
    held.set(`dispute ${id}`, withdrawnMinor - reinstatedMinor)
    left -= withdrawnMinor
  }
  return moves.flatMap((move) => {
    const name = 'refund' in move ? `refund ${move.refund.id}` : `dispute ${move.dispute.id}`
    const own = held.get(name) ?? 0
    const isTaking = move.kind === 'refund' || move.kind === 'withdraw'
    const amountMinor = Math.max(0, Math.min(move.amountMinor, isTaking ? left : own))
    held.set(name, isTaking ? own + amountMinor : own - amountMinor)
    if (isTaking) left -= amountMinor
    else if (move.kind === 'refund-failed') left += amountMinor
    return amountMinor > 0 ? [{ ...move, amountMinor }] : []
  })
}

function refundMoves(booked: Booked['refunds'], refund: SeenRefund): ReturnMove[] {
  const known = booked.find(({ id }) => id === refund.id) ?? { takenMinor: 0, returnedMinor: 0 }
  const taken = refund.takenMinor - known.takenMinor
  const returned = refund.returnedMinor - known.returnedMinor
  return [
    ...(taken > 0 ? [{ kind: 'refund', refund, amountMinor: taken } as const] : []),
    ...(returned > 0 ? [{ kind: 'refund-failed', refund, amountMinor: returned } as const] : []),
  ]
}

function disputeMoves(booked: Booked['disputes'], dispute: SeenDispute): ReturnMove[] {
  const known = booked.find(({ id }) => id === dispute.id) ?? { withdrawnMinor: 0, reinstatedMinor: 0 }
  const withdrawn = dispute.withdrawnMinor - known.withdrawnMinor
  const reinstated = dispute.reinstatedMinor - known.reinstatedMinor
  return [
    ...(withdrawn > 0 ? [{ kind: 'withdraw', dispute, amountMinor: withdrawn } as const] : []),
    ...(reinstated > 0 ? [{ kind: 'reinstate', dispute, amountMinor: reinstated } as const] : []),
  ]
}
