import { expect, test } from 'vitest'
import type { PaySystem } from '#contract/areas/billing/pay-systems.ts'
import { payFields, paymentOptions } from './pay-ways.ts'

const system = (pay_system_id: number, pay_name: string, recurrent: 0 | 1): PaySystem => ({
  pay_system_id,
  name: pay_name,
  min_amount: 100,
  max_amount: 1000,
  currency: 'usd',
  annual: 1,
  topup: 1,
  recurrent,
  description: '',
  pay_name,
})
const method = (method_id: number, pay_name: string, is_default: boolean) => ({
  method_id,
  pay_name,
  title: `Visa ${method_id}`,
  expires: null,
  is_default,
})
const systems = [system(3, 'stripe', 1), system(1, 'invoice', 0)]

test('offers the default method first, and no method of a provider that is not offered', () => {
  const ways = paymentOptions(systems, [
    method(7, 'stripe', false),
    method(8, 'stripe', true),
    method(9, 'yookassa', false),
  ])
  expect(ways.map(({ value }) => value)).toEqual([-8, -7, 3, 1])
})

test('names the method, or whether the method is saved', () => {
  const [saved, stripe, invoice] = paymentOptions(systems, [method(7, 'stripe', true)])
  expect(saved && payFields(saved, true)).toEqual({ pay_system_id: 3, method_id: 7 })
  expect(stripe && payFields(stripe, true)).toEqual({ pay_system_id: 3, save: 1 })
  expect(invoice && payFields(invoice, true)).toEqual({ pay_system_id: 1, save: 0 })
})
