// Purchases and cancellations with a database: the example of docs/tariffs.md, refusals, balance types, sold terms.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { transaction } from '#server/db/transaction.ts'
import { fundedProject, topUp, type TariffWorld, tariffWorld } from '#server/testing/tariffs.ts'
import { getBalance, grantRegistrationBonus } from '#server/domain/money/ledger.ts'
import { sumOf } from '#server/domain/money/balance.ts'
import { currentSubscription } from './subscription-info.ts'
import { quotePurchase, readState } from './subscriptions.ts'
import { buy, type BuyRequest, cancelNext } from './subscriptions-change.ts'
import { insertPlanProject } from './store.ts'

let world: TariffWorld
beforeAll(async () => {
  world = await tariffWorld('2026-11-01T00:00:00.000Z')
})
afterAll(() => world.close())

const rich = { bonus: 2_000_000, payment: 0, profit: 0 }
const project = (held = rich, currency: 'rub' | 'usd' = 'rub') => fundedProject(world, currency, held)
const at = (time: string) => world.clock.set(new Date(time))
const purchase = (projectId: number, planId: number, more: Partial<BuyRequest> = {}) =>
  buy(world.db, world.clock, { projectId, line: 'restream', planId, period: 'month', ...more })
const slots = async (projectId: number) => (await readState(world.db, world.clock, projectId, 'restream')).slots

test('billing check 2: the example of docs/tariffs.md', async () => {
  const id = await project({ bonus: 0, payment: 0, profit: 0 })
  at('2026-11-01T00:00:00.000Z')
  await transaction(world.db, (trx) => grantRegistrationBonus(trx, world.clock, id))
  await transaction(world.db, (trx) => grantRegistrationBonus(trx, world.clock, id))

  const story: [string, () => Promise<unknown>, number, [number, number, string | null, number | null]][] = [
    ['2026-11-01T00:00:00.000Z', () => purchase(id, 2), 1_461_000, [1, 2, '2026-12-01', null]],
    ['2026-11-16T00:00:00.000Z', () => purchase(id, 4), 1_231_500, [2, 4, '2026-12-16', null]],
    ['2026-11-16T00:10:00.000Z', () => purchase(id, 2), 1_192_500, [2, 4, '2026-12-16', 2]],
    ['2026-11-16T00:20:00.000Z', () => purchase(id, 4), 943_500, [2, 4, '2027-01-16', 2]],
    ['2026-11-17T00:00:00.000Z', () => purchase(id, 3), 883_500, [2, 4, '2027-01-16', 3]],
    [
      '2026-11-17T00:05:00.000Z',
      () => cancelNext(world.db, world.clock, { projectId: id, line: 'restream', planId: 3 }),
      982_500,
      [2, 4, '2027-01-16', null],
    ],
    ['2027-01-16T00:00:00.000Z', () => Promise.resolve(), 982_500, [4, 1, null, null]],
  ]
  for (const [time, act, purse, [before, current, end, next]] of story) {
    at(time)
    await act()
    expect(sumOf(await getBalance(world.db, id))).toBe(purse)
    const now = await slots(id)
    expect([now.before?.planId, now.current.planId, now.current.end?.slice(0, 10) ?? null]).toEqual([
      before,
      current,
      end,
    ])
    expect(now.next?.planId ?? null).toBe(next)
  }
})

test('refunds each balance type that paid', async () => {
  at('2026-11-01T00:00:00.000Z')
  const id = await project({ bonus: 30_000, payment: 60_000, profit: 400_000 })
  await purchase(id, 3)
  expect(await getBalance(world.db, id)).toEqual({ bonus: 0, payment: 0, profit: 391_000 })
  at('2026-11-16T00:00:00.000Z')
  await purchase(id, 4)
  // 15 000 bonus, 30 000 payment and 4 500 profit are refunded, and spent again in that order.
  expect(await getBalance(world.db, id)).toEqual({ bonus: 0, payment: 0, profit: 395_500 - 204_000 })
})

test('keeps sold terms when the catalogue changes', async () => {
  const id = await project()
  await purchase(id, 2)
  const change = (channels: number) =>
    world.db.updateTable('restream_plans').set({ channel_max: channels }).where('id', '=', 2).execute()
  await change(4)
  expect((await slots(id)).current.channels).toBe(5)
  await change(5)
})

test('project info has the running subscription', async () => {
  at('2026-11-01T00:00:00.000Z')
  const id = await project()
  expect(
    await currentSubscription({ ...world, language: 'en' as const, config: { recordLimitGb: 20 } }, id),
  ).toMatchObject({
    plan2user: { plan_restream_id: 1, date_end: null, period: null },
    data: { plan_restream_id: 1, type: 'free', discount: { month: 0, year: 10 } },
  })
  await purchase(id, 3, { period: 'year' })
  expect(
    await currentSubscription({ ...world, language: 'en' as const, config: { recordLimitGb: 20 } }, id),
  ).toMatchObject({
    plan2user: { plan_restream_id: 3, period: 'year', date_end: '2027-11-01T00:00:00.000Z', prolongation: 0 },
    data: { title: 'Pro' },
  })
})

describe('refusals', () => {
  test.each([
    ['a plan that does not exist', { planId: 77 }, { name: 'PlanNotFound', status: 404 }],
    ['an id beyond all ids', { planId: 9_007_199_254_740_991 }, { name: 'PlanNotFound' }],
    ['a plan made for somebody else', { planId: 6 }, { name: 'PlanNotFound', status: 404 }],
    ['the free plan', { planId: 1 }, { name: 'PlanNotForSale', status: 400 }],
    [
      'a setting that is not offered',
      { planId: 5, channels: 11 },
      { name: 'SettingNotOffered', data: { parameter: 'channels', min: 10, max: 100, step: 5 } },
    ],
    [
      'more than the purses hold',
      { planId: 4, period: 'year' },
      { name: 'InsufficientBalance', data: { needed: 2_689_200, balance: 2_000_000, currency: 'rub' } },
    ],
  ] as const)('%s', async (_, wanted, refusal) => {
    const id = await project()
    await expect(purchase(id, 2, wanted)).rejects.toMatchObject(refusal)
    expect(await getBalance(world.db, id)).toEqual(rich)
    expect((await slots(id)).current.planId).toBe(1)
  })

  test('a purchase above the balance does not affect the running and the queued plan', async () => {
    const id = await project({ bonus: 150_000, payment: 0, profit: 0 })
    await purchase(id, 3)
    await purchase(id, 2)
    const before = await slots(id)
    await expect(purchase(id, 5, { channels: 100 })).rejects.toMatchObject({ name: 'InsufficientBalance' })
    expect(await slots(id)).toEqual(before)
    expect(await getBalance(world.db, id)).toEqual({ bonus: 12_000, payment: 0, profit: 0 })
  })

  test('a prolongation beyond 36 months', async () => {
    at('2026-11-01T00:00:00.000Z')
    const id = await project()
    for (let year = 0; year < 3; year++) await purchase(id, 2, { period: 'year' })
    await expect(purchase(id, 2)).rejects.toMatchObject({
      name: 'ProlongationLimit',
      data: { date_end_max: '2029-11-01T00:00:00.000Z' },
    })
  })

  test('a cancellation without a queued plan, or of another plan than the queued one', async () => {
    const id = await project()
    const cancel = (planId: number) => cancelNext(world.db, world.clock, { projectId: id, line: 'restream', planId })
    await expect(cancel(2)).rejects.toMatchObject({ name: 'NoNextPlan' })
    await purchase(id, 3)
    await expect(cancel(3)).rejects.toMatchObject({ name: 'NoNextPlan' })
    await purchase(id, 2)
    await expect(cancel(3)).rejects.toMatchObject({ name: 'NextPlanDiffers', data: { plan_restream_id: 2 } })
  })

  test('a key that was used for another purchase', async () => {
    const id = await project()
    await purchase(id, 2, { key: 'key-of-mine' })
    await expect(purchase(id, 3, { key: 'key-of-mine' })).rejects.toMatchObject({ name: 'IdempotencyKeyReused' })
  })
})

test('a refused purchase does not use up its key', async () => {
  const id = await project({ bonus: 38_999, payment: 0, profit: 0 })
  await expect(purchase(id, 2, { key: 'try-again' })).rejects.toMatchObject({ name: 'InsufficientBalance' })
  await topUp(world, id, { bonus: 1, payment: 0, profit: 0 })
  await purchase(id, 2, { key: 'try-again' })
  expect((await slots(id)).current.planId).toBe(2)
})

test('keeps a quote within the hour, and returns a new one afterwards', async () => {
  at('2026-11-01T00:00:00.000Z')
  const id = await project()
  await purchase(id, 2)
  at('2026-11-16T00:00:00.000Z')
  const request = { projectId: id, line: 'restream', planId: 4, period: 'month' } as const
  const quoted = (await quotePurchase(world.db, world.clock, request)).decision.total
  expect(quoted).toBe(229_500)
  at('2026-11-16T01:00:00.000Z')
  const changed = await purchase(id, 4, { quotedTotal: quoted })
  expect(changed).toMatchObject({ outcome: 'changed', quote: { decision: { total: 229_555 } } })
  expect((await slots(id)).current.planId).toBe(2)
  at('2026-11-16T01:59:59.000Z')
  expect(await purchase(id, 4, { quotedTotal: 229_555 })).toMatchObject({ outcome: 'bought' })
})

test('offers an unlisted plan only to the projects that it is assigned to', async () => {
  const id = await project()
  await insertPlanProject(world.db, 'restream', 6, id)
  await purchase(id, 6)
  expect((await slots(id)).current).toMatchObject({ planId: 6, channels: 100, bitrate: 100_000 })
})

test('sells an archived plan only where it runs', async () => {
  const [id, other] = [await project(), await project()]
  const sell = (active: 0 | 1) => world.db.updateTable('restream_plans').set({ active }).where('id', '=', 3).execute()
  await purchase(id, 3)
  await sell(0)
  await expect(purchase(other, 3)).rejects.toMatchObject({ name: 'PlanNotForSale' })
  await purchase(id, 3)
  expect((await slots(id)).current.planId).toBe(3)
  await sell(1)
})
