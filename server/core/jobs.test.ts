// The runner on a real database: what runs, when, how often, and what remains.
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { scheduleJob, scheduleJobs, listTroubledJobs, removeJob, updateJobDue } from '#server/db/jobs.ts'
import type { Database } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { migratedDatabase } from '#server/testing/databases.ts'
import { eventually } from '#server/testing/eventually.ts'
import { ageJobs } from '#server/testing/jobs.ts'
import type { Services } from './context.ts'
import { createJobRunner, type Job, type JobKind, type JobRunner, runNow } from './jobs.ts'
import { ProviderUnavailableError } from './provider-http.ts'

let open: Awaited<ReturnType<typeof migratedDatabase>>
let database: Database
const runners: JobRunner[] = []

beforeEach(async () => {
  open = await migratedDatabase()
  database = open.database
})
afterEach(async () => {
  await Promise.all(runners.splice(0).map((runner) => runner.stop()))
  await database.signals.close()
  await database.close()
  await open.drop()
})

const kindOf = (run: (job: Job) => Promise<'done' | { againMs: number }>, change: Partial<JobKind> = {}): JobKind => ({
  kind: 'test.work',
  leaseMs: 60_000,
  atOnce: 4,
  backoff: { firstMs: 60_000, mostMs: 600_000 },
  parkAfter: 5,
  run: (_, job) => run(job),
  ...change,
})
const services = (): Services => ({ db: database.db, log: pino({ level: 'silent' }) }) as unknown as Services
function runnerOf(...kinds: JobKind[]): JobRunner {
  const runner = createJobRunner({ services: services(), signals: database.signals, kinds })
  runners.push(runner)
  return runner
}
const schedule = (kind: JobKind, key: string, options = {}) =>
  transaction(database.db, (trx) => scheduleJob(trx, kind, key, options))
const rows = () => database.db.selectFrom('jobs').selectAll().where('kind', '=', 'test.work').orderBy('key').execute()

test('runs a job once, however often it was scheduled, and removes it', async () => {
  const seen: string[] = []
  const kind = kindOf(async ({ key }) => (seen.push(key), 'done'))
  for (let i = 0; i < 3; i++) await schedule(kind, 'a')
  await schedule(kind, 'b')
  await runnerOf(kind).runDue()
  expect(seen.toSorted()).toEqual(['a', 'b'])
  expect(await rows()).toEqual([])
})

test('runs a job again that was scheduled during its run', async () => {
  let runs = 0
  const kind: JobKind = kindOf(async ({ key }) => {
    if (++runs === 1) await schedule(kind, key)
    return 'done'
  })
  await schedule(kind, 'a')
  await runnerOf(kind).runDue()
  expect(runs).toBe(2)
})

test('drops the job of a transaction that is rolled back', async () => {
  const kind = kindOf(async () => 'done')
  const failing = transaction(database.db, async (trx) => {
    await scheduleJob(trx, kind, 'a')
    throw new Error('rolled back')
  })
  await expect(failing).rejects.toThrow('rolled back')
  expect(await rows()).toEqual([])
})

test('waits for the due time, and moves it to an earlier one only', async () => {
  let runs = 0
  const kind = kindOf(async () => (runs++, 'done'))
  const runner = runnerOf(kind)
  await schedule(kind, 'a', { inMs: 3_600_000 })
  await schedule(kind, 'a', { inMs: 7_200_000 })
  await ageJobs(database.db, 3_500_000)
  await runner.runDue()
  expect(runs).toBe(0)
  await ageJobs(database.db, 200_000)
  await runner.runDue()
  expect(runs).toBe(1)
})

test('keeps the time that was scheduled during a run, also a later one', async () => {
  let runs = 0
  const kind: JobKind = kindOf(async ({ key }) => {
    if (++runs === 1) await schedule(kind, key, { inMs: 3_600_000 })
    return 'done'
  })
  const runner = runnerOf(kind)
  await schedule(kind, 'a')
  await runner.runDue()
  expect(runs).toBe(1)
  await ageJobs(database.db, 3_600_001)
  await runner.runDue()
  expect(runs).toBe(2)
})

test('retries a failed job after its backoff, which a new schedule does not shorten', async () => {
  let runs = 0
  const kind = kindOf(async () => {
    if (++runs < 3) throw new Error('no')
    return 'done'
  })
  const runner = runnerOf(kind)
  await schedule(kind, 'a')
  await runner.runDue()
  await schedule(kind, 'a')
  await runner.runDue()
  expect(runs).toBe(1)
  await schedule(kind, 'a', { skipsBackoff: true })
  await runner.runDue()
  expect(runs).toBe(2)
  await ageJobs(database.db, 119_000)
  await runner.runDue()
  expect(runs).toBe(2)
  await ageJobs(database.db, 2_000)
  await runner.runDue()
  expect(runs).toBe(3)
  expect(await rows()).toEqual([])
})

test('parks a job that keeps failing, shows it, and runs it for the operator', async () => {
  let isBroken = true
  const kind = kindOf(async () => {
    if (isBroken) throw new ProviderUnavailableError('stripe')
    return 'done'
  })
  const runner = runnerOf(kind)
  await schedule(kind, 'a')
  for (let i = 0; i < 5; i++) {
    await runner.runDue()
    await ageJobs(database.db, 600_001)
  }
  expect(await listTroubledJobs(database.db, 10)).toEqual([
    {
      kind: 'test.work',
      key: 'a',
      attempts: 5,
      error: expect.stringContaining('ProviderUnavailable'),
      isParked: true,
      isRunning: false,
      due: null,
    },
  ])
  await schedule(kind, 'a', { skipsBackoff: true })
  expect(await runner.runDue()).toBe(0)
  isBroken = false
  expect(await transaction(database.db, (trx) => updateJobDue(trx, 'test.work', 'a'))).toMatchObject({
    key: 'a',
    attempts: 5,
  })
  await runner.runDue()
  expect(await rows()).toEqual([])
})

test('removes a parked job that the operator gives up, and no running or healthy one', async () => {
  const kind = kindOf(async () => Promise.reject(new Error('no')), { parkAfter: 1 })
  await schedule(kind, 'healthy', { inMs: 60_000 })
  await schedule(kind, 'a')
  await runnerOf(kind).runDue()
  const remove = (key: string) => transaction(database.db, (trx) => removeJob(trx, 'test.work', key))
  expect([await remove('healthy'), (await remove('a'))?.error, await remove('a')]).toEqual([
    undefined,
    'Error: no',
    undefined,
  ])
})

test('commits effect and end together, and neither when the lease was lost', async () => {
  const probes = () => database.db.selectFrom('write_probes').selectAll().execute()
  let isLost = true
  const kind = kindOf(async (job) => {
    if (isLost) await database.db.updateTable('jobs').set({ token: 1 }).where('key', '=', job.key).execute()
    await transaction(database.db, async (trx) => {
      await trx.insertInto('write_probes').values({ filler: 'effect' }).execute()
      await job.finish(trx, 'done')
    })
    return 'done'
  })
  const runner = runnerOf(kind)
  await schedule(kind, 'a')
  await runner.runDue()
  expect(await probes()).toEqual([])
  isLost = false
  await ageJobs(database.db, 60_001)
  await runner.runDue()
  expect(await probes()).toHaveLength(1)
  expect(await rows()).toEqual([])
})

/** Leaves jobs as a process does that ended during their runs, for the second time. */
const killTwice = (...keys: string[]) =>
  database.db.updateTable('jobs').set({ deaths: 1, attempts: 2, token: 7 }).where('key', 'in', keys).execute()

test('runs jobs one at a time whose leases expired twice, after a backoff and beside other jobs', async () => {
  const running = new Set<string>()
  const beside: string[][] = []
  const end = Promise.withResolvers<void>()
  const kind = kindOf(async ({ key }) => {
    running.add(key)
    if (key.startsWith('suspect')) {
      beside.push([...running].filter((one) => one.startsWith('suspect')))
      await end.promise
    }
    running.delete(key)
    return 'done'
  })
  const runner = runnerOf(kind)
  for (const key of ['suspect 1', 'suspect 2', 'healthy']) await schedule(kind, key)
  await killTwice('suspect 1', 'suspect 2')
  await runner.runDue()
  expect((await rows()).map(({ key, attempts, error }) => [key, attempts, error])).toEqual([
    ['suspect 1', 2, expect.stringContaining('The process ended')],
    ['suspect 2', 2, expect.stringContaining('The process ended')],
  ])
  await ageJobs(database.db, 600_001)
  database.signals.open(() => undefined)
  runner.start()
  await eventually(() => beside.length > 0)
  let other = 0
  const next = kindOf(async () => (other++, 'done'), { kind: 'test.other' })
  runnerOf(next).start()
  await schedule(next, 'b')
  await schedule(kind, 'healthy')
  await eventually(async () => other === 1 && (await rows()).length === 2)
  end.resolve()
  await eventually(async () => (await rows()).length === 0)
  expect(beside.map((keys) => keys.length)).toEqual([1, 1])
})

test('parks a job that ends the process each time, and shows one that is never parked', async () => {
  const kind = kindOf(async () => 'done')
  const money = kindOf(async () => 'done', { kind: 'test.money', parkAfter: 'never' })
  await schedule(kind, 'killer')
  await schedule(money, 'killer')
  const runner = runnerOf(kind, money)
  for (let died = 2; died <= 5; died++) {
    await database.db
      .updateTable('jobs')
      .set({ token: 7, attempts: died, deaths: died - 1 })
      .where('key', '=', 'killer')
      .execute()
    await runner.runDue()
    await ageJobs(database.db, 1_000_000)
  }
  expect((await listTroubledJobs(database.db, 10)).map((job) => [job.kind, job.attempts, job.isParked])).toEqual([
    ['test.work', 5, true],
    ['test.money', 5, false],
  ])
})

test('leases healthy jobs while a job of another release has lost its leases', async () => {
  const slow = Promise.withResolvers<void>()
  const seen: string[] = []
  const kind = kindOf(async ({ key }) => (seen.push(key), key === 'slow' && (await slow.promise), 'done'))
  await schedule({ ...kind, kind: 'test.unknown' }, 'suspect')
  await database.db.updateTable('jobs').set({ deaths: 2, token: 7 }).execute()
  await schedule(kind, 'slow')
  const runner = runnerOf(kind)
  database.signals.open(() => undefined)
  runner.start()
  await eventually(() => seen.length === 1)
  // Its alarm looks at all kinds.
  await schedule(kind, 'a', { inMs: 100 })
  await eventually(() => seen.length === 2)
  expect(seen).toEqual(['slow', 'a'])
  slow.resolve()
})

test('runs a job within a second after the operator requests it', async () => {
  let isBroken = true
  const kind = kindOf(async () => (isBroken ? Promise.reject(new Error('no')) : 'done'), { parkAfter: 1 })
  const runner = runnerOf(kind)
  database.signals.open(() => undefined)
  runner.start()
  await schedule(kind, 'a')
  await eventually(async () => (await listTroubledJobs(database.db, 1)).length === 1)
  // The look of each 5 s has just been.
  isBroken = false
  const from = performance.now()
  await transaction(database.db, (trx) => updateJobDue(trx, 'test.work', 'a'))
  await eventually(async () => (await rows()).length === 0)
  expect(performance.now() - from).toBeLessThan(1_000)
})

test('keeps a request that skips the backoff when the run in progress fails', async () => {
  let runs = 0
  const kind: JobKind = kindOf(async ({ key }) => {
    if (++runs > 2) return 'done'
    await schedule(kind, key, { skipsBackoff: runs === 1 })
    throw new Error('no')
  })
  const runner = runnerOf(kind)
  await schedule(kind, 'a')
  await runner.runDue()
  // The second schedule keeps the backoff.
  expect(runs).toBe(2)
  await ageJobs(database.db, 120_001)
  await runner.runDue()
  expect([runs, await rows()]).toEqual([3, []])
})

test('starts after the commit, beside a kind whose runs hang', async () => {
  const slow = Promise.withResolvers<void>()
  const seen: string[] = []
  const hanging = kindOf(async () => slow.promise.then(() => 'done'), { kind: 'test.slow', atOnce: 1 })
  const kind = kindOf(async ({ key }) => (seen.push(key), 'done'))
  const runner = runnerOf(hanging, kind)
  database.signals.open(() => undefined)
  runner.start()
  for (let i = 0; i < 5; i++) await schedule(hanging, `slow ${i}`)
  await schedule(kind, 'a')
  await eventually(async () => seen.length === 1)
  expect(await rows()).toEqual([])
  slow.resolve()
})

test('starts jobs of several kinds that one statement scheduled, each once', async () => {
  const seen: string[] = []
  const run = async ({ key }: Job) => (seen.push(key), 'done' as const)
  const [first, second] = [kindOf(run), kindOf(run, { kind: 'test.other' })]
  const runner = runnerOf(first, second)
  database.signals.open(() => undefined)
  runner.start()
  await eventually(async () => (await database.db.selectFrom('jobs').select('kind').execute()).length > 0)
  const names = ['b', 'a', 'b'].map((key) => ({ kind: first.kind, key })).concat({ kind: second.kind, key: 'c' })
  await transaction(database.db, (trx) => scheduleJobs(trx, names))
  await eventually(() => seen.length === 3)
  expect(seen.toSorted()).toEqual(['a', 'b', 'c'])
})

test('runs a periodic job once a period over two replicas', async () => {
  let runs = 0
  const kind = kindOf(async () => (runs++, 'done'), { everyMs: 60_000 })
  const both = [runnerOf(kind), runnerOf(kind)]
  await Promise.all(both.map((runner) => runner.runDue()))
  expect(runs).toBe(1)
  await ageJobs(database.db, 60_001)
  await Promise.all(both.map((runner) => runner.runDue()))
  expect(runs).toBe(2)
})

test('inserts the jobs that are missing', async () => {
  const seen: string[] = []
  const kind = kindOf(async ({ key }) => (seen.push(key), 'done'), { missing: async () => ['7', '8'] })
  await runnerOf(kind).runDue()
  expect(seen.toSorted()).toEqual(['7', '8'])
})

test('runs a job now, and follows a run in progress by another one', async () => {
  let runs = 0
  const inside = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  const kind = kindOf(async () => {
    if (++runs > 1) return 'done'
    inside.resolve()
    await end.promise
    return 'done'
  })
  const first = runNow(services(), kind, 'a')
  await inside.promise
  await runNow(services(), kind, 'a')
  expect(runs).toBe(1)
  end.resolve()
  await first
  await runnerOf(kind).runDue()
  expect(runs).toBe(2)
})

test('runs no more jobs at a time than the kind allows', async () => {
  let [now, most, total] = [0, 0, 0]
  const kind = kindOf(async () => {
    most = Math.max(most, ++now)
    await new Promise((resolve) => setTimeout(resolve, 5))
    now--
    total++
    return 'done'
  })
  const runner = runnerOf(kind)
  for (let i = 0; i < 60; i++) await schedule(kind, `${i}`)
  database.signals.open(() => undefined)
  runner.start()
  await eventually(async () => total === 60)
  expect(most).toBe(4)
})

test('ends a run whose own end was rolled back', async () => {
  const kind = kindOf(async (job) => {
    const failing = transaction(database.db, async (trx) => {
      await job.finish(trx, 'done')
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    return { againMs: 60_000 }
  })
  await schedule(kind, 'a')
  await runnerOf(kind).runDue()
  expect(await rows()).toMatchObject([{ key: 'a', token: 0, deaths: 0 }])
})
