// Jobs that fail: operators run them now, or give them up.
import { type Clock, iso } from '#server/core/clock.ts'
import type { Services, User } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { type FailedJob, listTroubledJobs, removeJob, updateJobDue } from '#server/db/jobs.ts'
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { logOperator } from '#server/domain/installation/operator-log.ts'

const shownMax = 50

/** Returns the jobs that are parked or failed at least three times in a row. */
export async function getJobHealth(db: ReadDb) {
  const jobs = await listTroubledJobs(db, shownMax)
  return jobs.map(({ kind, key, attempts, error, isParked, isRunning, due }) => ({
    kind,
    key,
    attempts,
    error,
    parked: isParked,
    running: isRunning,
    periodic: key === '',
    date_next: due === null ? null : iso(new Date(due)),
  }))
}

/** A job, and why an operator changes it. */
export interface JobChange {
  readonly kind: string
  readonly key: string
  readonly reason: string
}

/**
 * Runs a parked or failing job now, before its delay ends.
 * @throws RuleError `NoJob` unless its last run failed, or when it runs
 */
export const runFailingJob = (services: Pick<Services, 'db' | 'clock'>, user: User, change: JobChange): Promise<void> =>
  changeJob(services, user, change, 'job_run', updateJobDue)

/**
 * Removes a parked or failing job that is not periodic.
 * @throws RuleError `NoJob` unless its last run failed, or when it runs
 */
export const giveUpJob = (services: Pick<Services, 'db' | 'clock'>, user: User, change: JobChange): Promise<void> =>
  changeJob(services, user, change, 'job_give_up', removeJob)

function changeJob(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  user: User,
  { kind, key, reason }: JobChange,
  action: 'job_run' | 'job_give_up',
  write: (trx: Trx, kind: string, key: string) => Promise<FailedJob | undefined>,
): Promise<void> {
  return transaction(db, async (trx) => {
    const before = await write(trx, kind, key)
    if (!before) throw new RuleError('NoJob', 'This job is not failing, or it runs now')
    await logOperator(trx, clock, { userId: user.id, action, before, reason })
  })
}
