// Prices less a promo code, in minor units.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { reducedPrice } from './catalog-rules.ts'

const price = fc.integer({ min: 0, max: 120_000_000_000 })
const percent = fc.integer({ min: 1, max: 100 })
const minor = fc.integer({ min: 1, max: 100_000_000 })

test('a percentage takes whole minor units between nothing and the price, at most half a unit off the exact share', () => {
  fc.assert(
    fc.property(price, percent, (listed, off) => {
      const reduced = reducedPrice(listed, { percent: off })
      expect(Number.isSafeInteger(reduced)).toBe(true)
      expect(reduced).toBeGreaterThanOrEqual(0)
      expect(reduced).toBeLessThanOrEqual(listed)
      // In hundredths of a minor unit, so that no fraction is lost.
      expect(Math.abs(reduced * 100 - listed * (100 - off))).toBeLessThanOrEqual(50)
    }),
  )
})

test('a larger percentage or amount never makes a price higher', () => {
  fc.assert(
    fc.property(price, percent, percent, minor, minor, (listed, a, b, c, d) => {
      const [less, more] = [Math.min(a, b), Math.max(a, b)]
      expect(reducedPrice(listed, { percent: more })).toBeLessThanOrEqual(reducedPrice(listed, { percent: less }))
      const [small, large] = [Math.min(c, d), Math.max(c, d)]
      expect(reducedPrice(listed, { minor: large })).toBeLessThanOrEqual(reducedPrice(listed, { minor: small }))
    }),
  )
})

test('an amount takes exactly itself, or the whole price where it is more', () => {
  fc.assert(
    fc.property(price, minor, (listed, off) => {
      expect(listed - reducedPrice(listed, { minor: off })).toBe(Math.min(listed, off))
    }),
  )
})

test.each([
  [1_190, { percent: 20 }, 952],
  [1_191, { percent: 50 }, 596],
  [1, { percent: 99 }, 0],
  [490, { percent: 100 }, 0],
  [490, { minor: 491 }, 0],
  [490, { minor: 90 }, 400],
])('%d less %o is %d', (listed, reduction, expected) => {
  expect(reducedPrice(listed, reduction)).toBe(expected)
})
