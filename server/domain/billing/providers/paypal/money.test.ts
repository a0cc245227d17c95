// Amounts of PayPal in hundredths; PayPal has them whole in currencies without decimals.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isPaypalCurrency, minorOfPaypal, paypalMoney } from './seen.ts'

test.each([
  ['usd', 1_005, '10.05'],
  ['usd', 5, '0.05'],
  ['jpy', 100_500, '1005'],
  ['huf', 700, '7'],
  ['twd', 0, '0'],
] as const)('writes %s %i as %s', (currency, minor, value) => {
  expect(paypalMoney(minor, currency)).toEqual({ currency_code: currency.toUpperCase(), value })
})

test('reads back every amount that it writes', () => {
  fc.assert(
    fc.property(fc.nat(), fc.constantFrom('usd', 'eur', 'jpy', 'huf', 'twd'), (amount, currency) => {
      const minor = ['usd', 'eur'].includes(currency) ? amount : 100 * amount
      expect(minorOfPaypal(paypalMoney(minor, currency))).toBe(minor)
    }),
  )
})

test('reads whole amounts with zero decimals, and refuses others', () => {
  expect(minorOfPaypal({ currency_code: 'JPY', value: '1005.00' })).toBe(100_500)
  expect(() => minorOfPaypal({ currency_code: 'JPY', value: '1005.50' })).toThrow('is not an amount')
})

test('takes no roubles', () => {
  expect(['usd', 'eur', 'rub', 'constructor'].map(isPaypalCurrency)).toEqual([true, true, false, false])
})
