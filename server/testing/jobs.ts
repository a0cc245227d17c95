// Jobs in tests: run on demand, and time passes for their rows as well as for the clock of the service.
import { sql } from 'kysely'
import type { Services } from '#server/core/context.ts'
import { createJobRunner, type JobKind } from '#server/core/jobs.ts'
import type { Db } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'

const none = { subscribe: () => undefined, onConnection: () => undefined, open: () => undefined, close: async () => {} }

/** Runs due jobs of some kinds until none is due. @returns the number of runs */
export const runJobs = (services: Services, kinds: readonly JobKind[]): Promise<number> =>
  createJobRunner({ services, signals: none, kinds }).runDue(kinds.map(({ kind }) => kind))

/** Moves the times of all jobs into the past, as if time had passed. A running service notices it. */
export const ageJobs = (db: Db, ms: number): Promise<void> =>
  transaction(db, async (trx) => {
    await sql`update jobs set due = due - ${ms}, again = again - ${ms}`.execute(trx)
  })
