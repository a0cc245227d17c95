// Hourly cleanup of webhook messages.
import { expect, test } from 'vitest'
import { StripeWorld } from '#server/testing/pay/stripe-world.ts'
import { sweep } from './sweep.ts'

const day = 86_400_000

test('keeps the messages of payment providers for 90 days, and their payments for good', async () => {
  const stripe = await StripeWorld.start()
  try {
    const { payment_id } = await stripe.topUp(2_500)
    const { services } = stripe.world
    const left = async () => (await services.db.selectFrom('payment_events').select('event_id').execute()).length
    const stored = await left()
    expect(stored).toBeGreaterThan(0)
    await stripe.pass(90 * day - 60_000)
    await sweep(services)
    expect(await left()).toBe(stored)
    await stripe.pass(120_000)
    await sweep(services)
    expect(await left()).toBe(0)
    expect(await stripe.get(payment_id)).toMatchObject({ status: 'success' })
  } finally {
    await stripe.close()
  }
})
