// Amounts as decimal text, as payment providers and papers write them. Integers and text only, never floats.

/** Decimal text of an amount in minor units. @example decimalOf(1050) // '10.50' */
export function decimalOf(minor: number): `${number}` {
  const digits = String(Math.abs(minor)).padStart(3, '0')
  return `${minor < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}` as `${number}`
}

/**
 * Minor units of decimal text with at most two decimals.
 * @throws Error for anything else, and for amounts above the safe integers
 */
export function minorOf(text: string): number {
  const [, sign = '', whole = '', cents = ''] = /^(-?)(\d{1,13})(?:\.(\d{1,2}))?$/.exec(text) ?? []
  if (whole === '') throw new Error(`'${text.slice(0, 40)}' is not an amount with two decimals`)
  const minor = Number(whole + cents.padEnd(2, '0'))
  return sign === '-' ? -minor : minor
}
