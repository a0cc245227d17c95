// Repeated calls to YooKassa under one Idempotence-Key, whose body has changed since the first one.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually } from '#server/testing/eventually.ts'
import { YookassaWorld } from '#server/testing/pay/yookassa-world.ts'
import { findPayment } from '#server/domain/billing/payments/store.ts'
import { findProvider } from '#server/domain/billing/providers/registry.ts'
import type { PaymentRow, PayProvider } from '#server/domain/billing/providers/provider.ts'

let pay: YookassaWorld
let yookassa: PayProvider
beforeEach(async () => {
  pay = await YookassaWorld.start()
  const provider = findProvider(pay.world.services, 'yookassa')
  if (!provider) throw new Error('YooKassa is configured')
  yookassa = provider
})
afterEach(() => pay.end())

const unavailable = { name: 'ProviderUnavailable' }
const changeEmail = () => pay.world.app.db.updateTable('users').set({ email: 'new@example.com' }).execute()

/** Makes the next answer get lost. */
async function lose(call: Promise<unknown>): Promise<void> {
  await expect(call).rejects.toMatchObject(unavailable)
}

test('begins a payment once when the address of its receipt changed after a lost answer', async () => {
  const { payment_id } = (await pay.create(1_000)).body
  pay.double.failures.push('lost')
  await pay.redirect(payment_id)
  await changeEmail()
  const payId = await pay.open(payment_id)
  expect([...pay.double.payments.keys()]).toEqual([payId])
  await pay.pay(payId)
  await eventually(async () => {
    await pay.checked()
    return (await pay.get(payment_id)).status === 'success'
  })
})

test('charges and refunds once when the address of the receipt changed after a lost answer', async () => {
  const { payment_id, payId: token } = await pay.topUp(1_000, { save: 1 })
  const payment = (await findPayment(pay.world.app.db, payment_id)) as PaymentRow
  const charge = { ...payment, uuid: 'charge-number-1', date_begin: null }
  pay.double.failures.push('lost')
  await lose(yookassa.charge(charge, { token }))
  pay.double.failures.push('lost')
  await lose(yookassa.refund(payment, 500, 'refund-1'))
  await changeEmail()
  expect(await yookassa.charge(charge, { token })).toMatchObject({ outcome: 'done' })
  // The next check finds the refund.
  await lose(yookassa.refund(payment, 500, 'refund-1'))
  expect([pay.double.payments.size, pay.double.refunds.size]).toEqual([2, 1])
  // Neither is in the books: the calls were made without the service.
  const [, charged = ''] = pay.double.payments.keys()
  pay.double.payments.delete(charged)
  pay.double.refunds.clear()
})
