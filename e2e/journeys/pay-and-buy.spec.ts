// A purchase with a short balance: paid at a provider's double, back to the dashboard, the plan is active.
import { restream } from '#contract/areas/tariffs/restream.ts'
import { publicPort, startService } from '#e2e/fixtures/service.ts'
import { expect, opened, test as base } from '#e2e/fixtures/test.ts'
import { PaypalDouble } from '#server/testing/pay/paypal-double.ts'
import { StripeDouble } from '#server/testing/pay/stripe-double.ts'
import { paths } from '#src/lib/paths.ts'

const test = base.extend({
  service: async ({ shared }, use) => {
    const stripe = await shared('stripe', () => opened(StripeDouble.start()))
    const paypal = await shared('paypal', () => opened(PaypalDouble.start()))
    const bases = [stripe.env, paypal.env].map((env) => env['PROVIDER_BASES']).join(',')
    const start = async () =>
      startService({ ...stripe.env, ...paypal.env, PROVIDER_BASES: bases, ...(await publicPort()) })
    await use(await shared('service with providers of payments', () => opened(start())))
  },
})

const ways = [
  { way: 'Card (Stripe)', steps: ['Pay with 3DS', 'Confirm payment'] },
  { way: 'PayPal', steps: ['Complete purchase'] },
]

for (const { way, steps } of ways)
  test(`pays what the balance lacks by ${way}, returns, and the plan is active`, async ({
    page,
    person,
    visit,
    api,
    watch,
  }) => {
    // The doubles' pages, and the icon that they do not have.
    watch.allow(/third party: \S+\/(checkout\/cs_test|www\.sandbox\.paypal\.com\/checkoutnow)/, /favicon\.ico/)
    await visit(`${paths.tariffs(person.projectId)}?period=year&plan=4`)
    await page.getByRole('button', { name: 'Pay $142.92 and buy' }).click()
    await page.getByRole('dialog').getByRole('radio', { name: way }).check()
    await page.getByRole('dialog').getByRole('button', { name: 'Pay $142.92 and buy' }).click()
    for (const name of steps) await page.getByRole('button', { name }).click()
    // No message arrives: the page makes the service look at the payment.
    await expect(page.getByText('Paid. You bought Business.')).toBeVisible({ timeout: 30_000 })
    await expect(page.getByRole('link', { name: /^Receipt / })).toBeVisible()
    const { current } = await api(restream.slots, { project_id: person.projectId })
    expect(current?.id).toBe(4)
    await page.getByRole('link', { name: 'Go to plans' }).click()
    await expect(page.getByRole('article', { name: 'Current' })).toContainText('Business')
  })
