// Cases of returns that the service cannot book: each is shown once, also a second one and money that comes back.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type {
  CaseReturn,
  Move,
  ProviderPayment,
  ProviderDispute,
  ProviderRefund,
} from '#server/domain/billing/providers/provider.ts'
import { bookable, reviewLeft, reviewOf } from './review-case.ts'
import { type Booked, settlement } from './settlement.ts'
import { reportOf } from '#server/testing/pay/report.ts'

const amountMinor = 1_000
const seen = reportOf({ status: 'success', amountMinor })

type Case = Extract<Move, { kind: 'review' }>

/** A credited payment of a project whose currency may change. It remembers its cases. */
class Payment {
  booked: Booked = {
    payment: {
      amount_minor: amountMinor,
      currency: 'usd',
      status: 'success',
      reason: null,
      review: null,
      credited_minor: amountMinor,
    },
    refunds: [],
    disputes: [],
  }

  readonly cases: Case[] = []

  /** Checks. @param currency of the project @returns kind or reason and amount of the steps */
  check(more: Partial<ProviderPayment>, currency = 'usd'): string[] {
    const { payment } = this.booked
    const wallet = { currency, held: { bonus: 0, payment: 0, profit: 0 } } as Parameters<typeof bookable>[0]
    const moves = bookable(wallet, payment, settlement(this.booked, { ...seen, ...more }))
    for (const move of moves) if (move.kind === 'review') this.#open(move)
    return moves.map((move) =>
      move.kind === 'review' ? `${move.reason} ${move.amountMinor} ${move.currency}` : move.kind,
    )
  }

  #open(move: Case): void {
    this.cases.push(move)
    this.#set({ reason: null, review: JSON.stringify(reviewOf(move)) })
  }

  /** The operator closes the case. */
  close(): void {
    if (this.booked.payment.review !== null) this.#set({ reason: reviewLeft })
  }

  #set(change: Partial<Booked['payment']>): void {
    this.booked = { ...this.booked, payment: { ...this.booked.payment, ...change } }
  }
}

const refund = (id: string, takenMinor: number, more: Partial<ProviderRefund> = {}): ProviderRefund => ({
  id,
  key: null,
  takenMinor,
  returnedMinor: 0,
  currency: 'eur',
  ...more,
})
const dispute = (withdrawnMinor: number, reinstatedMinor = 0, currency = 'eur'): ProviderDispute => ({
  id: 'D',
  withdrawnMinor,
  reinstatedMinor,
  status: 'open',
  currency,
})

test('opens a case for each refund in another currency, one at a time', () => {
  const payment = new Payment()
  const both = { refunds: [refund('R1', 500), refund('R2', 400)] }
  expect(payment.check({ refunds: [refund('R1', 500)] })).toEqual(['return 500 eur'])
  expect(payment.check(both)).toEqual([])
  payment.close()
  expect(payment.check({ refunds: [refund('R1', 500)] })).toEqual([])
  expect(payment.check(both)).toEqual(['return 400 eur'])
  payment.close()
  expect(payment.check(both)).toEqual([])
  expect(payment.check({ refunds: [refund('R1', 700), refund('R2', 400)] })).toEqual(['return 200 eur'])
})

test('opens a case for money of a dispute that comes back, and none for a dispute that took nothing', () => {
  const payment = new Payment()
  expect(payment.check({ disputes: [dispute(920)] })).toEqual(['return 920 eur'])
  payment.close()
  expect(payment.check({ disputes: [dispute(920, 920)] })).toEqual(['reinstated 920 eur'])
  payment.close()
  expect(payment.check({ disputes: [dispute(920, 920)] })).toEqual([])
  expect(new Payment().check({ disputes: [dispute(920, 920)] })).toEqual([])
})

test('books no return of a closed case when the project has the currency of the payment again', () => {
  const payment = new Payment()
  const taken = { refunds: [refund('R', 300, { currency: 'usd' })] }
  expect(payment.check(taken, 'rub')).toEqual(['return 300 usd'])
  expect(payment.check(taken)).toEqual([])
  payment.close()
  expect([payment.check(taken, 'rub'), payment.check(taken)]).toEqual([[], []])
  // The same money, reported as a dispute too.
  const capped = { refunds: [refund('R', amountMinor, { currency: 'usd' })], isCapped: true }
  const other = new Payment()
  other.check(capped, 'rub')
  other.close()
  expect(other.check({ ...capped, disputes: [dispute(amountMinor, 0, 'usd')] }, 'rub')).toEqual([])
  expect(payment.check({ refunds: [refund('R', 500, { currency: 'usd' })] })).toEqual(['refund'])
})

test('shows a return in another currency when the project has changed its own too', () => {
  const payment = new Payment()
  const both = { refunds: [refund('R1', 300, { currency: 'usd' }), refund('R2', 400)] }
  expect(payment.check(both, 'rub')).toEqual(['return 300 usd'])
  payment.close()
  expect(payment.check(both, 'rub')).toEqual(['return 400 eur'])
})

test('cases sum to what the provider reports, for any growth of returns and any order of checks and decisions', () => {
  const growth = fc.record({
    id: fc.constantFrom('A', 'B', 'C'),
    kind: fc.constantFrom('refund', 'dispute'),
    taken: fc.nat({ max: 300 }),
    returned: fc.nat({ max: 300 }),
    act: fc.constantFrom('check', 'close', 'nothing'),
  })
  fc.assert(
    fc.property(fc.array(growth, { maxLength: 15 }), (all) => {
      const payment = new Payment()
      const levels = new Map<string, CaseReturn>()
      const report = () => {
        const rows = [...levels.values()]
        return {
          refunds: rows
            .filter(({ kind }) => kind === 'refund')
            .map(({ id, takenMinor, returnedMinor }) => refund(id, takenMinor, { returnedMinor })),
          disputes: rows
            .filter(({ kind }) => kind === 'dispute')
            .map((one) => ({ ...dispute(one.takenMinor, one.returnedMinor), id: one.id })),
        }
      }
      for (const { id, kind, taken, returned, act } of all) {
        const key = `${kind} ${id}`
        const { takenMinor, returnedMinor } = levels.get(key) ?? { takenMinor: 0, returnedMinor: 0 }
        const next = { takenMinor: takenMinor + taken, returnedMinor: returnedMinor + returned }
        levels.set(key, { id, kind: kind === 'refund' ? 'refund' : 'dispute', currency: 'eur', ...next })
        if (act === 'check') payment.check(report())
        if (act === 'close') payment.close()
      }
      do payment.close()
      while (payment.check(report()).length > 0)
      const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)
      const shown = sum(payment.cases.map(({ reason, amountMinor: of }) => (reason === 'return' ? of : -of)))
      const net = sum([...levels.values()].map((one) => one.takenMinor - one.returnedMinor))
      expect(shown).toBe(net)
    }),
  )
})
