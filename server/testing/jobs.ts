// Jobs in tests: run on demand, and time passes for their rows as well as for the clock of the service.
import { sql } from 'kysely'
import type { Services } from '#server/core/context.ts'
import { createJobRunner, type Job, type JobKind } from '#server/core/jobs.ts'
import { finishJob, leaseJobs, lockJob, renewJob } from '#server/db/jobs.ts'
import type { Db } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'

const none = { subscribe: () => undefined, onConnection: () => undefined, open: () => undefined, close: async () => {} }

/** Runs due jobs of some kinds until none is due. @returns the number of runs */
export const runJobs = (services: Services, kinds: readonly JobKind[]): Promise<number> =>
  createJobRunner({ services, signals: none, kinds }).runDue(kinds.map(({ kind }) => kind))

/** Leases all due jobs of some kinds and runs none, as a replica that ends before it does. Tests call its steps. */
export async function leaseAll(db: Db, kinds: readonly JobKind[]): Promise<(Job & { readonly kind: string })[]> {
  const leased = await Promise.all(kinds.map(({ kind, leaseMs }) => leaseJobs(db, kind, leaseMs, 1_000)))
  return leased.flat().map((job) => ({
    ...job,
    fence: (trx) => lockJob(trx, job),
    renew: () => renewJob(db, job, kinds.find(({ kind }) => kind === job.kind)?.leaseMs ?? 0),
    finish: async (trx, outcome) => void (await finishJob(trx, job, outcome)),
  }))
}

/** Moves the times of all jobs into the past, as if time had passed. A running service notices it. */
export const ageJobs = (db: Db, ms: number): Promise<void> =>
  transaction(db, async (trx) => {
    await sql`update jobs set due = due - ${ms}, again = again - ${ms}, urgent = urgent - ${ms}`.execute(trx)
  })
