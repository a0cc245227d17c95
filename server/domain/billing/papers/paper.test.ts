import fc from 'fast-check'
import { expect, test } from 'vitest'
import { includedTax, numberOf, seriesOf } from './paper.ts'

test('numbers papers by kind and year', () => {
  expect(numberOf(seriesOf('credit_note', '2026-12-31T23:59:59.999Z'), 12)).toBe('C-2026-000012')
})

test.each([
  [12_000, 2000, 2000],
  [990, 2000, 165],
  [1, 2000, 0],
  [100, 0, 0],
  [10_000, 1950, 1632],
])('of %i with %i hundredths of a percent, %i is tax', (total, percent, tax) => {
  expect(includedTax(total, percent)).toBe(tax)
})

test('the tax is within half a minor unit of its percentage of the net amount', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3 * 10 ** 11 }), fc.integer({ min: 0, max: 10_000 }), (total, percent) => {
      const net = total - includedTax(total, percent)
      const off = BigInt(net) * BigInt(10_000 + percent) - BigInt(total) * 10_000n
      expect(2n * (off < 0n ? -off : off) <= BigInt(10_000 + percent)).toBe(true)
    }),
  )
})
