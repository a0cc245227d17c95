// Use of plans by the installation: first answer, fallback without one, and what every project has without plans.
import { afterEach, expect, test } from 'vitest'
import { recordings } from '#contract/areas/broadcasts/recordings.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { newChannel } from '#server/testing/channels.ts'
import { type Person, setRegistrationBonus, testApp, type World } from '#server/testing/test-app.ts'
import { billingMode, forgetInstallation } from './installation.ts'
import { getInstallation, hasOperator, updateBonuses, updateInstallation } from './store.ts'

let world: World
afterEach(() => world.close())

const inMine = ({ projectId }: Person) => ({ project_id: projectId })

test('billing check 1: includes everything: thirty channels switch on, and three slots answer', async () => {
  world = await testApp({ BILLING: 'off' })
  const me = await world.user()
  for (let at = 1; at <= 30; at++) {
    const channelId = await newChannel(world, me, { name: `Channel ${at}`, rtmp_url: 'rtmp://my-own.example.org/live' })
    const on = { ...inMine(me), channel_id: channelId, status: true } as const
    expect((await world.api(channels.setStatus, on, { as: me })).error).toBeUndefined()
  }
  const slots = (await world.api(restream.slots, inMine(me), { as: me })).body
  expect(slots).toMatchObject({ before: null, current: { support_custom_channel: true, date_end: null }, next: null })
  const info = (await world.api(projects.info, inMine(me), { as: me })).body
  expect(info.restream).toMatchObject({ data: { title: 'Everything included', price_usd: null } })
  const { video_limit } = (await world.api(recordings.limits, inMine(me), { as: me })).body
  expect(video_limit).toBe(20e9)
})

test('billing check 1: sells nothing: catalogues are empty, and every purchase is refused', async () => {
  world = await testApp({ BILLING: 'off' })
  const me = await world.user()
  const call = { as: me }
  expect((await world.api(restream.list, {})).body.results).toEqual([])
  expect((await world.api(restream.offers, inMine(me), call)).body.results).toEqual([])
  const start = { ...inMine(me), plan_restream_id: 2, period: 'month' } as const
  for (const op of [restream.check, restream.buy])
    expect((await world.api(op, start, call)).error?.name, op.id).toBe('PlanNotForSale')
  const cancelled = await world.api(restream.cancelNext, { ...inMine(me), plan_restream_id: 2 }, call)
  expect(cancelled.error?.name).toBe('NoNextPlan')
})

test('takes BILLING as the first answer only', async () => {
  world = await testApp({ BILLING: 'off' })
  const { db } = world.app
  expect(await billingMode(db)).toBe('off')
  await updateInstallation(db, { billing: 'plans' })
  const again = await world.replica()
  forgetInstallation(again.db)
  expect(await billingMode(again.db)).toBe('plans')
})

test('without an answer plans apply where a plan was bought', async () => {
  world = await testApp({ BILLING: '' })
  const { db } = world.app
  const mode = async () => (forgetInstallation(db), billingMode(db))
  expect((await getInstallation(db)).billing).toBeNull()
  expect(await mode()).toBe('off')

  await updateInstallation(db, { billing: 'plans' })
  forgetInstallation(db)
  const me = await world.user()
  const start = { ...inMine(me), plan_restream_id: 2, period: 'month' } as const
  expect((await world.api(restream.buy, start, { as: me })).error).toBeUndefined()
  await updateInstallation(db, { billing: null })
  expect(await mode()).toBe('plans')
})

test('keeps what was bought while plans do not apply', async () => {
  world = await testApp()
  const { db } = world.app
  const me = await world.user()
  const pro = { ...inMine(me), plan_restream_id: 3, period: 'month' } as const
  await world.api(restream.buy, pro, { as: me })
  const current = async () => (await world.api(restream.slots, inMine(me), { as: me })).body.current?.id
  for (const [billing, planId] of [
    ['off', 7],
    ['plans', 3],
  ] as const) {
    await updateInstallation(db, { billing })
    forgetInstallation(db)
    expect(await current()).toBe(planId)
  }
})

test('grants no registration bonus by default, and the figure of the operator once it is set', async () => {
  world = await testApp()
  const { db } = world.app
  const bonusOf = async (person: Person) =>
    (await world.api(projects.info, inMine(person), { as: person })).body.data.balance_bonus
  await updateBonuses(db, { rub: 0, usd: 0 })
  expect(await bonusOf(await world.user())).toBe(0)
  await setRegistrationBonus(db)
  expect(await bonusOf(await world.user())).toBe(18_000)
})

test('makes the owner of the installation its first operator', async () => {
  world = await testApp({ SIGN_UP: 'auto' })
  const owner = await world.user()
  expect(await hasOperator(world.app.db, owner.id)).toBe(true)
})
