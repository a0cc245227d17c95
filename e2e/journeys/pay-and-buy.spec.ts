// A purchase with a short balance: paid at Stripe's double with 3D Secure, back to the dashboard, the plan is active.
import { restream } from '#contract/areas/tariffs/restream.ts'
import { publicPort, startService } from '#e2e/fixtures/service.ts'
import { expect, opened, test as base } from '#e2e/fixtures/test.ts'
import { StripeDouble } from '#server/testing/pay/stripe-double.ts'
import { paths } from '#src/lib/paths.ts'

const test = base.extend({
  service: async ({ shared }, use) => {
    const double = await shared('stripe', () => opened(StripeDouble.start()))
    const start = async () => startService({ ...double.env, ...(await publicPort()) })
    await use(await shared('service with stripe', () => opened(start())))
  },
})

test('pays what the balance lacks with 3D Secure, returns, and the plan is active', async ({
  page,
  person,
  visit,
  api,
  watch,
}) => {
  // The double's pages, and the icon that it does not have.
  watch.allow(/third party: \S+\/checkout\/cs_test/, /favicon\.ico/)
  await visit(`${paths.tariffs(person.projectId)}?period=year&plan=4`)
  await page.getByRole('button', { name: 'Pay $142.92 and buy' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Pay $142.92 and buy' }).click()
  await page.getByRole('button', { name: 'Pay with 3DS' }).click()
  await page.getByRole('button', { name: 'Confirm payment' }).click()
  // No message arrives: the page makes the service look at the payment.
  await expect(page.getByText('Paid. You bought Business.')).toBeVisible({ timeout: 30_000 })
  await expect(page.getByRole('link', { name: /^Receipt / })).toBeVisible()
  const { current } = await api(restream.slots, { project_id: person.projectId })
  expect(current?.id).toBe(4)
  await page.getByRole('link', { name: 'Go to plans' }).click()
  await expect(page.getByRole('article', { name: 'Current' })).toContainText('Business')
})
