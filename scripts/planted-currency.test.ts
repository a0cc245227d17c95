// A currency is two entries: one of the currencies, and one of the list of a provider.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { PlantedTree } from './planted-tree.ts'

let tree: PlantedTree
beforeEach(() => {
  tree = new PlantedTree()
  tree.insertAfter(
    'contract/entities/currencies.ts',
    'export const currencies = {',
    '\n  eur: { countries: [276], languages: [] },',
  )
  tree.insertAfter(
    'server/domain/billing/providers/invoice/provider.ts',
    "'maxAmount'>[] = [",
    "\n  { id: 99, currency: 'eur', minAmount: 100, maxAmount: 100_000_00 },",
  )
})
afterEach(() => tree.remove())

/** Sells a plan and takes a transfer in euros, and then moves the balance to roubles. */
const sold = `import { paySettings } from '#contract/areas/billing/pay-settings.ts'
import { paySystems } from '#contract/areas/billing/pay-systems.ts'
import { payments } from '#contract/areas/billing/payments.ts'
import { payments as arrivals } from '#contract/areas/operator/payments.ts'
import { plans } from '#contract/areas/operator/plans.ts'
import { promos } from '#contract/areas/operator/promos.ts'
import { settings } from '#contract/areas/operator/settings.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { papers } from '#contract/areas/operator/papers.ts'
import { newOperator, testApp } from '#server/testing/test-app.ts'

const world = await testApp({ INVOICE_DETAILS: 'Pay to the account 1' })
const operator = await newOperator(world)
const ann = await world.user()
const call = async (op, input, as = ann) => {
  const { body, error } = await world.api(op, input, { as })
  if (error) throw new Error(op.id + ' ' + JSON.stringify(error))
  return body
}
const reason = 'A test'
const { id: plan_id, index, projects: _, assigned, ...fields } =
  (await call(plans.list, {}, operator)).restream.find(({ id }) => id === 2)
await call(plans.saveRestream, { ...fields, plan_id, price_eur: 450, reason }, operator)
const { bonus_eur } = await call(settings.get, {}, operator)
await call(restream.buy, { project_id: ann.projectId, plan_restream_id: 3, period: 'month' })
const { internal_id: project_id } = await call(projects.create, { name: 'Studio', currency: 'eur' })
const quote = await call(restream.check, { project_id, plan_restream_id: plan_id, period: 'month' })
const systems = (await call(paySystems.list, {})).results.filter(({ currency }) => currency === 'eur')
const { payment_id, pay_name } = await call(payments.create, { project_id, type: 'topup', amount: 2_000 })
await call(paySystems.create, { payment_id })
await call(arrivals.markPaid, { payment_id, amount: 2_000, reason }, operator)
const credit = { code: 'EURO', name: 'Euro', type: 'top_up', amount_eur: 700, reason }
await call(promos.create, credit, operator)
const { amount_eur } = (await call(promos.list, {}, operator)).results[0]
const before = (await call(projects.info, { project_id })).data
const rates = (await call(papers.get, {}, operator)).rates.map(({ from, to }) => from + ' ' + to)
await call(papers.setExchange, { from: 'eur', to: 'rub', minor: 10_050, reason }, operator)
const details = { project_id, countrie_id: 643, email: 'ann@example.com', pay_system_id: 0 }
await call(paySettings.set, details)
const after = (await call(projects.info, { project_id })).data
const balanceOf = ({ currency, balance_payment }) => [currency, balance_payment]
await world.close()
console.log(JSON.stringify({
  bonus_eur, rates, quote: [quote.currency, quote.sum], systems: systems.map((one) => one.pay_system_id), pay_name, amount_eur,
  before: balanceOf(before), after: balanceOf(after),
}))
`

test('sells, takes payments and exchanges in a currency of two new entries', () => {
  const { stdout, stderr } = tree.evaluate(sold)
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual({
    bonus_eur: 0,
    rates: ['eur usd', 'eur rub', 'usd rub'],
    quote: ['eur', 450],
    systems: [99],
    pay_name: 'invoice',
    amount_eur: 700,
    before: ['eur', 2_000],
    after: ['rub', 201_000],
  })
})

// A second check of all types: half a minute of a processor for what changes once in years.
test.runIf(process.env['NIGHTLY'])('the types of the product hold with another currency', () => {
  expect(tree.typeErrors(['server', 'src'], ['**/*.test.ts', '**/*.test.tsx', 'src/testing'])).toBe('')
})
