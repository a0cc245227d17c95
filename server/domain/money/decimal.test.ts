import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimalOf, minorOf } from './decimal.ts'

test.each([
  [0, '0.00'],
  [5, '0.05'],
  [1000, '10.00'],
  [-250, '-2.50'],
  [300_000_000_000, '3000000000.00'],
])('writes %i as %s', (minor, text) => {
  expect(decimalOf(minor)).toBe(text)
})

test('reads back every amount that it writes', () => {
  fc.assert(
    fc.property(fc.integer({ min: -(10 ** 14), max: 10 ** 14 }), (minor) => {
      expect(minorOf(decimalOf(minor))).toBe(minor)
    }),
  )
})

test('reads amounts with fewer decimals', () => {
  expect([minorOf('10'), minorOf('10.5')]).toEqual([1000, 1050])
})

test.each(['', '10.555', '1e3', '10,00', ' 1', '١', '99999999999999.00'])('refuses %j', (text) => {
  expect(() => minorOf(text)).toThrow('not an amount')
})
