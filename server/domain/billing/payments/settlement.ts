// Settlement: which steps bring the booked state of a payment to what its provider reports. Pure. It compares levels, not
// events, so that duplicates, replays and stale or reordered reports cause no step.
import { emptyBalance } from '#server/domain/money/balance.ts'
import type { Movement, Wallet } from '#server/domain/money/ledger.ts'
import type {
  CaseReturn,
  Move,
  PaymentRow,
  ReturnMove,
  ProviderPayment,
  ProviderDispute,
  ProviderRefund,
} from '#server/domain/billing/providers/provider.ts'
import { caseOf, isLeft, returnsInCases } from './review-case.ts'

/** Booked state of a payment, minor units. */
export interface Booked {
  readonly payment: Pick<PaymentRow, 'amount_minor' | 'currency' | 'status' | 'reason' | 'review' | 'credited_minor'>
  readonly refunds: readonly Pick<ProviderRefund, 'id' | 'takenMinor' | 'returnedMinor'>[]
  readonly disputes: readonly Pick<ProviderDispute, 'id' | 'withdrawnMinor' | 'reinstatedMinor'>[]
}

/**
 * Returns the steps in the order in which they are booked.
 *
 * - A report below what is booked is stale: no step.
 * - A success after `cancel` or `error` is credited, because the money arrived.
 * - Another amount or currency is not booked: it waits for the operator. So do refunds and disputes in another currency, one
 *   case at a time; a case that is closed leaves no step. Money that the operator left is not credited by a later report.
 */
export function settlement(booked: Booked, seen: ProviderPayment): Move[] {
  const { payment } = booked
  if (seen.status === 'success' && payment.credited_minor === 0) {
    if (isLeft(payment, seen)) return []
    const different = differenceOf(payment, seen)
    if (different !== null) {
      if (payment.review !== null) return []
      return [{ kind: 'review', reason: different, amountMinor: seen.amountMinor, currency: seen.currency }]
    }
    const credit = { kind: 'credit', amountMinor: seen.amountMinor, feeMinor: seen.feeMinor } as const
    // Money that arrives ends the case that waited for it.
    return [credit, ...returnsOf({ ...booked, payment: { ...payment, review: null } }, seen.amountMinor, seen)]
  }
  if (payment.credited_minor > 0) return returnsOf(booked, payment.credited_minor, seen)
  if (payment.status === 'pending' && (seen.status === 'error' || seen.status === 'cancel'))
    return [{ kind: 'end', status: seen.status, reason: seen.reason }]
  return []
}

function differenceOf(payment: Booked['payment'], seen: ProviderPayment): 'amount' | 'currency' | null {
  if (seen.currency !== payment.currency) return 'currency'
  return seen.amountMinor === payment.amount_minor ? null : 'amount'
}

function returnsOf(booked: Booked, credited: number, seen: ProviderPayment): Move[] {
  const { payment } = booked
  const isOwn = ({ currency = payment.currency }: { readonly currency?: string }) => currency === payment.currency
  const isOther = (one: { readonly currency?: string }) => !isOwn(one)
  const cases = returnsInCases(payment)
  const seenIn = (is: typeof isOwn): ProviderPayment => ({
    ...seen,
    refunds: seen.refunds.filter(is),
    disputes: seen.disputes.filter(is),
  })
  const known = withCases(booked, cases.filter(isOwn))
  const own =
    seen.isCapped === true ? cappedReturns(known, credited, seenIn(isOwn)) : levelReturns(known, seenIn(isOwn))
  const waiting = caseOf(payment, levelReturns(withCases(booked, cases.filter(isOther)), seenIn(isOther)))
  return waiting ? [...own, waiting] : own
}

/** Adds the amounts in cases of the operator to the booked levels. */
const withCases = (booked: Booked, cases: readonly CaseReturn[]): Booked => ({
  ...booked,
  refunds: [...booked.refunds, ...cases.filter(({ kind }) => kind === 'refund')],
  disputes: [
    ...booked.disputes,
    ...cases
      .filter(({ kind }) => kind === 'dispute')
      .map((one) => ({ id: one.id, withdrawnMinor: one.takenMinor, reinstatedMinor: one.returnedMinor })),
  ],
})

const levelReturns = (booked: Booked, seen: ProviderPayment): ReturnMove[] => [
  ...seen.refunds.flatMap((refund) => refundMoves(booked.refunds, refund)),
  ...seen.disputes.flatMap((dispute) => disputeMoves(booked.disputes, dispute)),
]

/**
 * Returns the steps for providers that report the same money as a refund and as a dispute: together they take at most what was
 * credited. A failed refund and a dispute that is won take nothing more, and give back at most what they took here; the money
 * of a dispute that is won is not taken again.
 */
function cappedReturns(booked: Booked, credited: number, seen: ProviderPayment): ReturnMove[] {
  const gone = [
    ...booked.refunds.map(({ takenMinor, returnedMinor }) => takenMinor - returnedMinor),
    ...booked.disputes.map(({ withdrawnMinor }) => withdrawnMinor),
  ]
  let left = gone.reduce((rest, amount) => rest - amount, credited)
  const failed = seen.refunds.flatMap((refund): ReturnMove[] => {
    const { takenMinor, returnedMinor } = refundIn(booked.refunds, refund)
    const amountMinor = refund.returnedMinor > 0 ? takenMinor - returnedMinor : 0
    left += amountMinor
    return amountMinor > 0 ? [{ kind: 'refund-failed', refund, amountMinor }] : []
  })
  const refunds = seen.refunds.flatMap((refund): ReturnMove[] => {
    const { takenMinor, returnedMinor } = refundIn(booked.refunds, refund)
    const isOver = refund.returnedMinor > 0 || returnedMinor > 0
    const amountMinor = isOver ? 0 : Math.min(refund.takenMinor - takenMinor, left)
    if (amountMinor <= 0) return []
    left -= amountMinor
    return [{ kind: 'refund', refund, amountMinor }]
  })
  const disputes = seen.disputes.flatMap((dispute): ReturnMove[] => {
    const { withdrawnMinor, reinstatedMinor } = disputeIn(booked.disputes, dispute)
    const isOver = dispute.reinstatedMinor >= dispute.withdrawnMinor
    const taken = isOver ? 0 : Math.max(0, Math.min(dispute.withdrawnMinor - withdrawnMinor, left))
    left -= taken
    const back = Math.min(dispute.reinstatedMinor, withdrawnMinor + taken) - reinstatedMinor
    return [
      ...(taken > 0 ? [{ kind: 'withdraw', dispute, amountMinor: taken } as const] : []),
      ...(back > 0 ? [{ kind: 'reinstate', dispute, amountMinor: back } as const] : []),
    ]
  })
  return [...failed, ...refunds, ...disputes]
}

const refundIn = (booked: Booked['refunds'], { id }: ProviderRefund) => {
  const parts = booked.filter((one) => one.id === id)
  return { takenMinor: sumOf(parts, 'takenMinor'), returnedMinor: sumOf(parts, 'returnedMinor') }
}

const disputeIn = (booked: Booked['disputes'], { id }: ProviderDispute) => {
  const parts = booked.filter((one) => one.id === id)
  return { withdrawnMinor: sumOf(parts, 'withdrawnMinor'), reinstatedMinor: sumOf(parts, 'reinstatedMinor') }
}

const sumOf = <K extends string>(parts: readonly Readonly<Record<K, number>>[], field: K): number =>
  parts.reduce((sum, part) => sum + part[field], 0)

function refundMoves(booked: Booked['refunds'], refund: ProviderRefund): ReturnMove[] {
  const known = refundIn(booked, refund)
  const taken = refund.takenMinor - known.takenMinor
  const returned = refund.returnedMinor - known.returnedMinor
  return [
    ...(taken > 0 ? [{ kind: 'refund', refund, amountMinor: taken } as const] : []),
    ...(returned > 0 ? [{ kind: 'refund-failed', refund, amountMinor: returned } as const] : []),
  ]
}

function disputeMoves(booked: Booked['disputes'], dispute: ProviderDispute): ReturnMove[] {
  const known = disputeIn(booked, dispute)
  const withdrawn = dispute.withdrawnMinor - known.withdrawnMinor
  const reinstated = dispute.reinstatedMinor - known.reinstatedMinor
  return [
    ...(withdrawn > 0 ? [{ kind: 'withdraw', dispute, amountMinor: withdrawn } as const] : []),
    ...(reinstated > 0 ? [{ kind: 'reinstate', dispute, amountMinor: reinstated } as const] : []),
  ]
}

/**
 * Splits an amount that has to be taken: from the balance that it came into, then from the other one; the rest becomes a
 * debt. The bonus stays.
 */
export function debitOf(
  { held }: Pick<Wallet, 'held'>,
  amount: number,
  first: 'payment' | 'profit',
): Pick<Movement, 'change' | 'receivable'> {
  const second = first === 'payment' ? 'profit' : 'payment'
  const own = Math.min(held[first], amount)
  const other = Math.min(held[second], amount - own)
  return { change: { ...emptyBalance, [first]: 0 - own, [second]: 0 - other }, receivable: own + other - amount }
}
