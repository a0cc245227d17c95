// A process that runs jobs with effects at a provider and in the database, for tests that kill and stop it.
import { pino } from 'pino'
import type { Services } from '#server/core/context.ts'
import { createJobRunner, type JobKind } from '#server/core/jobs.ts'
import { openDatabase } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'

/** Duration of the leases, milliseconds. */
export const leaseMs = 1_000
const common = { leaseMs, atOnce: 4, backoff: { firstMs: 100, mostMs: 500 }, parkAfter: 5 } as const

/** Kinds that never succeed. */
export const poison = ['test.hangs', 'test.kills', 'test.throws'] as const

/** Kinds of the process. @param provider address that receives the key of each run */
const kindsOf = (provider: string): JobKind[] => [
  {
    ...common,
    kind: 'test.work',
    parkAfter: 'never',
    async run({ db }, job) {
      await fetch(provider, { method: 'POST', body: job.key })
      await transaction(db, async (trx) => {
        await trx.insertInto('write_probes').values({ filler: job.key }).execute()
        await job.finish(trx, 'done')
      })
      return 'done'
    },
  },
  { ...common, kind: 'test.hangs', run: () => new Promise(() => undefined) },
  { ...common, kind: 'test.throws', run: () => Promise.reject(new Error('no')) },
  {
    ...common,
    kind: 'test.kills',
    run: () => {
      process.kill(process.pid, 'SIGKILL')
      return new Promise(() => undefined)
    },
  },
]

/** Runs jobs until the process ends. @param url address of the database; a path: a file */
async function runReplica(url: string, provider: string): Promise<void> {
  const database = await openDatabase(url.startsWith('/') ? { file: url } : { url, poolMax: 4 })
  database.signals.open(() => undefined)
  const services = { db: database.db, log: pino({ level: 'silent' }) } as unknown as Services
  createJobRunner({ services, signals: database.signals, kinds: kindsOf(provider) }).start()
  process.stdout.write('ready\n')
}

if (import.meta.main) await runReplica(process.argv[2] ?? '', process.argv[3] ?? '')
