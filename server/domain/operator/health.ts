// Health under Administration: jobs that fail, run now or given up, and receipts that YooKassa refused.
import { type Clock, iso } from '#server/core/clock.ts'
import type { Services, User } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { jobName } from '#server/core/jobs.ts'
import { type FailedJob, listTroubledJobs, removeJob, scheduleJob, updateJobDue } from '#server/db/jobs.ts'
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { closeCase } from '#server/domain/notifications/incidents.ts'
import { logOperator } from '#server/domain/installation/operator-log.ts'
import { randomUUID } from 'node:crypto'
import {
  countOpenReceipts,
  listRefusedReceipts,
  lockReceipt,
  titleOf,
  updateReceipt,
} from '#server/domain/billing/receipts/store.ts'
import { receiptKind } from '#server/domain/money/advances-store.ts'

// Closing receipts (54-FZ) that YooKassa has refused: operators send them again, or make them elsewhere.

const shownMax = 50

/** Returns the receipts that wait for the operator, and the number of those that wait for YooKassa. */
export async function getReceiptHealth(db: ReadDb) {
  const rows = await listRefusedReceipts(db, shownMax)
  const refused = rows.map(({ details, ...row }) => ({
    receipt_id: row.id,
    payment_id: row.payment_id,
    project_id: row.project_id,
    project_name: row.project_name,
    title: titleOf(details) ?? '',
    amount: row.amount_minor,
    reason: row.reason ?? '',
    date: row.date_create,
  }))
  return { waiting: await countOpenReceipts(db), refused }
}

/**
 * Sends a refused receipt again as a new one, or notes that it was made elsewhere.
 * @throws RuleError `NoReceipt` unless it waits for a decision
 */
export async function resolveReceipt(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  user: User,
  { id, isAgain, reason }: { readonly id: number; readonly isAgain: boolean; readonly reason: string },
): Promise<void> {
  await transaction(db, async (trx) => {
    const row = await lockReceipt(trx, id)
    if (row?.state !== 'refused') throw new RuleError('NoReceipt')
    const { payment_id, project_id: projectId, amount_minor: amount } = row
    const anew = { state: 'waiting', key: randomUUID(), provider_id: null, date_begin: null, tries: 0 } as const
    await updateReceipt(trx, row, isAgain ? { ...anew, reason: null } : { state: 'by_hand' })
    if (isAgain) await scheduleJob(trx, receiptKind, id)
    const action = isAgain ? 'receipt_again' : 'receipt_by_hand'
    const after = { receipt_id: id, payment_id, amount, currency: 'rub' }
    await closeCase({ clock }, trx, { kind: 'operator_receipt', ref: id })
    await logOperator(trx, clock, { userId: user.id, action, projectId, after, reason })
  })
}

const jobsShown = 50

/** Returns the jobs that are parked or failed at least three times in a row. */
export async function getJobHealth(db: ReadDb) {
  const jobs = await listTroubledJobs(db, jobsShown)
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
    if (!before) throw new RuleError('NoJob')
    await closeCase({ clock }, trx, { kind: 'operator_job', ref: jobName({ kind, key }) })
    await logOperator(trx, clock, { userId: user.id, action, before, reason })
  })
}
