// Catalogues edited by operators: what was sold stays, the free plan changes everywhere, broken plans are refused.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { renewals } from '#contract/areas/billing/renewals.ts'
import { plans } from '#contract/areas/operator/plans.ts'
import { promos } from '#contract/areas/operator/promos.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { storage } from '#contract/areas/tariffs/storage.ts'
import { transcoding } from '#contract/areas/tariffs/transcoding.ts'
import type { Input } from '#contract/core/operation.ts'
import { newOperator, type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
let operator: Person
beforeAll(async () => {
  world = await testApp()
  operator = await newOperator(world)
})
afterAll(() => world.close())

const reason = 'A test'
const catalogue = async () => (await world.api(plans.list, {}, { as: operator })).body
const restreamPlan = async (id: number) => {
  const plan = (await catalogue()).restream.find((one) => one.id === id)
  if (!plan) throw new Error(`There is no plan ${id}`)
  const { id: plan_id, index: _, projects: __, assigned: ___, ...fields } = plan
  return { plan_id, reason, ...fields }
}
const save = (input: Input<typeof plans.saveRestream>) => world.api(plans.saveRestream, input, { as: operator })
const current = async (me: Person, through = world.app) =>
  (await world.api(restream.slots, { project_id: me.projectId }, { as: me, through })).body.current

test('editing a plan changes neither what was sold nor its end', async () => {
  const me = await world.user()
  const before = (await catalogue()).restream.find(({ id }) => id === 2)?.projects ?? 0
  await world.api(restream.buy, { project_id: me.projectId, plan_restream_id: 2, period: 'month' }, { as: me })
  const sold = await current(me)
  const start = await restreamPlan(2)
  await save({ ...start, channel_max: 3, price_usd: 790, title: 'Start 2' })
  expect(await current(me)).toEqual(sold)
  const row = (await catalogue()).restream.find(({ id }) => id === 2)
  expect(row).toMatchObject({ title: 'Start 2', channel_max: 3, price_usd: 790, projects: before + 1 })
  await save(start)
})

test('a change of the free plan reaches every replica', async () => {
  const me = await world.user()
  const replica = await world.replica()
  const free = await restreamPlan(1)
  expect((await current(me, replica))?.channel_max).toBe(2)
  await save({ ...free, channel_max: 4 })
  await expect.poll(async () => (await current(me, replica))?.channel_max).toBe(4)
  await save(free)
  await expect.poll(async () => (await current(me, replica))?.channel_max).toBe(2)
})

test('makes a custom plan, and shows it to one project', async () => {
  const [me, other] = [await world.user(), await world.user()]
  const { plan_id: _, ...pro } = await restreamPlan(3)
  const { body } = await save({ ...pro, title: 'For a school', type: 'custom', listed: false })
  const offered = async (person: Person) =>
    (await world.api(restream.offers, { project_id: person.projectId }, { as: person })).body.results.some(
      ({ title }) => title === 'For a school',
    )
  expect(await offered(me)).toBe(false)
  const assign = { plan_id: body.id, target_project_id: me.projectId, reason }
  await world.api(plans.assign, { ...assign, assigned: true }, { as: operator })
  expect([await offered(me), await offered(other)]).toEqual([true, false])
  await world.api(plans.assign, { ...assign, assigned: false }, { as: operator })
  expect(await offered(me)).toBe(false)
})

test('an unlisted plan of another line is seen and bought by the projects that it is assigned to', async () => {
  const [me, other] = [await world.user(), await world.user()]
  const { id: _, index: __, projects: ___, assigned: ____, ...flows } = (await catalogue()).transcoding.at(-1)!
  const { id: _a, index: _b, projects: _c, assigned: _d, ...space } = (await catalogue()).storage.at(-1)!
  const title = 'For a school'
  const added = { ...flows, type: 'custom', listed: false, title, reason } as const
  const transcodingId = (await world.api(plans.saveTranscoding, added, { as: operator })).body.id
  const storageId = (await world.api(plans.saveStorage, { ...space, listed: false, title, reason }, { as: operator }))
    .body.id
  for (const [line, plan_id] of [
    ['transcoding', transcodingId],
    ['storage', storageId],
  ] as const) {
    const offered = async (person: Person) => {
      const op = line === 'storage' ? storage.offers : transcoding.offers
      const { results } = (await world.api(op, { project_id: person.projectId }, { as: person })).body
      return results.some((plan) => plan.title === title)
    }
    const buy = async (person: Person) => {
      const input = { project_id: person.projectId, period: 'month' } as const
      const answer =
        line === 'storage'
          ? await world.api(storage.buy, { ...input, plan_storage_id: plan_id, size: space.size_min }, { as: person })
          : await world.api(transcoding.buy, { ...input, plan_transcoding_id: plan_id, count: 1 }, { as: person })
      return answer.status
    }
    expect([await offered(me), await buy(me)]).toEqual([false, 404])
    const assign = { line, plan_id, target_project_id: me.projectId, reason }
    await world.api(plans.assign, { ...assign, assigned: true }, { as: operator })
    expect((await catalogue())[line].find(({ id }) => id === plan_id)?.assigned).toEqual([me.projectId])
    expect([await offered(me), await offered(other), await buy(other), await buy(me)]).toEqual([true, false, 404, 200])
    await world.api(plans.assign, { ...assign, assigned: false }, { as: operator })
    expect([await offered(me), await buy(me)]).toEqual([false, 404])
  }
})

test('orders a catalogue, and sets its discounts', async () => {
  const ids = async () => (await catalogue()).restream.map(({ id }) => id)
  const before = await ids()
  await world.api(plans.order, { line: 'restream', plan_ids: [3, 2], reason }, { as: operator })
  expect((await ids()).slice(0, 2)).toEqual([3, 2])
  await world.api(plans.order, { line: 'restream', plan_ids: before, reason }, { as: operator })
  expect(await ids()).toEqual(before)

  await world.api(plans.setDiscount, { line: 'storage', month: 5, quarter: 10, year: 20, reason }, { as: operator })
  expect((await catalogue()).discounts.storage).toEqual({ month: 5, quarter: 10, year: 20 })
})

test('edits the plans of the other lines', async () => {
  const before = await catalogue()
  for (const [op, row] of [
    [plans.saveTranscoding, before.transcoding.at(-1)],
    [plans.saveStorage, before.storage.at(-1)],
  ] as const) {
    const { id: plan_id, index: _, projects: __, assigned: ___, ...fields } = row!
    const input = { ...fields, plan_id, title: 'Changed', reason } as never
    expect((await world.api(op, input, { as: operator })).body).toEqual({ id: plan_id })
  }
  const after = await catalogue()
  expect([after.transcoding.at(-1)?.title, after.storage.at(-1)?.title]).toEqual(['Changed', 'Changed'])
})

test('refuses plans that no project could have', async () => {
  const [free, flexible, studio] = [await restreamPlan(1), await restreamPlan(5), await restreamPlan(6)]
  for (const [plan, field, cause] of [
    [{ ...free, active: false }, 'active', 'free'],
    [{ ...free, price_usd: 100 }, 'price_usd', 'free'],
    [{ ...flexible, channel_step: 7 }, 'channel_step', 'steps'],
    [{ ...flexible, bitrate_min: null, bitrate_step: null }, 'bitrate_step', 'steps'],
    [{ ...flexible, type: 'paid_fix', plan_id: undefined }, 'channel_step', 'fixed'],
    [{ ...studio, listed: true }, 'listed', 'custom'],
    [{ ...free, plan_id: undefined }, 'type', 'free'],
  ] as const) {
    const { error } = await save(plan)
    expect([error?.name, error?.data]).toEqual(['PlanInvalid', { field, reason: cause }])
  }
  // The plan of installations without plans is no plan of a catalogue.
  expect((await save({ ...studio, plan_id: 7 })).error?.name).toBe('PlanNotFound')
})

test('logs each change with the state before and after', async () => {
  const log = await world.app.db.selectFrom('operator_log').selectAll().execute()
  expect(new Set(log.map(({ action }) => action))).toEqual(new Set(['plan', 'plan_assign', 'plan_order', 'discounts']))
  const edited = log.find(({ action, after }) => action === 'plan' && after?.includes('Start 2'))
  expect(JSON.parse(edited?.before ?? '')).toMatchObject({ title: 'Start', price_usd: 490 })
  expect(log.every(({ user_id, reason: why }) => user_id === operator.id && why === reason)).toBe(true)
})

test('a period that is not sold: bought plans are prolonged by it, no project buys it, one period stays', async () => {
  const [me, other] = [await world.user(), await world.user()]
  const buy = (person: Person, period: 'month' | 'year') =>
    world.api(restream.buy, { project_id: person.projectId, plan_restream_id: 2, period }, { as: person })
  expect((await buy(me, 'month')).status).toBe(200)
  const setPeriod = (period: 'month' | 'year', sold: boolean) =>
    world.api(plans.setPeriod, { period, sold, reason }, { as: operator })
  await setPeriod('month', false)
  expect((await catalogue()).periods).toEqual([
    { period: 'month', sold: false },
    { period: 'quarter', sold: false },
    { period: 'year', sold: true },
  ])
  expect((await world.api(restream.discount, {})).body).toMatchObject({ sold: ['year'] })
  expect(await setPeriod('year', false)).toMatchObject({ status: 400, body: { error: { name: 'LastPeriod' } } })
  expect(await buy(other, 'month')).toMatchObject({ status: 400, body: { error: { name: 'PeriodNotForSale' } } })
  expect((await buy(other, 'year')).status).toBe(200)
  expect((await buy(me, 'month')).status).toBe(200)
  await setPeriod('month', true)
  const third = await world.user()
  expect((await buy(third, 'month')).status).toBe(200)
})

test('an archived plan is sold to no other project, and goes on where it runs', async () => {
  const [me, other] = [await world.user(), await world.user()]
  const buy = (person: Person) =>
    world.api(restream.buy, { project_id: person.projectId, plan_restream_id: 3, period: 'month' }, { as: person })
  const offered = async (person: Person) =>
    (await world.api(restream.offers, { project_id: person.projectId }, { as: person })).body.results.some(
      ({ plan_restream_id }) => plan_restream_id === 3,
    )
  expect((await buy(me)).status).toBe(200)
  await world.api(restream.prolongation, { project_id: me.projectId, enabled: true }, { as: me })
  const open = await restreamPlan(3)
  await save({ ...open, active: false })
  expect([await offered(me), await offered(other)]).toEqual([true, false])
  expect((await buy(other)).error?.name).toBe('PlanNotForSale')
  const { body } = await world.api(renewals.list, { project_id: me.projectId }, { as: me })
  expect(body.results).toMatchObject([{ line: 'restream', amount: open.price_usd, reason: null }])
  expect((await buy(me)).status).toBe(200)
  await save(open)
})

test('a plan has a name in each language, and its own one in the others', async () => {
  const me = await world.user()
  const start = await restreamPlan(2)
  await save({ ...start, title_ru: 'Старт', title_cn: '入门' })
  const titles = async (language: 'en' | 'ru' | 'cn') => {
    const input = { project_id: me.projectId, language } as never
    const offers = (await world.api(restream.offers, input, { as: me })).body.results
    const list = (await world.api(restream.list, { language } as never)).body.results
    return [
      offers.find(({ plan_restream_id }) => plan_restream_id === 2)?.title,
      list.find(({ plan_restream_id }) => plan_restream_id === 2)?.title,
    ]
  }
  expect([await titles('en'), await titles('ru'), await titles('cn')]).toEqual([
    ['Start', 'Start'],
    ['Старт', 'Старт'],
    ['入门', '入门'],
  ])
  expect(await restreamPlan(2)).toMatchObject({ title_en: null, title_ru: 'Старт' })
  await save(start)
  expect(await titles('ru')).toEqual(['Start', 'Start'])
})

test('removes a plan that was never bought, and says why another one stays', async () => {
  const me = await world.user()
  const { plan_id: _, ...pro } = await restreamPlan(3)
  const remove = (plan_id: number) => world.api(plans.remove, { line: 'restream', plan_id, reason }, { as: operator })
  const fresh = (await save({ ...pro, title: 'Mistake', title_ru: 'Ошибка' })).body.id
  expect((await remove(fresh)).status).toBe(200)
  expect((await catalogue()).restream.some(({ id }) => id === fresh)).toBe(false)
  expect((await remove(fresh)).error?.name).toBe('PlanNotFound')

  const sold = (await save({ ...pro, title: 'Sold' })).body.id
  await world.api(restream.buy, { project_id: me.projectId, plan_restream_id: sold, period: 'month' }, { as: me })
  expect((await remove(sold)).error?.name).toBe('PlanSold')
  const given = (await save({ ...pro, title: 'Given' })).body.id
  const code = { code: 'GIVEN', name: 'A month', type: 'restream', plan_id: given, period: 'month', reason } as const
  await world.api(promos.create, code, { as: operator })
  expect((await remove(given)).error?.name).toBe('PlanHasCode')
  expect((await remove(1)).error?.name).toBe('PlanInvalid')
})
