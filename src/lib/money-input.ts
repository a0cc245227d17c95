// Amounts of money in text fields.

/**
 * Reads an amount that a person typed, with a comma or a point and spaces between thousands.
 * @returns minor units; null for anything else
 * @example parseMoney('1 290,50') // 129050
 */
export function parseMoney(text: string): number | null {
  const [, sign = '', whole = '', part = ''] =
    /^([-−]?)(\d{1,12})(?:[.,](\d{1,2}))?$/.exec(text.replaceAll(/\s/g, '')) ?? []
  if (whole === '') return null
  const amount = Number(whole) * 100 + Number(part.padEnd(2, '0'))
  return sign === '' ? amount : -amount
}

/** Formats minor units for a text field: `129050` is `1290.50`, `129000` is `1290`. */
export const moneyText = (amountMinor: number): string => (amountMinor / 100).toFixed(amountMinor % 100 === 0 ? 0 : 2)
