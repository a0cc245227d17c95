// Manual invoices through the registry of providers, on both databases.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testApp, type World } from '#server/testing/test-app.ts'
import { markPaid } from './invoice/provider.ts'
import { findProvider, payProviders } from './registry.ts'

let world: World
beforeEach(async () => {
  world = await testApp({ INVOICE_DETAILS: 'IBAN' })
})
afterEach(() => world.close())

async function payment(projectId: number) {
  return await world.services.db
    .insertInto('payments')
    .values({
      uuid: 'uuid-of-a-payment',
      project_id: projectId,
      user_id: null,
      provider: 'invoice',
      pay_system_id: 1,
      currency: 'usd',
      amount_minor: 2_000,
      type: 'topup',
      status: 'pending',
      date_create: world.clock.now().toISOString(),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

test('reports an invoice as pending, paid and refunded', async () => {
  const ann = await world.user('Ann')
  const row = await payment(ann.projectId)
  const invoice = findProvider(world.services, 'invoice')
  if (!invoice) throw new Error('invoices are always offered')
  expect(await invoice.find(row)).toBeNull()
  const beginning = { returnUrl: 'https://live.example.com/p/1', customer: null, email: null, save: false }
  const { payId, redirectUrl } = await invoice.begin(row, beginning)
  expect(redirectUrl).toBe(beginning.returnUrl)
  expect(await invoice.check(payId)).toMatchObject({ status: 'pending', amountMinor: 2_000, currency: 'usd' })
  // The operator corrects a wrong amount.
  await markPaid(world.services, row.uuid, 1)
  await markPaid(world.services, row.uuid, 1_900)
  await invoice.cancel(payId)
  expect(await invoice.check(payId)).toMatchObject({ status: 'success', amountMinor: 1_900, refunds: [] })
  await invoice.refund(row, 500, 'a key')
  await invoice.refund(row, 500, 'a key')
  expect((await invoice.check(payId)).refunds).toEqual([
    { id: 'a key', key: 'a key', takenMinor: 500, returnedMinor: 0 },
  ])
})

test('offers every pay system under its own number', () => {
  const systems = payProviders(world.services).flatMap(({ systems: own }) => own)
  expect(new Set(systems.map(({ id }) => id)).size).toBe(systems.length)
})
