// Tests of payments that are charged to a saved card: the top-up, and a purchase that the balance does not cover.
import { within } from '@testing-library/react'
import { afterAll } from 'vitest'
import { payments } from '#contract/areas/billing/payments.ts'
import { paySystems } from '#contract/areas/billing/pay-systems.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { StripeDouble } from '#server/testing/pay/stripe-double.ts'
import { paths } from '#src/lib/paths.ts'
import { button, dialog, region } from '#src/testing/find.ts'
import { type PageFixtures, expect, screen, testWith } from '#src/testing/page-test.tsx'
import { tariffs } from '#src/testing/tariffs-page.ts'

const stripe = await StripeDouble.start()
afterAll(() => stripe.close())
// Stripe needs the public address of the service, which is that of a double that has ended.
const ended = await StripeDouble.start()
await ended.close()
const test = testWith({ ...stripe.env, PORT: new URL(ended.base).port, PUBLIC_URL: ended.base })
const card = 'Visa •••• 4242'

/** Pays $25.00 on the page of Stripe and saves the card. */
async function saveCard({ api, person }: Pick<PageFixtures, 'api' | 'person'>): Promise<void> {
  const { projectId: project_id } = person
  const { payment_id } = await api(payments.create, { project_id, type: 'topup', amount: 2500, save: 1 })
  const { redirect_url } = await api(paySystems.create, { payment_id })
  const session = stripe.state.sessions.get(redirect_url.split('/').at(-1) ?? '')
  if (!session) throw new Error(`${redirect_url} is no page of the double`)
  stripe.act(session, 'pay')
  const status = async () => (await api(payments.get, { project_id, payId: payment_id })).status
  await expect.poll(status, { timeout: 20_000 }).toBe('success')
}

/** States of the charges of an amount at the double. */
const charged = (minor: number) =>
  [...stripe.state.intents.values()].filter(({ amount }) => amount === minor).map(({ status }) => status)

test('charges a top-up to the saved card without another page', async ({ open, user, fill, person, api }) => {
  await saveCard({ api, person })
  await open(paths.billing(person.projectId))
  const form = within(await region('Top up'))
  expect(await form.findByRole('radio', { name: new RegExp(card) })).toBeChecked()
  await fill('Amount', '12')
  await user.click(await button('Pay $12.00'))
  await screen.findByText('Paid. $12.00 was added to your balance.')
  expect(charged(1200)).toEqual(['succeeded'])
})

test('pays what the balance lacks with the saved card, and buys the plan', async ({ open, user, person, api }) => {
  const { projectId: project_id } = person
  await saveCard({ api, person })
  await open(`${paths.tariffs(project_id)}?period=year&plan=4`)
  const quote = await tariffs.quote('Quote for Business')
  await user.click(await within(quote).findByRole('button', { name: 'Pay $117.92 and buy' }))
  const asked = within(await dialog())
  expect(await asked.findByRole('radio', { name: new RegExp(card) })).toBeChecked()
  await user.click(asked.getByRole('button', { name: 'Pay $117.92 and buy' }))
  await screen.findByText('Paid. You bought Business.')
  expect(charged(11_792)).toEqual(['succeeded'])
  expect((await api(restream.slots, { project_id })).current?.id).toBe(4)
})
