// Refunds of Stripe in the terms of the port.
import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { stripePayment } from './seen.ts'

test.each([
  ['pending', true, 0],
  ['requires_action', true, 0],
  ['succeeded', false, 0],
  ['failed', false, 700],
  ['canceled', false, 700],
])('a refund that is %s: pending %s, returned %i', (status, isPending, returnedMinor) => {
  const refund = { id: 're', amount: 700, currency: 'usd', status, metadata: {} } as Stripe.Refund
  const { refunds } = stripePayment({ payId: 'pi', session: null, intent: null, refunds: [refund], disputes: [] })
  expect(refunds).toMatchObject([{ takenMinor: 700, isPending, returnedMinor }])
})
