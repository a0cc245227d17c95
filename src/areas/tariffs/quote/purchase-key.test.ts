import { expect, test } from 'vitest'
import { forgetPurchaseKey, purchaseKey } from './purchase-key.ts'

test('keeps the key of a request until it succeeds, and uses another key for another request', () => {
  const key = purchaseKey('pro month')
  expect(key).toMatch(/^[0-9a-f]{32}$/)
  expect(purchaseKey('pro month')).toBe(key)
  expect(purchaseKey('pro year')).not.toBe(key)
  const again = purchaseKey('pro month')
  expect(again).not.toBe(key)
  forgetPurchaseKey()
  expect(purchaseKey('pro month')).not.toBe(again)
})
