// Health: the system; failing jobs: the list, "run now" and "give up" of operators, and the log of both.
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { health } from '#contract/areas/operator/health.ts'
import { isSqlite } from '#server/db/fragments.ts'
import { sendMail } from '#server/domain/account/mail.ts'
import { updateInstallation } from '#server/domain/installation/store.ts'
import { diskState } from '#server/domain/operator/system-health.ts'
import { mailServer } from '#server/testing/mail.ts'
import { report } from '#server/testing/nodes.ts'
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
  expect(body).toContain('relaydeck_failing_jobs{state="parked"} 1')
  expect(body).toContain('relaydeck_failing_jobs{state="retrying"} 3')
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

test('reports the system with states that were checked', async () => {
  const system = async () => (await world.api(health.get, {}, { as: await world.signIn(operator) })).body.system
  const unknown = await system()
  expect(unknown).toMatchObject({
    version: expect.stringMatching(/^\d/),
    relays: { state: 'bad', ffmpeg: 'unknown', reason: 'none_reported', list: [] },
    mail: { state: 'warn', configured: false, date_sent: null },
    database: { kind: isSqlite(world.app.db) ? 'sqlite' : 'postgres', schema: expect.stringMatching(/^\d{4}-/) },
    backup: { state: 'warn', date: null, drill: 'unknown', date_drill: null },
  })
  expect(unknown.database.size).toBeGreaterThan(100_000)
  const [disk] = unknown.disks
  expect(disk && disk.free > 0 && disk.free <= disk.total).toBe(true)
  expect(unknown.memory.used).toBeGreaterThan(10_000_000)

  await report(world.services, { ffmpeg: null })
  expect((await system()).relays).toMatchObject({
    state: 'good',
    ffmpeg: 'warn',
    list: [{ full: false, ffmpeg: null }],
  })
  const ffmpeg = { version: '7.1', x264: true, x265: true, srt: true }
  world.clock.advance(1)
  await report(world.services, { ffmpeg, full: true })
  expect((await system()).relays).toMatchObject({
    state: 'warn',
    ffmpeg: 'good',
    list: [{ full: true, ffmpeg: '7.1' }],
  })
  world.clock.advance(5 * 60_000)
  expect((await system()).relays).toMatchObject({ state: 'bad', ffmpeg: 'unknown', list: [{ connected: false }] })

  const { clock } = world
  const date = clock.now().toISOString()
  await updateInstallation(world.app.db, { date_backup: date, date_drill: date })
  expect((await system()).backup).toEqual({ state: 'good', date, drill: 'good', date_drill: date })
  clock.advance(49 * 3_600_000)
  expect((await system()).backup).toMatchObject({ state: 'bad', drill: 'good' })
  clock.advance(14 * 86_400_000)
  expect((await system()).backup).toMatchObject({ state: 'bad', drill: 'warn' })
})

test('judges a disk by what is free on it', () => {
  const gb = 1_000_000_000
  expect([diskState(0.5 * gb, 100 * gb), diskState(9 * gb, 100 * gb), diskState(11 * gb, 100 * gb)]).toEqual([
    'bad',
    'warn',
    'good',
  ])
  expect(diskState(60 * gb, 4_000 * gb)).toBe('good')
})

test('reports the last e-mail, and a failure until one is sent', async () => {
  const server = await mailServer()
  onTestFinished(server.close)
  const variables = { PUBLIC_URL: 'https://live.example.com', MAIL_FROM: 'relaydeck@example.com' }
  const mailing = await testApp({ ...variables, SMTP_URL: `smtp://127.0.0.1:${server.port}` })
  onTestFinished(() => mailing.close())
  const by = await newOperator(mailing)
  const mail = async () => (await mailing.api(health.get, {}, { as: by })).body.system.mail
  const send = (port: number) =>
    sendMail(
      { ...mailing.services, config: { ...mailing.services.config, mail: mailTo(port) } },
      'bob@example.com',
      () => ({ subject: 'Hello', text: 'Hello' }),
    )
  const mailTo = (port: number) =>
    mailing.services.config.mail && {
      ...mailing.services.config.mail,
      server: `smtp://relay:pass%20word@127.0.0.1:${port}`,
    }
  expect(await mail()).toMatchObject({ state: 'unknown', configured: true })
  expect(await send(9)).toBe('failed')
  expect(await mail()).toMatchObject({ state: 'bad', failure: 'ESOCKET', date_sent: null })
  mailing.clock.advance(1_000)
  expect(await send(server.port)).toBe('sent')
  expect(await mail()).toMatchObject({ state: 'good', failure: null, date_sent: mailing.clock.now().toISOString() })
})
