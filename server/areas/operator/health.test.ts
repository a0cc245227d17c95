// Failing jobs: the list, "run now" and "give up" of operators, and the log of both.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { health } from '#contract/areas/operator/health.ts'
import { newOperator, type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
let operator: Person
beforeAll(async () => {
  world = await testApp()
  operator = await newOperator(world)
})
afterAll(() => world.close())
beforeEach(async () => {
  for (const table of ['jobs', 'operator_log'] as const) await world.app.db.deleteFrom(table).execute()
})

const error = 'Error: no answer'
const later = Date.UTC(2040, 0, 1)
const add = (key: string, change: { due?: number | null; token?: number; attempts?: number; error?: string | null }) =>
  world.app.db
    .insertInto('jobs')
    .values({ kind: 'billing.refund', key, due: later, attempts: 3, error, ...change })
    .execute()
const listed = async () => (await world.api(health.get, {}, { as: operator })).body.jobs
const rowOf = (key: string) => world.app.db.selectFrom('jobs').selectAll().where('key', '=', key).executeTakeFirst()
const log = () =>
  world.app.db.selectFrom('operator_log').select(['user_id', 'action', 'before', 'after', 'reason']).execute()
const change = (key: string) => ({ kind: 'billing.refund', key, reason: 'Stripe answers again' })

test('lists jobs that are parked or failed three times, parked ones first', async () => {
  await add('retrying', {})
  await add('third run', { token: 7 })
  await add('fourth run', { token: 7, attempts: 4 })
  await add('twice', { attempts: 2 })
  await add('well', { attempts: 0, error: null })
  await add('parked', { due: null, attempts: 1 })
  await add('', { attempts: 9 })
  const job = { kind: 'billing.refund', error, parked: false, running: false, periodic: false }
  const date_next = '2040-01-01T00:00:00.000Z'
  expect(await listed()).toEqual([
    { ...job, key: 'parked', attempts: 1, parked: true, date_next: null },
    { ...job, key: '', attempts: 9, periodic: true, date_next },
    { ...job, key: 'fourth run', attempts: 4, running: true, date_next: null },
    { ...job, key: 'retrying', attempts: 3, date_next },
  ])
  const { body } = await world.app.inject({ method: 'GET', url: '/metrics' })
  expect(body).toContain('failing_jobs{state="parked"} 1')
  expect(body).toContain('failing_jobs{state="retrying"} 3')
})

test.each(['parked', 'retrying'])('runs a %s job now, with a log entry', async (state) => {
  await add('7', { due: state === 'parked' ? null : later })
  expect((await world.api(health.runJob, change('7'), { as: operator })).body).toEqual({ success: true })
  expect((await rowOf('7'))?.due).toBeLessThan(Date.now() + 60_000)
  const before = JSON.stringify({ kind: 'billing.refund', key: '7', attempts: 3, error })
  const { reason } = change('7')
  expect(await log()).toEqual([{ user_id: operator.id, action: 'job_run', before, after: null, reason }])
})

test('removes a job that is given up, with a log entry', async () => {
  await add('7', { due: null })
  await add('8', { due: null })
  expect((await world.api(health.giveUpJob, change('7'), { as: operator })).body).toEqual({ success: true })
  expect((await listed()).map(({ key }) => key)).toEqual(['8'])
  const before = JSON.stringify({ kind: 'billing.refund', key: '7', attempts: 3, error })
  const { reason } = change('7')
  expect(await log()).toEqual([{ user_id: operator.id, action: 'job_give_up', before, after: null, reason }])
  expect((await world.api(health.giveUpJob, change('7'), { as: operator })).error?.name).toBe('NoJob')
})

test('keeps running, healthy and missing jobs, and writes no log entry', async () => {
  await add('running', { token: 7, attempts: 4 })
  await add('well', { attempts: 0, error: null })
  for (const op of [health.runJob, health.giveUpJob])
    for (const key of ['running', 'well', 'missing']) {
      const { status, error: refusal } = await world.api(op, change(key), { as: operator })
      expect([status, refusal?.name]).toEqual([400, 'NoJob'])
    }
  expect([(await rowOf('running'))?.due, (await rowOf('well'))?.due]).toEqual([later, later])
  expect(await log()).toEqual([])
})

test('does not give up a periodic job', async () => {
  await add('', {})
  expect((await world.api(health.giveUpJob, change(''), { as: operator })).error?.name).toBe('NoJob')
  expect((await world.api(health.runJob, change(''), { as: operator })).status).toBe(200)
  expect(await rowOf('')).toBeDefined()
})

test('refuses users that are no operators, and changes without a reason', async () => {
  await add('7', { due: null })
  const ann = await world.user('Ann')
  for (const op of [health.runJob, health.giveUpJob]) {
    expect((await world.api(op, change('7'), { as: ann })).status).toBe(403)
    expect((await world.api(op, { ...change('7'), reason: '' }, { as: operator })).status).toBe(400)
  }
  expect((await world.api(health.get, {}, { as: ann })).status).toBe(403)
  expect([(await rowOf('7'))?.due, await log()]).toEqual([null, []])
})
