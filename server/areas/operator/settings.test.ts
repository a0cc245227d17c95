// Settings of the installation: the switch of plans, the registration bonus, and the log of both.
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { auth } from '#contract/areas/account/auth.ts'
import { settings } from '#contract/areas/operator/settings.ts'
import { payments } from '#contract/areas/billing/payments.ts'
import { payouts } from '#contract/areas/billing/payouts.ts'
import { transfers } from '#contract/areas/billing/transfers.ts'
import { recordings } from '#contract/areas/broadcasts/recordings.ts'
import { transcoders } from '#contract/areas/ingest/transcoders.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { storage } from '#contract/areas/tariffs/storage.ts'
import { transcoding } from '#contract/areas/tariffs/transcoding.ts'
import { newOperator, type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
let operator: Person
beforeAll(async () => {
  world = await testApp({ INVOICE_DETAILS: 'IBAN' })
  operator = await newOperator(world)
})
afterAll(() => world.close())

const lastLog = () =>
  world.app.db.selectFrom('operator_log').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst()

test('switches plans off and on, on every replica, with a log', async () => {
  const me = await world.user()
  const replica = await world.replica()
  const current = async () =>
    (await world.api(restream.slots, { project_id: me.projectId }, { as: me, through: replica })).body.current?.id
  expect(await current()).toBe(1)
  for (const [billing, planId] of [
    ['off', 7],
    ['plans', 1],
  ] as const) {
    const { body } = await world.api(settings.setBilling, { billing, reason: 'A test' }, { as: operator })
    expect(body).toEqual({ success: true })
    await expect.poll(current).toBe(planId)
    expect((await world.api(auth.me, {}, { as: me })).body).toMatchObject({ billing, operator: false })
    expect((await world.api(settings.get, {}, { as: operator })).body.billing).toBe(billing)
    expect(await lastLog()).toMatchObject({
      user_id: operator.id,
      action: 'billing',
      before: JSON.stringify({ billing: billing === 'off' ? 'plans' : 'off' }),
      after: JSON.stringify({ billing }),
      reason: 'A test',
    })
  }
})

test('refuses discounts, payouts and transfers while plans are off', async () => {
  const me = await world.user()
  const project_id = me.projectId
  await world.api(settings.setBilling, { billing: 'off', reason: 'A test' }, { as: operator })
  const answers = [
    await world.api(restream.discount, {}),
    await world.api(storage.discount, {}),
    await world.api(transcoding.discount, {}),
    await world.api(payouts.prepare, { project_id }, { as: me }),
    await world.api(transfers.move, { project_id, to_project_id: 1, amount: 1 }, { as: me }),
  ]
  expect(answers.map(({ error }) => error?.name)).toEqual(answers.map(() => 'PaymentsOff'))
  await world.api(settings.setBilling, { billing: 'plans', reason: 'A test' }, { as: operator })
})

test('counts the projects that a switch concerns', async () => {
  const me = await world.user()
  const buy = { project_id: me.projectId, plan_restream_id: 2, period: 'month' } as const
  const before = (await world.api(settings.get, {}, { as: operator })).body
  await world.api(restream.buy, buy, { as: me })
  const { projects_free, projects_paid } = (await world.api(settings.get, {}, { as: operator })).body
  expect([projects_free, projects_paid]).toEqual([before.projects_free - 1, before.projects_paid + 1])
})

test('counts the running plans of all lines, and says whether anything was paid', async () => {
  const me = await world.user()
  const { plans_running: before, has_payments } = (await world.api(settings.get, {}, { as: operator })).body
  expect(has_payments).toBe(false)
  const of = { project_id: me.projectId, period: 'month' } as const
  await world.api(restream.buy, { ...of, plan_restream_id: 2 }, { as: me })
  await world.api(transcoding.buy, { ...of, plan_transcoding_id: 2, count: 1 }, { as: me })
  await world.api(storage.buy, { ...of, plan_storage_id: 1, size: 10 }, { as: me })
  expect((await world.api(settings.get, {}, { as: operator })).body.plans_running).toBe(before + 3)
  await world.api(payments.create, { project_id: me.projectId, type: 'topup', amount: 2000 }, { as: me })
  expect((await world.api(settings.get, {}, { as: operator })).body.has_payments).toBe(true)
})

test('sets the registration bonus of accounts created from then on', async () => {
  const bonus = { bonus_rub: 100_000, bonus_usd: 1_500 }
  await world.api(settings.setBonus, { ...bonus, reason: 'A test' }, { as: operator })
  const me = await world.user()
  const { data } = (await world.api(projects.info, { project_id: me.projectId }, { as: me })).body
  expect(data.balance_bonus).toBe(1_500)
  expect(await lastLog()).toMatchObject({ action: 'bonus', after: JSON.stringify({ usd: 1_500, rub: 100_000 }) })
})

test('refuses a change without a reason, and every caller but operators', async () => {
  const me = await world.user()
  expect(await world.api(settings.setBilling, { billing: 'off', reason: '' }, { as: operator })).toMatchObject({
    status: 400,
  })
  expect(await world.api(settings.setBilling, { billing: 'off', reason: 'x' }, { as: me })).toMatchObject({
    status: 403,
  })
  expect(await world.api(settings.get, {}, { as: me })).toMatchObject({ status: 403 })
})

test('sets the limits of the server on every replica, with a log, and refuses others', async () => {
  const without = await testApp({ BILLING: 'off' })
  onTestFinished(() => without.close())
  const by = await newOperator(without)
  const me = await without.user()
  const { projectId: project_id } = me
  const replica = await without.replica()
  const known = { channels: 1_000, storage: 20, transcoders: 4 }
  const read = async () => (await without.api(settings.get, {}, { as: by })).body.limits
  const used = async () => {
    const options = { as: me, through: replica }
    return [
      (await without.api(restream.slots, { project_id }, options)).body.current?.channel_max,
      (await without.api(recordings.limits, { project_id }, options)).body.video_limit,
      (await without.api(transcoders.list, { project_id }, options)).body.limit,
    ]
  }
  expect(await read()).toEqual(known)
  expect(await used()).toEqual([1_000, 20_000_000_000, 4])
  await addSomeTranscoder(without, me)
  const versions = () => without.app.db.selectFrom('project_versions').selectAll().where('project_id', '=', 0).execute()
  const before = await versions()

  const wanted = { channels: 3, storage: 2, transcoders: 1 }
  await without.api(settings.setLimits, { ...wanted, reason: 'A small disk' }, { as: by })
  expect(await read()).toEqual(wanted)
  await expect.poll(used).toEqual([3, 2_000_000_000, 1])
  expect(await versions()).not.toEqual(before)
  expect((await addSomeTranscoder(without, me)).error?.name).toBe('TooManyTranscoders')
  const log = await without.app.db.selectFrom('operator_log').select(['action', 'before', 'after', 'reason']).execute()
  expect(log).toEqual([
    { action: 'limits', before: JSON.stringify(known), after: JSON.stringify(wanted), reason: 'A small disk' },
  ])

  for (const wrong of [{ channels: 0 }, { channels: 1_001 }, { storage: -1 }, { transcoders: 1.5 }, { storage: 1e7 }])
    expect((await without.api(settings.setLimits, { ...wanted, ...wrong, reason: 'x' }, { as: by })).status).toBe(400)
  expect((await without.api(settings.setLimits, { ...wanted, reason: 'x' }, { as: me })).status).toBe(403)
  expect(await read()).toEqual(wanted)
})

const addSomeTranscoder = (at: World, as: Person) =>
  at.api(
    transcoders.add,
    {
      project_id: as.projectId,
      name: 'HD',
      width: 1280,
      height: 720,
      fps: 30,
      vBitrate: 2500,
      aBitrate: 128,
    },
    { as },
  )
