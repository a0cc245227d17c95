// Amounts as decimal text, as payment providers and papers write them. Integers and text only, never floats.

/**
 * Decimal text of an amount in minor units. @example decimalOf(1050) // '10.50'
 * @param decimals 0 for currencies without minor units, whose amounts are whole
 */
export function decimalOf(minor: number, decimals: 0 | 2 = 2): `${number}` {
  if (decimals === 0) return `${minor}`
  const digits = String(Math.abs(minor)).padStart(3, '0')
  return `${minor < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}` as `${number}`
}

/** Amount with its currency, for texts without a locale. @example amountText(1050, 'eur') // '10.50 EUR' */
export const amountText = (minor: number, currency: string): string => `${decimalOf(minor)} ${currency.toUpperCase()}`

/**
 * Minor units of decimal text with at most two decimals.
 * @param decimals 0 for currencies without minor units, whose text may end in `.00`
 * @throws Error for anything else, and for amounts above the safe integers
 */
export function minorOf(text: string, decimals: 0 | 2 = 2): number {
  if (decimals === 0) return wholeOf(minorOf(text))
  const [, sign = '', whole = '', cents = ''] = /^(-?)(\d{1,13})(?:\.(\d{1,2}))?$/.exec(text) ?? []
  if (whole === '') throw new Error(`'${text.slice(0, 40)}' is not an amount with two decimals`)
  const minor = Number(whole + cents.padEnd(2, '0'))
  return sign === '-' ? -minor : minor
}

function wholeOf(hundredths: number): number {
  if (hundredths % 100 !== 0) throw new Error(`${decimalOf(hundredths)} is not an amount without decimals`)
  return hundredths / 100
}
