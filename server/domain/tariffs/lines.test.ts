// Transcoding and storage plans, and purchases in a given transaction: held quotes, gifts, chosen balances, ends, renewals.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LineName } from '#contract/entities/plan.ts'
import { transaction } from '#server/db/transaction.ts'
import { brokenRules, fundedProject, type TariffWorld, tariffWorld, endPlans } from '#server/testing/tariffs.ts'
import { getBalance } from '#server/domain/money/ledger.ts'
import { setRenewal, buy, buyIn, type BuyRequest, cancelNext, endPlanIn } from './subscriptions-change.ts'
import { findRenewal, listRenewals } from './subscriptions-store.ts'
import { quotePurchase, readState } from './subscriptions.ts'

let world: TariffWorld
beforeAll(async () => {
  world = await tariffWorld('2026-11-01T00:00:00.000Z')
})
afterAll(() => world.close())

const bonus = (amount: number) => ({ bonus: amount, payment: 0, profit: 0 })
const at = (time: string) => world.clock.set(new Date(time))
const flows = { line: 'transcoding', planId: 2, period: 'month' } as const
const space = { line: 'storage', planId: 1, period: 'month' } as const
const purchase = (projectId: number, request: Omit<BuyRequest, 'projectId'>) =>
  buy(world.db, world.clock, { projectId, ...request })
const slots = async <L extends LineName>(projectId: number, line: L) =>
  (await readState(world.db, world.clock, projectId, line)).slots

test('sells transcoders by count, upgrades now and downgrades at the end', async () => {
  at('2026-11-01T00:00:00.000Z')
  const id = await fundedProject(world, 'rub', bonus(1_000_000))
  expect((await slots(id, 'transcoding')).current).toMatchObject({ planId: 1, count: 1, resolution: '720p', end: null })
  await purchase(id, { ...flows, count: 2 })
  expect(await getBalance(world.db, id)).toEqual(bonus(1_000_000 - 78_000))
  await purchase(id, { ...flows, planId: 3, count: 2 })
  expect(await getBalance(world.db, id)).toEqual(bonus(1_000_000 - 138_000))
  await purchase(id, { ...flows, planId: 3, count: 1 })
  expect(await slots(id, 'transcoding')).toMatchObject({
    before: { planId: 2 },
    current: { planId: 3, count: 2, resolution: '1080p', fps: 60 },
    next: { planId: 3, count: 1, start: '2026-12-01T00:00:00.000Z' },
  })
  expect((await slots(id, 'restream')).current).toMatchObject({ planId: 1, end: null })
  await expect(purchase(id, { ...flows, count: 51 })).rejects.toMatchObject({
    name: 'SettingNotOffered',
    data: { parameter: 'count', min: 1, max: 50, step: 1 },
  })
  await expect(purchase(id, { ...flows, planId: 1 })).rejects.toMatchObject({
    name: 'PlanNotForSale',
    data: { plan_transcoding_id: 1 },
  })
})

/** Settings of a line from the smallest to the largest, each with its price of a month, kopecks. */
const sizes = {
  transcoding: [1, 2, 3].map((count) => [{ ...flows, count }, 39_000 * count] as const),
  storage: [100, 200, 300].map((size) => [{ ...space, size }, 500 * size] as const),
}

test.each(Object.entries(sizes))('billing check 2: the example of docs/tariffs.md with %s', async (_line, settings) => {
  const [small, mid, big] = settings.map(([request]) => request) as [BuyRequest, BuyRequest, BuyRequest]
  const [low, middle, high] = settings.map(([, price]) => price) as [number, number, number]
  const { line } = small
  const id = await fundedProject(world, 'rub', bonus(1_000_000))
  const cancel = () => cancelNext(world.db, world.clock, { projectId: id, line })
  const story: [string, () => Promise<unknown>, number, [number, string | null, number | null]][] = [
    ['2026-11-01T00:00:00.000Z', () => purchase(id, small), low, [low, '2026-12-01', null]],
    ['2026-11-16T00:00:00.000Z', () => purchase(id, big), high - low / 2, [high, '2026-12-16', null]],
    ['2026-11-16T00:10:00.000Z', () => purchase(id, small), low, [high, '2026-12-16', low]],
    ['2026-11-16T00:20:00.000Z', () => purchase(id, big), high, [high, '2027-01-16', low]],
    ['2026-11-17T00:00:00.000Z', () => purchase(id, mid), middle - low, [high, '2027-01-16', middle]],
    ['2026-11-17T00:05:00.000Z', cancel, -middle, [high, '2027-01-16', null]],
    ['2027-01-16T00:00:00.000Z', () => Promise.resolve(), 0, [0, null, null]],
  ]
  let held = 1_000_000
  for (const [time, act, cost, expected] of story) {
    at(time)
    await act()
    held -= cost
    expect(await getBalance(world.db, id), time).toEqual(bonus(held))
    const { current, next } = await slots(id, line)
    const paid = (term: typeof next) => term?.periods.at(-1)?.paid.bonus ?? null
    expect([paid(current) ?? 0, current.end?.slice(0, 10) ?? null, paid(next)], time).toEqual(expected)
  }
})

test('sells storage by size, and has none without a plan', async () => {
  at('2026-11-01T00:00:00.000Z')
  const id = await fundedProject(world, 'usd', bonus(10_000))
  expect((await slots(id, 'storage')).current).toMatchObject({ planId: 0, size: 0, end: null })
  await purchase(id, { ...space, size: 100 })
  await purchase(id, { ...space, size: 20 })
  expect(await slots(id, 'storage')).toMatchObject({
    before: { planId: 0 },
    current: { size: 100, end: '2026-12-01T00:00:00.000Z' },
    next: { size: 20 },
  })
  expect(await getBalance(world.db, id)).toEqual(bonus(10_000 - 600 - 120))
  await cancelNext(world.db, world.clock, { projectId: id, line: 'storage' })
  expect(await getBalance(world.db, id)).toEqual(bonus(10_000 - 600))
  at('2026-12-01T00:00:00.000Z')
  expect(await slots(id, 'storage')).toMatchObject({ before: { size: 100 }, current: { size: 0 }, next: null })
})

test('charges a held quote as of its moment, while the slots and prices are unchanged', async () => {
  at('2026-11-01T00:00:00.000Z')
  const id = await fundedProject(world, 'rub', bonus(1_000_000))
  await purchase(id, { ...flows, count: 1 })
  at('2026-11-16T00:00:00.000Z')
  const request = { projectId: id, ...flows, count: 3 }
  const quote = await quotePurchase(world.db, world.clock, request)
  at('2026-11-16T20:00:00.000Z')
  const held = { ...request, asOf: quote, quotedTotal: quote.decision.total }
  const result = await transaction(world.db, (trx) => buyIn(trx, world.clock, held))
  expect(result).toMatchObject({ outcome: 'bought', quote: { decision: { total: 117_000 - 19_500 } } })
  expect((await slots(id, 'transcoding')).current).toMatchObject({ count: 3, start: '2026-11-16T00:00:00.000Z' })
  // The purchase has changed the slots.
  expect(await transaction(world.db, (trx) => buyIn(trx, world.clock, held))).toMatchObject({ outcome: 'changed' })
  expect(await brokenRules(world, id)).toEqual([])
})

test('begins a first plan now, also with a quote of yesterday', async () => {
  at('2026-11-01T00:00:00.000Z')
  const id = await fundedProject(world, 'rub', bonus(100_000))
  const asOf = await quotePurchase(world.db, world.clock, { projectId: id, ...flows })
  at('2026-11-01T23:00:00.000Z')
  expect(await purchase(id, { ...flows, asOf })).toMatchObject({ outcome: 'bought' })
  expect((await slots(id, 'transcoding')).current.start).toBe('2026-11-01T23:00:00.000Z')
})

test('a gift begins or prolongs a plan without money, and replaces none', async () => {
  const id = await fundedProject(world, 'rub', bonus(0))
  const gift = 'promo_create_plan_transcoding_1'
  expect(await purchase(id, { ...flows, gift })).toMatchObject({ outcome: 'bought' })
  expect(await purchase(id, { ...flows, gift })).toMatchObject({ outcome: 'bought' })
  expect(await purchase(id, { ...flows, planId: 3, gift })).toMatchObject({ outcome: 'replaces' })
  expect((await slots(id, 'transcoding')).current.periods).toHaveLength(2)
  expect(await brokenRules(world, id)).toEqual([])
})

test('spends the named balances only', async () => {
  const id = await fundedProject(world, 'rub', { bonus: 10_000, payment: 0, profit: 90_000 })
  await expect(purchase(id, { ...flows, from: ['bonus', 'payment'] })).rejects.toMatchObject({
    name: 'InsufficientBalance',
    data: { needed: 39_000, balance: 10_000 },
  })
})

test('ends a plan now and refunds it with the queued one', async () => {
  at('2026-11-01T00:00:00.000Z')
  const id = await fundedProject(world, 'rub', bonus(500_000))
  await purchase(id, { ...flows, count: 2 })
  await purchase(id, { ...flows, count: 1 })
  at('2026-11-16T00:00:00.000Z')
  const end = () => transaction(world.db, (trx) => endPlanIn(trx, world.clock, id, 'transcoding'))
  expect(await end()).toBe(true)
  expect(await end()).toBe(false)
  expect(await getBalance(world.db, id)).toEqual(bonus(500_000 - 39_000))
  expect(await slots(id, 'transcoding')).toMatchObject({ before: { count: 2 }, current: { planId: 1 }, next: null })
  expect(await brokenRules(world, id)).toEqual([])
})

test('keeps the renewal switch of each line until the line has no bought plan', async () => {
  at('2026-11-01T00:00:00.000Z')
  const id = await fundedProject(world, 'rub', bonus(500_000))
  const set = (line: LineName, isOn: boolean) =>
    transaction(world.db, (trx) => setRenewal(trx, world.clock, { projectId: id, line, isOn }))
  await expect(set('storage', true)).rejects.toMatchObject({ name: 'NothingToRenew' })
  await purchase(id, { ...flows, count: 2 })
  await purchase(id, { ...flows, count: 1 })
  await set('transcoding', true)
  await set('transcoding', true)
  const mine = async (before: string) =>
    (await listRenewals(world.db, before, 100)).filter(({ projectId }) => projectId === id)
  expect(await mine('2026-12-31T00:00:00.000Z')).toEqual([])
  expect(await mine('2027-01-01T00:00:00.000Z')).toEqual([
    { projectId: id, line: 'transcoding', end: '2027-01-01T00:00:00.000Z' },
  ])
  const roll = () => endPlans({ ...world, fit: async () => undefined, onEnd: () => undefined })
  at('2026-12-01T00:00:00.000Z')
  await roll()
  expect(await findRenewal(world.db, id, 'transcoding')).toBe(true)
  at('2027-01-01T00:00:00.000Z')
  await roll()
  expect(await findRenewal(world.db, id, 'transcoding')).toBe(false)
})
