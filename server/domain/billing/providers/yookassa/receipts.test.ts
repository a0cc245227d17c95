// VAT codes of receipts by 54-FZ.
import { expect, test } from 'vitest'
import { receiptOf } from './receipts.ts'

const codesOf = (vat_code: number) =>
  (['topup', 'restream'] as const).map((type) => {
    const receipt = receiptOf({ tax_system: 1, vat_code }, { type, title: null }, 100, 'ann@example.com')
    return (receipt as { items: readonly { vat_code: number }[] }).items[0]?.vat_code
  })

test.each([
  [1, 1, 1],
  [2, 2, 2],
  [3, 5, 3],
  [4, 6, 4],
  [6, 6, 4],
  [7, 9, 7],
  [8, 10, 8],
  [11, 12, 11],
  [12, 12, 11],
])('with VAT code %i an advance has %i, and a plan %i', (vatCode, advance, plan) => {
  expect(codesOf(vatCode)).toEqual([advance, plan])
})
