// Restream tariff of a project through HTTP: slots, catalogue, quotes in three languages, purchases, rights.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { recordings } from '#contract/areas/broadcasts/recordings.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import type { Input, Operation } from '#contract/core/operation.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'
import { insertPlanProject } from '#server/domain/tariffs/store.ts'

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

const free = { id: 1, channel_max: 2, bitrate_max: 10_000, support_custom_channel: false, custom_video: 0 }
const inMine = <T extends object>(input: T) => ({ project_id: me.projectId, ...input })
const month = <T extends object>(planId: number, more?: T) =>
  inMine({ period: 'month' as const, plan_restream_id: planId, ...more })
const slots = async () => (await call(restream.slots, inMine({}))).body
const balances = async () => (await call(projects.info, inMine({}))).body.data

test('a new project has the free plan and its bonus, and neither a previous nor a next plan', async () => {
  expect(await slots()).toEqual({ before: null, current: { ...free, date_end: null }, next: null })
  expect(await balances()).toMatchObject({
    balance_bonus: 18_000,
    balance_payment: 0,
    balance_profit: 0,
    currency: 'usd',
  })
})

test('buys, upgrades, queues a lower plan, cancels it, and ends the period', async () => {
  await call(restream.buy, month(2))
  const bought = { id: 2, channel_max: 5, bitrate_max: 12_000, support_custom_channel: true, custom_video: 0 }
  expect(await slots()).toEqual({
    before: { ...free, date_end: '2026-11-01T00:00:00.000Z' },
    current: { ...bought, date_end: '2026-12-01T00:00:00.000Z' },
    next: null,
  })

  await at('2026-11-16T00:00:00.000Z')
  const quote = (await call(restream.check, { ...month(3), use_balance: 1 })).body
  expect(quote).toEqual({
    tariff_price_month: 1_190,
    tariff_price_quarter: 3_570,
    tariff_price_year: 12_852,
    balance: 17_510,
    sum: 1_190,
    refund_current: 245,
    refund_after: 0,
    refund_balance: 0,
    decrease_balance: 945,
    total: 0,
    button_name: 'Upgrade now',
    currency: 'usd',
    choose_status: 'upgrade',
    status: 'upgrade',
    channel: 10,
    bitrate: 20_000,
  })
  expect((await call(restream.buy, month(3, { quote_total: 945 }))).body).toEqual({ success: true })
  expect((await balances()).balance_bonus).toBe(17_510 - 945)

  await call(restream.buy, month(2))
  expect((await slots()).next).toEqual({
    ...bought,
    date_start: '2026-12-16T00:00:00.000Z',
    date_end: '2027-01-16T00:00:00.000Z',
  })
  await call(restream.cancelNext, inMine({ plan_restream_id: 2 }))
  expect((await balances()).balance_bonus).toBe(17_510 - 945)

  await at('2026-12-16T00:00:00.000Z')
  expect(await slots()).toMatchObject({ before: { id: 3 }, current: { id: 1, date_end: null }, next: null })
})

test('project info contains the running subscription', async () => {
  await call(restream.buy, inMine({ period: 'year', plan_restream_id: 3 }))
  const info = (await call(projects.info, inMine({}))).body
  expect(info.restream).toMatchObject({
    plan2user: { plan_restream_id: 3, period: 'year', date_end: '2027-11-01T00:00:00.000Z' },
    data: { plan_restream_id: 3, title: 'Pro' },
  })
})

describe('catalogue', () => {
  test('shows the public plans without a session, and no custom plan of another customer', async () => {
    const { body } = await world.api(restream.list, {})
    expect(body.results.map(({ title }) => title)).toEqual(['Free', 'Start', 'Pro', 'Business', 'Flexible'])
    expect(body.feature.results).toContainEqual({ name: 'bitrate_max', unit: 'kbps' })
    expect((await world.api(restream.discount, {})).body).toEqual({
      month: 0,
      quarter: 0,
      year: 10,
      sold: ['month', 'year'],
    })
  })

  test('shows a project its prices, how each plan compares with its own, and its custom plans', async () => {
    await call(restream.buy, month(3))
    await insertPlanProject(world.app.db, 'restream', 6, me.projectId)
    const { results } = (await call(restream.offers, inMine({}))).body
    expect(results.map(({ title, price, status }) => [title, price.month, price.year, status])).toEqual([
      ['Free', 0, 0, 'downgrade'],
      ['Start', 490, 5_292, 'downgrade'],
      ['Pro', 1_190, 12_852, 'current'],
      ['Business', 2_990, 32_292, 'upgrade'],
      ['Flexible', 1_590, 17_172, 'upgrade'],
      ['Studio', 5_990, 64_692, 'upgrade'],
    ])
    expect(results[4]).toMatchObject({ count_channel_min: 10, count_channel_max: 100, count_channel_step: 5 })
    expect(results[0]?.feature).toContainEqual({ name: 'create_projects', type: 'boolean', value: false, index: 3 })
    expect(results[0]?.own_tariff).toMatchObject({ current: { id: 3 } })
    expect(Object.keys(results[0]?.own_tariff ?? {})).not.toContain('next')
    expect(Object.values(results[0] ?? {})).not.toContain(null)
  })
})

describe('features of a plan', () => {
  test('lists the features that the service provides', async () => {
    const provided = ['count_channel_max', 'bitrate_max', 'create_projects', 'chat', 'background_chat']
    const { results, feature } = (await world.api(restream.list, {})).body
    expect(feature.results.map(({ name }) => name)).toEqual([
      ...provided,
      'video_storage',
      'change_subject',
      'support_custom_channel',
    ])
    const none = { video: false, dedicated_server: false, personal_manager: null }
    for (const plan of results) expect(plan, plan.title).toMatchObject(none)
  })

  test('gives each plan its documented recording space, and a dearer plan at least as much', async () => {
    const gigabytes = async () => (await call(recordings.limits, inMine({}))).body.video_limit / 1e9
    const { results } = (await world.api(restream.list, {})).body
    const given = [await gigabytes()]
    for (const { plan_restream_id } of results.filter(({ type }) => type === 'paid_fix')) {
      await call(restream.buy, month(plan_restream_id))
      given.push(await gigabytes())
    }
    expect(given).toEqual(results.filter(({ type }) => type !== 'paid_flex').map((plan) => plan.video_storage))
    expect(given).toEqual(given.toSorted((a, b) => a - b))
  })
})

describe('quotes', () => {
  test.each([
    ['en', 'Switch later', 'Start starts on 1 December 2026, when the current period ends.'],
    ['ru', 'Перейти позже', 'Тариф Start начнёт действовать 1 декабря 2026 г., когда закончится текущий период.'],
    ['cn', '到期后切换', 'Start 套餐将在当前周期结束时（2026年12月1日）生效。'],
  ] as const)('a lower plan says in %s when it starts', async (language, button, sentence) => {
    await call(restream.buy, month(3))
    const { body } = await call(restream.check, month(2, { language }))
    expect(body).toMatchObject({
      button_name: button,
      notification: sentence,
      notification_date: '2026-12-01T00:00:00.000Z',
      total: 490,
      decrease_balance: 0,
    })
  })

  test('prices a flexible plan by its channels and its bitrate', async () => {
    const wanted = month(5, { channels: 20, bitrate: 30_000 })
    expect((await call(restream.check, wanted)).body).toMatchObject({
      sum: 1_590 + 2 * 240 + 2 * 180,
      channel: 20,
      bitrate: 30_000,
      status: 'new',
    })
  })

  test('leaves the rest to pay when the balance is too small, and refuses the purchase', async () => {
    const year = inMine({ period: 'year' as const, plan_restream_id: 4 })
    expect((await call(restream.check, { ...year, use_balance: 1 })).body).toMatchObject({
      sum: 32_292,
      decrease_balance: 18_000,
      total: 14_292,
    })
    expect(await call(restream.buy, year)).toMatchObject({
      status: 400,
      error: { name: 'InsufficientBalance', data: { needed: 32_292, balance: 18_000, currency: 'usd' } },
    })
  })

  test('refuses a price that has changed, with the new quote', async () => {
    expect(await call(restream.buy, month(2, { quote_total: 480, language: 'ru' }))).toMatchObject({
      status: 400,
      error: { name: 'QuoteChanged', data: { quote: { sum: 490, button_name: 'Купить', choose_status: 'new' } } },
    })
    expect((await slots()).current).toMatchObject({ id: 1 })
  })

  test('buys once per idempotency key and repeats the response', async () => {
    const request = month(2, { idempotency_key: 'a-retried-call' })
    const answers = await Promise.all([1, 2, 3].map(() => call(restream.buy, request)))
    expect(answers.map(({ body }) => body)).toEqual(Array(3).fill({ success: true }))
    expect((await balances()).balance_bonus).toBe(18_000 - 490)
  })
})

describe('rights', () => {
  const every = (person: Person) =>
    Promise.all([
      call(restream.slots, inMine({}), person),
      call(restream.offers, inMine({}), person),
      call(restream.check, month(2), person),
      call(restream.buy, month(2), person),
      call(restream.cancelNext, inMine({ plan_restream_id: 2 }), person),
    ]).then((answers) => answers.map(({ status }) => status))

  test('refuses quotes and purchases to a stranger', async () => {
    expect(await every(await world.user('Bob'))).toEqual([403, 403, 403, 403, 403])
  })

  test.each([0, 1] as const)(
    'below the owner, with access type %i, one sees everything and buys nothing',
    async (accessType) => {
      const member = await world.user('Bob')
      await world.join(member, me.projectId, accessType)
      expect(await every(member)).toEqual([200, 200, 200, 403, 403])
    },
  )

  test('refuses calls without a token', async () => {
    expect(await world.api(restream.slots, inMine({}))).toMatchObject({ status: 401 })
  })
})
