// Quarters: not for sale until an operator sells them, then a period as any other.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { renewals } from '#contract/areas/billing/renewals.ts'
import { plans } from '#contract/areas/operator/plans.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { brokenRules } from '#server/testing/tariffs.ts'
import { newOperator, type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
let me: Person
beforeAll(async () => {
  world = await testApp()
  world.clock.set(new Date('2026-11-30T10:00:00.000Z'))
  me = await world.user()
})
afterAll(() => world.close())

const chosen = () => ({ project_id: me.projectId, plan_restream_id: 3, period: 'quarter' }) as const
const check = async () => (await world.api(restream.check, { ...chosen(), use_balance: 1 }, { as: me })).body
const buy = (more: object = {}) => world.api(restream.buy, { ...chosen(), ...more }, { as: me })
const current = async () => (await world.api(restream.slots, { project_id: me.projectId }, { as: me })).body.current
const bonus = async () =>
  (await world.api(projects.info, { project_id: me.projectId }, { as: me })).body.data.balance_bonus

test('is not for sale until an operator sells it, with a discount of its own', async () => {
  expect((await buy()).error?.name).toBe('PeriodNotForSale')
  const operator = await newOperator(world)
  const reason = 'A test'
  await world.api(plans.setPeriod, { period: 'quarter', sold: true, reason }, { as: operator })
  const discounts = { month: 0, quarter: 5, year: 10 }
  await world.api(plans.setDiscount, { line: 'restream', ...discounts, reason }, { as: operator })
  const { results } = (await world.api(restream.list, {}, { as: me })).body
  expect(results[0]?.discount).toEqual({ ...discounts, sold: ['month', 'quarter', 'year'] })
  const offers = (await world.api(restream.offers, { project_id: me.projectId }, { as: me })).body.results
  expect(offers.find(({ title }) => title === 'Pro')?.price).toEqual({ month: 1_190, quarter: 3_392, year: 12_852 })
})

test('costs three months less its discount, ends on the last day of a shorter month, and prolongs', async () => {
  const before = await bonus()
  expect(await check()).toMatchObject({ tariff_price_month: 1_190, tariff_price_quarter: 3_392, sum: 3_392 })
  expect((await buy({ quote_total: 3_392 })).body).toEqual({ success: true })
  expect((await current())?.date_end).toBe('2027-02-28T10:00:00.000Z')
  expect((await buy()).body).toEqual({ success: true })
  expect((await current())?.date_end).toBe('2027-05-30T10:00:00.000Z')
  // A replaced plan comes back by the hour: 2160 hours to 28 February, of which 1440 are left, and the whole second quarter.
  world.clock.set(new Date('2026-12-30T10:00:00.000Z'))
  me = await world.signIn(me)
  await buy({ plan_restream_id: 4, period: 'month' })
  expect(await bonus()).toBe(before - 2 * 3_392 + Math.floor((3_392 * 1_440) / 2_160) + 3_392 - 2_990)
  expect(await brokenRules({ db: world.app.db, clock: world.clock }, me.projectId)).toEqual([])
})

test('is renewed for a quarter', async () => {
  me = await world.user()
  await buy()
  await world.api(restream.prolongation, { project_id: me.projectId, enabled: true }, { as: me })
  const { results } = (await world.api(renewals.list, { project_id: me.projectId }, { as: me })).body
  expect(results.find(({ line }) => line === 'restream')).toMatchObject({ amount: 3_392 })
})
