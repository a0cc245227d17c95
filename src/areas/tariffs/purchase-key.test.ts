import { expect, test } from 'vitest'
import { forgetPurchaseKey, purchaseKey } from './purchase-key.ts'

test('the same request keeps its key until it succeeded; another request has another', () => {
  const key = purchaseKey('pro month')
  expect(key).toMatch(/^[0-9a-f]{32}$/)
  expect(purchaseKey('pro month')).toBe(key)
  expect(purchaseKey('pro year')).not.toBe(key)
  const again = purchaseKey('pro month')
  expect(again).not.toBe(key)
  forgetPurchaseKey()
  expect(purchaseKey('pro month')).not.toBe(again)
})
