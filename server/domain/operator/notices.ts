// Jobs that notify the operators: of a parked job, and of a backup that is too old.
import { hourMs, iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { type JobKind, parkedKind } from '#server/core/jobs.ts'
import { findParkedError } from '#server/db/jobs.ts'
import { transaction } from '#server/db/transaction.ts'
import { getInstallation } from '#server/domain/installation/store.ts'
import { closeCase } from '#server/domain/notifications/incidents.ts'
import { notifyOperators } from '#server/domain/notifications/operators.ts'

/** Age from which a backup is too old: two missed daily ones. */
const backupMaxMs = 48 * hourMs

/** Returns the end of the time in which a backup is too old, as ISO 8601. */
export const backupLimit = ({ clock }: Pick<Services, 'clock'>): string => iso(later(clock.now(), -backupMaxMs))

/** Notifies the operators of a parked job. The key is kind and key of that job. */
export const parkedJob: JobKind = {
  ...parkedKind,
  leaseMs: 60_000,
  atOnce: 1,
  backoff: { firstMs: 5_000, mostMs: hourMs },
  parkAfter: 'never',
  async run(services, job) {
    const [kind = '', ...rest] = job.key.split(' ')
    await transaction(services.db, async (trx) => {
      const error = await findParkedError(trx, kind, rest.join(' '))
      // The whole error is under Health.
      const params = { job: job.key.slice(0, 200), error: (error ?? '').slice(0, 200) }
      if (error !== undefined) await notifyOperators(services, trx, { kind: 'operator_job', ref: job.key, params })
      await job.finish(trx, 'done')
    })
    return 'done'
  },
}

/** Notifies the operators once of a backup that is too old, until there is a newer one. Without a reported backup there is nothing to compare. */
export const backupJob: JobKind = {
  kind: 'installation.backup',
  leaseMs: 60_000,
  atOnce: 1,
  backoff: { firstMs: 60_000, mostMs: hourMs },
  parkAfter: 'never',
  everyMs: hourMs,
  async run(services) {
    const { date_backup: date } = await getInstallation(services.db)
    const of = { kind: 'operator_backup', ref: 'backup' } as const
    await transaction(services.db, async (trx) => {
      if (date === null || date >= backupLimit(services)) await closeCase(services, trx, of)
      else await notifyOperators(services, trx, { ...of, params: { date } })
    })
    return 'done'
  },
}
