// Amounts of PayPal: decimal text in a currency that PayPal supports.
import { decimalOf, minorOf } from '#server/domain/money/decimal.ts'

/** An amount as PayPal writes it. */
export interface PaypalMoney {
  /** ISO 4217, upper case. */
  readonly currency_code: string
  readonly value: string
}

/**
 * Currencies of PayPal payments, with their decimals (developer.paypal.com/api/rest/reference/currency-codes). PayPal refuses
 * decimals in HUF, JPY and TWD, and takes no payments in roubles.
 */
const decimals: Readonly<Record<string, 0 | 2>> = {
  ...Object.fromEntries(
    'aud brl cad cny czk dkk eur hkd ils myr mxn nzd nok php pln gbp sgd sek chf thb usd'
      .split(' ')
      .map((currency) => [currency, 2 as const]),
  ),
  huf: 0,
  jpy: 0,
  twd: 0,
}

/** Returns whether PayPal takes payments in a currency. @param currency ISO 4217, lower case */
export const isPaypalCurrency = (currency: string): boolean => Object.hasOwn(decimals, currency)

/** Amount of hundredths, also for currencies without decimals. @param currency ISO 4217, lower case */
export const paypalMoney = (minor: number, currency: string): PaypalMoney => ({
  currency_code: currency.toUpperCase(),
  value: decimals[currency] === 0 ? decimalOf(minor / 100, 0) : decimalOf(minor),
})

/** Hundredths of an amount, also for currencies without decimals. @throws Error for text that is no amount of the currency */
export const minorOfPaypal = ({ currency_code, value }: PaypalMoney): number =>
  decimals[currency_code.toLowerCase()] === 0 ? 100 * minorOf(value, 0) : minorOf(value)
