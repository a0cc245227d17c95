// Properties of advances: any order of top-ups, other money, purchases and refunds.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AdvancePart, type OpenAdvance, splitParts, sumOfParts, takenAdvances } from './advances-rules.ts'

const amount = fc.integer({ min: 1, max: 1_000 })
const step = fc.record({
  kind: fc.constantFrom('advance', 'other', 'sale', 'refund'),
  amount,
  payment: fc.nat(4),
} as const)

/** Balance and advances after some steps. */
class Books {
  balance = 0
  sold = 0
  readonly advances = new Map<number, { amount: number; left: number; closed: number }>()

  get open(): OpenAdvance[] {
    return [...this.advances].map(([paymentId, { left: leftMinor }]) => ({ paymentId, leftMinor }))
  }

  enter(minor: number, isAdvance: boolean): void {
    this.balance += minor
    if (isAdvance) this.advances.set(this.advances.size, { amount: minor, left: minor, closed: 0 })
  }

  take(wanted: number, paymentId?: number): readonly AdvancePart[] {
    const amountMinor = Math.min(wanted, this.balance)
    this.balance -= amountMinor
    const parts = takenAdvances(this.open, { amountMinor, afterMinor: this.balance, paymentId })
    if (sumOfParts(parts) > amountMinor) throw new Error('More than the movement')
    if (paymentId === undefined) this.sold += amountMinor
    for (const part of parts) {
      const advance = this.advances.get(part.paymentId)
      if (!advance || part.amountMinor <= 0) throw new Error('No part of an advance')
      advance.left -= part.amountMinor
      if (paymentId === undefined) advance.closed += part.amountMinor
    }
    return parts
  }

  get left(): number {
    return [...this.advances.values()].reduce((sum, { left }) => sum + left, 0)
  }
  get closed(): number {
    return [...this.advances.values()].reduce((sum, { closed }) => sum + closed, 0)
  }
}

test('no receipt exceeds its advance, and open advances never exceed the balance', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const books = new Books()
      for (const { kind, amount: minor, payment } of steps) {
        if (kind === 'advance' || kind === 'other') books.enter(minor, kind === 'advance')
        else books.take(minor, kind === 'sale' ? undefined : payment)
        expect(books.left).toBeLessThanOrEqual(books.balance)
        for (const { amount: whole, left, closed } of books.advances.values()) {
          expect(left).toBeGreaterThanOrEqual(0)
          expect(closed + left).toBeLessThanOrEqual(whole)
        }
      }
    }),
  )
})

test('without refunds, receipts close what purchases took beyond other money', () => {
  const entries = fc.array(fc.record({ minor: amount, isAdvance: fc.boolean() }), { maxLength: 6 })
  fc.assert(
    fc.property(entries, fc.array(amount, { maxLength: 6 }), (entered, sales) => {
      const books = new Books()
      for (const { minor, isAdvance } of entered) books.enter(minor, isAdvance)
      const all = books.left
      const other = books.balance - all
      for (const minor of sales) books.take(minor)
      expect(books.closed).toBe(Math.min(all, Math.max(0, books.sold - other)))
    }),
  )
})

test('the oldest advance is closed first; a refund returns its own advance first', () => {
  const advances = [
    { paymentId: 1, leftMinor: 300 },
    { paymentId: 2, leftMinor: 500 },
  ]
  expect(takenAdvances(advances, { amountMinor: 400, afterMinor: 400 })).toEqual([
    { paymentId: 1, amountMinor: 300 },
    { paymentId: 2, amountMinor: 100 },
  ])
  expect(takenAdvances(advances, { amountMinor: 600, afterMinor: 200, paymentId: 2 })).toEqual([
    { paymentId: 2, amountMinor: 500 },
    { paymentId: 1, amountMinor: 100 },
  ])
  expect(takenAdvances(advances, { amountMinor: 200, afterMinor: 900, paymentId: 2 })).toEqual([
    { paymentId: 2, amountMinor: 200 },
  ])
})

test('money without an advance is spent first', () => {
  const advances = [{ paymentId: 1, leftMinor: 300 }]
  expect(takenAdvances(advances, { amountMinor: 200, afterMinor: 300 })).toEqual([])
  expect(takenAdvances(advances, { amountMinor: 250, afterMinor: 250 })).toEqual([{ paymentId: 1, amountMinor: 50 }])
})

test('parts are split at an amount without a loss', () => {
  const parts = fc.array(fc.record({ paymentId: fc.nat(9), amountMinor: amount }), { maxLength: 5 })
  fc.assert(
    fc.property(parts, fc.nat(5_000), (all, minor) => {
      const { first, rest } = splitParts(all, minor)
      expect(sumOfParts(first)).toBe(Math.min(minor, sumOfParts(all)))
      expect(sumOfParts(first) + sumOfParts(rest)).toBe(sumOfParts(all))
      expect([...first, ...rest].every(({ amountMinor }) => amountMinor > 0)).toBe(true)
    }),
  )
})
