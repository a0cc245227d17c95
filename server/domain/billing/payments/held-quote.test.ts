// Billing check 8 with Stripe and YooKassa: a payment holds its quote while the bank confirms, and an edited price buys nothing.
import { afterEach, expect, test } from 'vitest'
import { storage } from '#contract/areas/tariffs/storage.ts'
import { readState } from '#server/domain/tariffs/subscriptions.ts'
import { PayWorld } from '#server/testing/pay/pay-world.ts'
import { StripeDouble } from '#server/testing/pay/stripe-double.ts'
import { yookassaDouble, yookassaShop } from '#server/testing/pay/yookassa-double.ts'
import { testApp } from '#server/testing/test-app.ts'
import { checkPayment } from './checks.ts'
import { setPrice } from '#server/testing/billing.ts'

/** A provider's double: the bank of the customer requires a confirmation, and receives it later. */
interface Bank {
  readonly currency: 'rub' | 'usd'
  readonly env: Readonly<Record<string, string>>
  readonly challenge: (page: string) => void
  readonly confirm: (page: string) => void
  readonly close: () => Promise<void>
}

const providers = ['stripe', 'yookassa'] as const
type Provider = (typeof providers)[number]

const banks: Readonly<Record<Provider, () => Promise<Bank>>> = {
  async stripe() {
    const double = await StripeDouble.start()
    const act = (page: string, action: string) => {
      const session = double.state.sessions.get(page.split('/').at(-1) ?? '')
      if (session) double.act(session, action)
    }
    const [challenge, confirm] = ['challenge', 'confirm'].map((action) => (page: string) => act(page, action))
    if (!challenge || !confirm) throw new Error('No actions')
    return { currency: 'usd', env: double.env, challenge, confirm, close: () => double.close() }
  },
  async yookassa() {
    const double = await yookassaDouble()
    // A payment at YooKassa stays pending until the bank has confirmed it.
    const confirm = () => void [...double.payments.keys()].map((id) => double.pay(id))
    const env = { ...yookassaShop, PROVIDER_BASES: `yookassa=${double.base}` }
    return { currency: 'rub', env, challenge: () => undefined, confirm, close: () => double.close() }
  },
}

let close: (() => Promise<void>) | undefined
afterEach(() => close?.())

/** A project with 10 GB, whose owner pays for 1,000 GB: the bank confirms after three hours. */
async function payDuringThreeHours(provider: Provider, meanwhile: (pay: PayWorld) => Promise<unknown>) {
  const bank = await banks[provider]()
  const world = await testApp({ PUBLIC_URL: 'https://live.example.com', ...bank.env })
  close = async () => {
    await world.close()
    await bank.close()
  }
  const pay = new PayWorld(world, await world.user())
  const { projectId } = pay.ann
  const { db } = world.app
  await db.updateTable('projects').set({ currency: bank.currency }).where('id', '=', projectId).execute()
  const base = { project_id: projectId, plan_storage_id: 1, period: 'month' } as const
  expect((await world.api(storage.buy, { ...base, size: 10 }, { as: pay.ann })).status).toBe(200)

  const plan = { type: 'storage', plan_period: 'year', plan_storage_id: 1, plan_storage_value: 1_000 }
  const refused = await pay.create(123, plan)
  const { amount } = (refused.error?.data['quote'] ?? { amount: 0 }) as { readonly amount: number }
  const { payment_id } = (await pay.create(amount, plan)).body
  const page = await pay.redirect(payment_id)
  bank.challenge(page)
  await checkPayment(world.services, payment_id)
  expect(await pay.get(payment_id)).toMatchObject({ status: 'pending' })
  await pay.pass(3 * 3_600_000)
  await meanwhile(pay)
  bank.confirm(page)
  await checkPayment(world.services, payment_id)
  const { slots } = await readState(db, world.clock, projectId, 'storage')
  return { amount, payment: await pay.get(payment_id), size: slots.current.size, paid: await pay.paid() }
}

test.each(providers)('billing check 8: %s holds the quoted total during three hours of 3D Secure', async (provider) => {
  const { payment, size, paid } = await payDuringThreeHours(provider, async () => undefined)
  expect(payment).toMatchObject({ status: 'success', purchase: { outcome: 'bought', reason: null } })
  expect([size, paid]).toEqual([1_000, 0])
})

test.each(providers)(
  'billing check 8: %s keeps the money when the price changes while the customer pays',
  async (provider) => {
    const { amount, payment, size, paid } = await payDuringThreeHours(provider, ({ world }) =>
      setPrice(world.app.db, 'storage', 1, { usd: 9, rub: 900 }),
    )
    expect(payment).toMatchObject({ status: 'success', purchase: { outcome: 'kept', reason: 'QuoteChanged' } })
    expect([size, paid]).toEqual([10, amount])
  },
)
