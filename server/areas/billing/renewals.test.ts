// Renewals over HTTP: where the money of the next one comes from, and why it will fail.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { methods } from '#contract/areas/billing/methods.ts'
import { renewals } from '#contract/areas/billing/renewals.ts'
import { history } from '#contract/areas/notifications/history.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { storage } from '#contract/areas/tariffs/storage.ts'
import { setBalance } from '#server/testing/billing.ts'
import { renewOnce } from '#server/testing/pay/renewal-jobs.ts'
import { StripeWorld } from '#server/testing/pay/stripe-world.ts'

const dayMs = 86_400_000
let stripe: StripeWorld
beforeEach(async () => {
  stripe = await StripeWorld.start()
})
afterEach(() => stripe.close())

const api: StripeWorld['world']['api'] = (...args) => stripe.world.api(...args)
const input = () => ({ project_id: stripe.ann.projectId })
const as = () => ({ as: stripe.ann })
const list = async () => (await api(renewals.list, input(), as())).body.results

/** Buys a restream and a storage plan, and switches their renewals on. @returns their prices */
async function bought(): Promise<readonly [restream: number, storage: number]> {
  await setBalance(stripe.world, stripe.ann.projectId, { payment: 100_000 })
  const plan = { ...input(), period: 'month' } as const
  expect((await api(restream.buy, { ...plan, plan_restream_id: 2 }, as())).status).toBe(200)
  expect((await api(storage.buy, { ...plan, plan_storage_id: 1, size: 100 }, as())).status).toBe(200)
  for (const op of [restream.prolongation, storage.prolongation]) await api(op, { ...input(), enabled: true }, as())
  const [first, second] = await list()
  return [first?.amount ?? 0, second?.amount ?? 0]
}

test('divides one balance between the renewals, in the order of their dates', async () => {
  const [first, second] = await bought()
  expect(Math.min(first, second)).toBeGreaterThan(0)
  await setBalance(stripe.world, stripe.ann.projectId, { payment: first + 100, profit: 50_000 })
  expect(await list()).toMatchObject([
    { line: 'restream', from_balance: first, missing: 0, charge: 0, obstacle: null },
    { line: 'storage', from_balance: 100, missing: second - 100, charge: 0, obstacle: 'no_method' },
  ])
})

test('names the method that is charged for the rest, and that a debt prevents it', async () => {
  const [, second] = await bought()
  await stripe.topUp(2_000, { save: 1 })
  const [method] = (await api(methods.list, input(), as())).body.results
  await setBalance(stripe.world, stripe.ann.projectId, {})
  const [, row] = await list()
  expect(row).toMatchObject({ from_balance: 0, missing: second, method: method?.title, obstacle: null })
  expect(row?.charge).toBeGreaterThanOrEqual(second)
  stripe.double.tell('charge.dispute.created', stripe.double.state.dispute(intentOf(), 2_000))
  await stripe.deliver()
  expect(await list()).toMatchObject([{ obstacle: 'DebtOpen' }, { obstacle: 'DebtOpen' }])
})

const intentOf = () => [...stripe.double.state.intents.values()].at(-1)?.id ?? ''

test('notifies of a renewal that the money will not be enough for', async () => {
  await bought()
  await setBalance(stripe.world, stripe.ann.projectId, {})
  const { date_end } = (await list())[0] ?? {}
  await stripe.pass(Date.parse(date_end ?? '') - stripe.world.clock.now().getTime() - 9 * dayMs)
  stripe.ann = await stripe.world.signIn(stripe.ann)
  await renewOnce(stripe.world.services)
  const { results } = (await api(history.list, { limit: 50 }, as())).body
  const ahead = results.filter(({ name }) => name === 'plan_renewal_ahead')
  expect(ahead).toHaveLength(2)
  for (const { text } of ahead)
    expect(text.find((one) => one.language_iso === 'en')?.text).toMatch(/The balance lacks \d+\.\d\d USD/)
})
