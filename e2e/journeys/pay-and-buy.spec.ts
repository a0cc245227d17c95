// A purchase with a short balance: paid at a provider's double, back to the dashboard, the plan is active, the receipt opens.
import type { Page } from '@playwright/test'
import { payProviders } from '#contract/entities/pay-providers.gen.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { scrollsSideways } from '#e2e/fixtures/accessible.ts'
import { textOf } from '#e2e/fixtures/language.ts'
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

/** Pattern of a text of the interface with some value in place of each variable. */
const worded = (...of: Parameters<typeof textOf>): RegExp =>
  new RegExp(
    textOf(...of)
      .split(/\{\{\w+\}\}/)
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
      .join('.+'),
  )

/** Expects no horizontal scrolling on a phone and on a desktop, and leaves the page as wide as a phone. */
async function expectToFit(page: Page): Promise<void> {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await scrollsSideways(page), `scrolls at ${width} pixels`).toBe(false)
  }
}

const ways = [
  { language: 'en', way: 'stripe', steps: ['Pay with 3DS', 'Confirm payment'] },
  { language: 'ru', way: 'stripe', steps: ['Pay with 3DS', 'Confirm payment'] },
  { language: 'cn', way: 'stripe', steps: ['Pay with 3DS', 'Confirm payment'] },
  { language: 'en', way: 'paypal', steps: ['Complete purchase'] },
] as const

for (const { language, way, steps } of ways)
  test(`billing check 4: pays what the balance lacks (${way}, ${language}), returns, the plan is active, the receipt opens`, async ({
    page,
    context,
    person,
    visit,
    api,
    watch,
  }) => {
    // The doubles' pages, and the icon that they do not have.
    watch.allow(/third party: \S+\/(checkout\/cs_test|www\.sandbox\.paypal\.com\/checkoutnow)/, /favicon\.ico/)
    await page.addInitScript((chosen) => localStorage.setItem('relaydeck.language', chosen), language)
    await visit(`${paths.tariffs(person.projectId)}?period=year&plan=4`)
    const pay = worded(language, 'tariffs', 'buy.pay')
    await expect(page.getByRole('button', { name: pay })).toContainText(/142[.,]92/)
    await expectToFit(page)
    await page.getByRole('button', { name: pay }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: payProviders[way].texts[language].title }).check()
    await expectToFit(page)
    await dialog.getByRole('button', { name: pay }).click()
    for (const name of steps) await page.getByRole('button', { name }).click()
    // No message arrives: the page makes the service look at the payment.
    await expect(page.getByText(worded(language, 'pay', 'outcome.bought'))).toBeVisible({ timeout: 30_000 })
    const { current } = await api(restream.slots, { project_id: person.projectId })
    expect(current?.id).toBe(4)

    const receipt = page.getByRole('link', { name: worded(language, 'pay', 'papers.receipt') })
    await expect(receipt).toBeVisible()
    await expectToFit(page)
    const pdf = await page.request.get((await page.getByRole('link', { name: 'PDF' }).getAttribute('href')) ?? '')
    expect([pdf.status(), pdf.headers()['content-type']]).toEqual([200, 'application/pdf'])
    const [paper] = await Promise.all([context.waitForEvent('page'), receipt.click()])
    await expect(paper.getByRole('heading', { name: textOf(language, 'service/papers', 'kind.receipt') })).toBeVisible()
    await expectToFit(paper)
    await paper.close()

    await page.getByRole('link', { name: textOf(language, 'pay', 'toTariffs') }).click()
    const slot = page.getByRole('article', { name: textOf(language, 'tariffs', 'slot.current') })
    await expect(slot).toContainText('Business')
  })
