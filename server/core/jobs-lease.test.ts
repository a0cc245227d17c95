// Leases of runs: a hanging run loses its place, a renewed one may take longer.
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FencedError, listTroubledJobs, scheduleJob } from '#server/db/jobs.ts'
import { transaction } from '#server/db/transaction.ts'
import { migratedDatabase } from '#server/testing/databases.ts'
import { ageJobs, runJobs } from '#server/testing/jobs.ts'
import type { Services } from './context.ts'
import type { Job, JobKind } from './jobs.ts'

let open: Awaited<ReturnType<typeof migratedDatabase>>
beforeEach(async () => {
  open = await migratedDatabase()
})
afterEach(async () => {
  await open.database.signals.close()
  await open.database.close()
  await open.drop()
})

const kindOf = (run: (job: Job) => Promise<'done'>, change: Partial<JobKind> = {}): JobKind => ({
  kind: 'test.work',
  leaseMs: 60_000,
  atOnce: 4,
  backoff: { firstMs: 60_000, mostMs: 600_000 },
  parkAfter: 5,
  run: (_, job) => run(job),
  ...change,
})
const run = (...kinds: JobKind[]) =>
  runJobs({ db: open.database.db, log: pino({ level: 'silent' }) } as unknown as Services, kinds)
const schedule = (kind: JobKind, key: string) => transaction(open.database.db, (trx) => scheduleJob(trx, kind, key))
const rows = () => open.database.db.selectFrom('jobs').selectAll().where('kind', '=', 'test.work').execute()

test('gives a hanging run up when its lease ends, so that other jobs still run', async () => {
  const seen: string[] = []
  const hanging = kindOf(() => new Promise(() => undefined), { kind: 'test.slow', leaseMs: 50, parkAfter: 3 })
  const kind = kindOf(async ({ key }) => (seen.push(key), 'done'))
  await schedule(hanging, 'a')
  for (let round = 0; round < 3; round++) {
    await run(hanging, kind)
    await ageJobs(open.database.db, 600_001)
  }
  await schedule(kind, 'b')
  await run(hanging, kind)
  expect(seen).toEqual(['b'])
  expect((await listTroubledJobs(open.database.db, 10)).map(({ key, isParked }) => [key, isParked])).toEqual([
    ['a', true],
  ])
})

test('a run that renews its lease may take longer, and one that lost it is told so', async () => {
  const leaseMs = 1_500
  let renewals = 0
  const long = kindOf(
    async (job) => {
      const since = performance.now()
      for (; performance.now() - since < leaseMs * 1.2; renewals++) {
        await job.renew()
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      return 'done'
    },
    { leaseMs },
  )
  await schedule(long, 'a')
  await run(long)
  expect(renewals).toBeGreaterThan(1)
  expect(await rows()).toEqual([])

  let lost: unknown
  const taken = kindOf(async (job) => {
    await open.database.db.updateTable('jobs').set({ token: 1 }).where('key', '=', job.key).execute()
    lost = await job.renew().catch((error: unknown) => error)
    throw lost
  })
  await schedule(taken, 'b')
  await run(taken)
  expect(lost).toBeInstanceOf(FencedError)
  expect(await rows()).toMatchObject([{ key: 'b', token: 1, error: null }])
})
