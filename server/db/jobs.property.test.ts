// Random orders of schedules, leases of two replicas, ends, failures, deaths and time.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { migratedDatabase } from '#server/testing/databases.ts'
import { ageJobs } from '#server/testing/jobs.ts'
import { scheduleJob, failJob, FencedError, finishJob, type LeasedJob, leaseJobs, lockJob } from './jobs.ts'
import type { Db } from './open.ts'
import { transaction } from './transaction.ts'

const leaseMs = 60_000
const kind = { kind: 'model' }
const keys = ['a', 'b'] as const

type Step =
  | { readonly do: 'schedule'; readonly key: string; readonly inMs: number }
  | { readonly do: 'lease' | 'done' | 'again' | 'fail' | 'die'; readonly at: number }
  | { readonly do: 'pass'; readonly ms: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('schedule' as const),
      key: fc.constantFrom(...keys),
      inMs: fc.constantFrom(0, 0, 90_000),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constantFrom('lease' as const, 'done' as const, 'again' as const, 'fail' as const, 'die' as const),
      at: fc.nat(3),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(1_000, 45_000, 70_000, 200_000) }),
  },
)

/** State of one key: a schedule that no later run has seen, and the lease that may write. */
interface Known {
  unseen: boolean
  holder: LeasedJob | null
}

async function play(db: Db, steps: readonly Step[]): Promise<void> {
  const known = new Map<string, Known>(keys.map((key) => [key, { unseen: false, holder: null }]))
  const held: LeasedJob[] = []
  const of = (key: string): Known => known.get(key) ?? { unseen: false, holder: null }
  const lease = async () => {
    for (const job of await leaseJobs(db, kind.kind, leaseMs, 1)) {
      of(job.key).unseen = false
      of(job.key).holder = job
      held.push(job)
    }
  }
  const end = async (job: LeasedJob, how: 'done' | 'again' | 'fail') => {
    const isHolder = of(job.key).holder === job
    const ended =
      how === 'fail'
        ? await failJob(db, job, 30_000, 'no')
        : await transaction(db, async (trx) => {
            await lockJob(trx, job)
            await finishJob(trx, job, how === 'done' ? 'done' : { againMs: 30_000 })
            return true
          }).catch((error: unknown) => {
            if (error instanceof FencedError) return false
            throw error
          })
    // Only the holder of the last lease may write, and it always may.
    expect(ended).toBe(isHolder)
    if (ended) of(job.key).holder = null
  }
  for (const one of steps) {
    if (one.do === 'schedule') {
      await transaction(db, (trx) => scheduleJob(trx, kind, one.key, { inMs: one.inMs }))
      of(one.key).unseen = true
    } else if (one.do === 'pass') await ageJobs(db, one.ms)
    else if (one.do === 'lease') await lease()
    else if (one.do === 'die') held.splice(one.at % (held.length || 1), 1)
    else {
      const [job] = held.splice(one.at % (held.length || 1), 1)
      if (job) await end(job, one.do)
    }
  }
  // Each schedule without a run is followed by one, once time passes.
  for (let round = 0; round < 12; round++) {
    await db.updateTable('jobs').set({ deaths: 0 }).execute()
    await ageJobs(db, 200_000)
    await lease()
    for (const job of held.splice(0)) await end(job, 'done')
  }
  expect([...known.values()].map(({ unseen }) => unseen)).toEqual([false, false])
  expect(await db.selectFrom('jobs').selectAll().execute()).toEqual([])
}

test('follows every schedule by a run that begins after it, and lets only the holder write', async () => {
  const { database, drop } = await migratedDatabase()
  const rounds = process.env['DATABASE_URL'] ? 60 : 300
  try {
    expect(rounds).toBeGreaterThan(0)
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        await database.db.deleteFrom('jobs').execute()
        await play(database.db, steps)
      }),
      { numRuns: rounds * (process.env['NIGHTLY'] ? 10 : 1) },
    )
  } finally {
    await database.close()
    await drop()
  }
}, 120_000)
