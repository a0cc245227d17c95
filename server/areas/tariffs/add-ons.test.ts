// Transcoding and storage plans of a project through HTTP: slots, catalogues, quotes, purchases, renewal switches.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { recordings } from '#contract/areas/broadcasts/recordings.ts'
import { history } from '#contract/areas/projects/history.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { storage } from '#contract/areas/tariffs/storage.ts'
import { transcoding } from '#contract/areas/tariffs/transcoding.ts'
import type { Input, Operation } from '#contract/core/operation.ts'
import { report } from '#server/testing/nodes.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
let me: Person
beforeAll(async () => {
  world = await testApp()
})
afterAll(() => world.close())
beforeEach(async () => {
  world.clock.set(new Date('2026-11-01T00:00:00.000Z'))
  me = await world.user()
})

/** Advances the clock and signs in again: access tokens are short-lived. */
async function at(time: string) {
  world.clock.set(new Date(time))
  me = await world.signIn(me)
}
const call = <O extends Operation>(op: O, input: Input<O>, as = me) => world.api(op, input, { as })
const inMine = <T extends object>(input: T) => ({ project_id: me.projectId, ...input })
const flows = (planId: number, count?: number) =>
  inMine({ period: 'month' as const, plan_transcoding_id: planId, ...(count !== undefined && { count }) })
const space = (size: number) => inMine({ period: 'month' as const, plan_storage_id: 1, size })
const slotsOf = async (op: typeof transcoding.slots | typeof storage.slots) => (await call(op, inMine({}))).body
const held = async () => (await call(projects.info, inMine({}))).body.data.balance_bonus

test('a new project has one transcoder of 720p, and no storage in addition', async () => {
  const free = { id: 1, title: 'Free', count: 1, resolution: '720p', fps: '30', date_end: null, prolongation: 0 }
  expect(await slotsOf(transcoding.slots)).toEqual({ before: null, current: free, next: null })
  expect(await slotsOf(storage.slots)).toEqual({ before: null, current: null, next: null })
})

test('billing check 2: buys, upgrades, queues and cancels transcoding', async () => {
  await call(transcoding.buy, flows(2, 2))
  expect(await held()).toBe(18_000 - 980)
  await at('2026-11-16T00:00:00.000Z')
  const quote = (await call(transcoding.check, flows(3, 2))).body
  expect(quote).toEqual({
    amount: 1_780 - 490,
    balance: {
      balance: 17_020,
      currency: 'usd',
      balances_allow: ['bonus', 'payment', 'profit'],
      balances_values: { bonus: 17_020, payment: 0, profit: 0 },
    },
    refund: { current: 490, after: 0 },
    tariff_price_month: 1_780,
    tariff_price_quarter: 5_340,
    tariff_price_year: 19_224,
    sum: 1_780,
    refund_balance: 0,
    decrease_balance: 1_290,
    total: 0,
    button_name: 'Upgrade now',
    choose_status: 'upgrade',
    status: 'upgrade',
    units: 2,
  })
  expect((await call(transcoding.buy, { ...flows(3, 2), quote_total: 1_290 })).body).toEqual({ success: true })
  await call(transcoding.buy, flows(3, 1))
  expect(await slotsOf(transcoding.slots)).toMatchObject({
    before: { id: 2, count: 2, title: 'Full HD' },
    current: { id: 3, count: 2, resolution: '1080p', fps: '60', date_end: '2026-12-16T00:00:00.000Z' },
    next: { id: 3, count: 1, date_start: '2026-12-16T00:00:00.000Z', date_end: '2027-01-16T00:00:00.000Z' },
  })
  const refused = await call(transcoding.cancelNext, inMine({ plan_transcoding_id: 2 }))
  expect(refused).toMatchObject({ error: { name: 'NextPlanDiffers', data: { plan_transcoding_id: 3 } } })
  await call(transcoding.cancelNext, inMine({}))
  expect(await held()).toBe(17_020 - 1_290)
  expect((await call(restream.slots, inMine({}))).body).toMatchObject({ before: null, current: { id: 1 }, next: null })
})

test('billing check 2: buys, upgrades, queues and cancels storage', async () => {
  await call(storage.buy, space(100))
  await call(storage.buy, space(200))
  await call(storage.buy, space(50))
  expect(await slotsOf(storage.slots)).toMatchObject({
    before: { size: 100 },
    current: { size: 200, period: 'month', title: 'Recordings', date_end: '2026-12-01T00:00:00.000Z' },
    next: { size: 50 },
  })
  await call(storage.cancelNext, inMine({ plan_storage_id: 1 }))
  expect(await held()).toBe(18_000 - 1_200)
  const info = (await call(projects.info, inMine({}))).body
  expect(info.storage).toMatchObject({ plan2user: { plan_storage_id: 1, size: 200 }, data: { step: 10 } })
  expect(info.transcoding).toBeNull()
  await at('2026-12-01T00:00:00.000Z')
  expect(await slotsOf(storage.slots)).toMatchObject({ before: { size: 200 }, current: null, next: null })
})

test('adds the bought space to that of the restream plan', async () => {
  const limit = async () => (await call(recordings.limits, inMine({}))).body.video_limit
  const included = await limit()
  await call(storage.buy, space(100))
  expect(await limit()).toBe(included + 100_000_000_000)
})

test('a price that has changed refuses the purchase with the new quote', async () => {
  const { error } = await call(storage.buy, { ...space(100), quote_total: 1 })
  expect(error).toMatchObject({ name: 'QuoteChanged', data: { quote: { amount: 600, units: 100 } } })
})

test('without a plan the check shows the balance', async () => {
  expect((await call(storage.check, inMine({}))).body).toEqual({
    amount: 0,
    balance: expect.objectContaining({ balance: 18_000 }),
    refund: { current: 0, after: 0 },
  })
})

test('switches automatic renewal per line, and notes it in the history', async () => {
  expect(await call(transcoding.prolongation, inMine({ enabled: true }))).toMatchObject({
    error: { name: 'NothingToRenew' },
  })
  await call(transcoding.buy, flows(2))
  await call(transcoding.prolongation, inMine({ enabled: true }))
  expect(await slotsOf(transcoding.slots)).toMatchObject({ before: { prolongation: 0 }, current: { prolongation: 1 } })
  expect((await call(projects.info, inMine({}))).body).toMatchObject({
    transcoding: { plan2user: { prolongation: 1 } },
    restream: { plan2user: { prolongation: 0 } },
  })
  await call(restream.buy, inMine({ period: 'month', plan_restream_id: 2 }))
  await call(restream.prolongation, inMine({ enabled: true }))
  expect((await call(projects.info, inMine({}))).body.restream.plan2user.prolongation).toBe(1)
  await call(restream.prolongation, inMine({ enabled: false }))
  expect((await call(projects.info, inMine({}))).body.restream.plan2user.prolongation).toBe(0)
  const { results } = (await call(history.list, inMine({ limit: 3 }))).body
  expect(results.map(({ action, details }) => [action, details])).toEqual([
    ['plan_renewal_off', { line: 'restream' }],
    ['plan_renewal_on', { line: 'restream' }],
    ['plan_bought', { plan: 'Start', period: 'month', action: 'new' }],
  ])
})

describe('capacity', () => {
  const ffmpeg = { version: '7.1', x264: true, x265: true, srt: true }

  test('sells no more transcoders than the servers can run', async () => {
    await report(world.services, { ffmpeg, transcoders: { max: 4, free: 2 } })
    expect((await world.api(transcoding.list, {})).body.results.map(({ title, space: free }) => [title, free])).toEqual(
      [
        ['Free', 2],
        ['Full HD', 2],
        ['Full HD 60', 2],
        ['Ultra HD', 2],
      ],
    )
    expect(await call(transcoding.buy, flows(2, 4))).toMatchObject({
      error: { name: 'NoCapacity', data: { space: 2 } },
    })
    expect((await call(transcoding.buy, flows(2, 3))).body).toEqual({ success: true })
  })
})

test('shows the catalogue of storage and the discounts without a session', async () => {
  expect((await world.api(storage.list, {})).body.results).toEqual([
    {
      plan_storage_id: 1,
      title: 'Recordings',
      min: 10,
      max: 1_000,
      step: 10,
      price_rub: 500,
      price_usd: 6,
      active: true,
      discount: { month: 0, quarter: 0, year: 10, sold: ['month', 'year'] },
    },
  ])
  expect((await world.api(storage.discount, {})).body).toEqual({
    month: 0,
    quarter: 0,
    year: 10,
    sold: ['month', 'year'],
  })
  expect((await world.api(transcoding.discount, {})).body).toEqual({
    month: 0,
    quarter: 0,
    year: 10,
    sold: ['month', 'year'],
  })
})
