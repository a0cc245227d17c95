// Properties of settlement: any order and repetition of reports books the same, and a stale report books nothing.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Move, ProviderPayment } from '#server/domain/billing/providers/provider.ts'
import { reviewOf } from './review-case.ts'
import { type Booked, settlement } from './settlement.ts'
import { reportOf } from '#server/testing/pay/report.ts'

const amountMinor = 5_000
const fresh: Booked = {
  payment: {
    amount_minor: amountMinor,
    currency: 'usd',
    status: 'pending',
    reason: null,
    review: null,
    credited_minor: 0,
  },
  refunds: [],
  disputes: [],
}
const report = reportOf({ status: 'pending', amountMinor })

/** Applies moves as the database does. */
function applied(booked: Booked, moves: readonly Move[]): Booked {
  return moves.reduce((state: Booked, move): Booked => {
    if (move.kind === 'credit')
      return {
        ...state,
        payment: { ...state.payment, status: 'success', credited_minor: move.amountMinor, review: null },
      }
    if (move.kind === 'end') return { ...state, payment: { ...state.payment, status: move.status } }
    if (move.kind === 'review')
      return { ...state, payment: { ...state.payment, reason: null, review: JSON.stringify(reviewOf(move)) } }
    if ('refund' in move) {
      const known = state.refunds.find(({ id }) => id === move.refund.id)
      const next = known ?? { id: move.refund.id, takenMinor: 0, returnedMinor: 0 }
      const field = move.kind === 'refund' ? 'takenMinor' : 'returnedMinor'
      const others = state.refunds.filter((one) => one !== known)
      return { ...state, refunds: [...others, { ...next, [field]: next[field] + move.amountMinor }] }
    }
    const known = state.disputes.find(({ id }) => id === move.dispute.id)
    const next = known ?? { id: move.dispute.id, withdrawnMinor: 0, reinstatedMinor: 0 }
    const field = move.kind === 'withdraw' ? 'withdrawnMinor' : 'reinstatedMinor'
    const others = state.disputes.filter((one) => one !== known)
    return { ...state, disputes: [...others, { ...next, [field]: next[field] + move.amountMinor }] }
  }, booked)
}

const balanceOf = ({ payment, refunds, disputes }: Booked) => ({
  credited: payment.credited_minor,
  refunds: refunds.map(({ id, takenMinor, returnedMinor }) => `${id} ${takenMinor - returnedMinor}`).toSorted(),
  disputes: disputes.map(({ id, withdrawnMinor: out, reinstatedMinor: back }) => `${id} ${out - back}`).toSorted(),
})

/** Steps of a payment at its provider; each adds to the state. */
const step = fc.oneof(
  fc.record({ kind: fc.constant('pay' as const) }),
  fc.record({ kind: fc.constantFrom('refund' as const, 'fail' as const), id: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ kind: fc.constantFrom('dispute' as const, 'win' as const), id: fc.integer({ min: 1, max: 2 }) }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** Returns the report after a step. */
function after(seen: ProviderPayment, one: Step): ProviderPayment {
  if (one.kind === 'pay') return { ...seen, status: 'success' }
  if (seen.status !== 'success') return seen
  const id = String(one.id)
  if (one.kind === 'refund' || one.kind === 'fail') {
    const known = seen.refunds.find((refund) => refund.id === id)
    if ((one.kind === 'fail') === (known === undefined)) return seen
    const refund = { id, key: null, takenMinor: 700, returnedMinor: one.kind === 'fail' ? 700 : 0 }
    return { ...seen, refunds: [...seen.refunds.filter((other) => other.id !== id), refund] }
  }
  const known = seen.disputes.find((dispute) => dispute.id === id)
  if ((one.kind === 'win') === (known === undefined)) return seen
  const status = one.kind === 'win' ? 'won' : 'open'
  const dispute = { id, withdrawnMinor: 900, reinstatedMinor: one.kind === 'win' ? 900 : 0, status } as const
  return { ...seen, disputes: [...seen.disputes.filter((other) => other.id !== id), dispute] }
}

const reports = fc
  .array(step, { maxLength: 12 })
  .map((steps) => steps.reduce<ProviderPayment[]>((all, one) => [...all, after(all.at(-1) ?? report, one)], [report]))

test('I4, I5: books the same for any order and repetition of reports, once the last one was seen', () => {
  fc.assert(
    fc.property(
      reports.chain((all) => fc.tuple(fc.constant(all), fc.array(fc.nat({ max: all.length - 1 }), { maxLength: 20 }))),
      ([all, order]) => {
        const last = all.at(-1) ?? report
        const direct = applied(fresh, settlement(fresh, last))
        const checked = [...order.flatMap((at) => all[at] ?? []), last, last]
        const wild = checked.reduce((booked, seen) => applied(booked, settlement(booked, seen)), fresh)
        expect(balanceOf(wild).credited).toBe(balanceOf(direct).credited)
        const moved = (state: Booked) =>
          Object.values(balanceOf(state))
            .flat()
            .filter((entry) => !String(entry).endsWith(' 0'))
        expect(moved(wild)).toEqual(moved(direct))
        expect(settlement(wild, last)).toEqual([])
      },
    ),
  )
})

test('books nothing of a report that is older than what is booked', () => {
  fc.assert(
    fc.property(reports, (all) => {
      const booked = applied(fresh, settlement(fresh, all.at(-1) ?? report))
      for (const stale of all) expect(settlement(booked, stale)).toEqual([])
    }),
  )
})

test.each(['cancel', 'error'] as const)('credits a success after %s', (status) => {
  const [end] = settlement(fresh, { ...report, status, reason: 'expired' })
  expect(end).toEqual({ kind: 'end', status, reason: 'expired' })
  const ended = applied(fresh, end === undefined ? [] : [end])
  expect(settlement(ended, { ...report, status })).toEqual([])
  expect(settlement(ended, { ...report, status: 'success' })).toEqual([{ kind: 'credit', amountMinor, feeMinor: null }])
})

test.each([
  ['amount', { amountMinor: amountMinor - 1 }],
  ['currency', { currency: 'rub' }],
] as const)('leaves another %s to the operator, once', (reason, other) => {
  const seen: ProviderPayment = { ...report, status: 'success', ...other }
  const [move] = settlement(fresh, seen)
  expect(move).toMatchObject({ kind: 'review', reason })
  expect(settlement(applied(fresh, move === undefined ? [] : [move]), seen)).toEqual([])
})

test('I4: capped reports take at most what was credited, in any order, and are booked once', () => {
  const small = { ...fresh, payment: { ...fresh.payment, amount_minor: 1_500 } }
  fc.assert(
    fc.property(reports, fc.array(fc.nat({ max: 11 }), { maxLength: 20 }), (all, order) => {
      const capped = all.map((seen): ProviderPayment => ({ ...seen, amountMinor: 1_500, isCapped: true }))
      const checked = [...order.flatMap((at) => capped[at] ?? []), ...capped.slice(-1)]
      let booked: Booked = small
      for (const seen of checked) {
        booked = applied(booked, settlement(booked, seen))
        const gone = [
          ...booked.refunds.map((one) => one.takenMinor - one.returnedMinor),
          ...booked.disputes.map((one) => one.withdrawnMinor),
        ].reduce((sum, amount) => sum + amount, 0)
        expect(gone).toBeLessThanOrEqual(1_500)
        for (const { withdrawnMinor, reinstatedMinor } of booked.disputes)
          expect(reinstatedMinor).toBeLessThanOrEqual(withdrawnMinor)
        expect(settlement(booked, seen)).toEqual([])
      }
    }),
  )
})
