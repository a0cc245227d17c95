// Renewals as owners see them, and a try at their request.
import type { LineName } from '#contract/entities/plan.ts'
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { scheduleJob } from '#server/db/jobs.ts'
import { transaction } from '#server/db/transaction.ts'
import { lineOf } from '#server/domain/tariffs/lines.ts'
import { findRenewal } from '#server/domain/tariffs/renewals-store.ts'
import { getCurrency } from '#server/domain/money/store.ts'
import { readState } from '#server/domain/tariffs/subscriptions.ts'
import { isBought } from '#server/domain/tariffs/subscriptions-rules.ts'
import type { Slots, Sold } from '#server/domain/tariffs/subscriptions-slots.ts'
import { planOfRenewal } from './renewal-plan.ts'
import { tryAt } from './renewal-rules.ts'
import { findRenewalOf, renewalKind, updateRenewal } from './renewal-store.ts'

type Part = Pick<Services, 'db' | 'clock'>

/** Returns the renewal of the running plan of a line; null when nothing is bought. */
export async function shownRenewal({ db, clock }: Part, projectId: number, line: LineName) {
  const { slots } = await readState(db, clock, projectId, line)
  const { current }: Slots<Sold> = slots
  if (!isBought(current)) return null
  const { end } = current
  const { title } = await lineOf(line).plan(db, current.planId)
  const enabled = await findRenewal(db, projectId, line)
  const row = enabled ? await findRenewalOf(db, { projectId, line, end }) : undefined
  const plan = enabled ? await planOfRenewal(db, clock, { projectId, line, end }) : null
  const isStopped = row !== undefined && row.state !== 'waiting'
  return {
    line,
    title,
    date_end: end,
    enabled,
    amount: plan?.outcome === 'plan' ? plan.price : null,
    currency: await getCurrency(db, projectId),
    reason: row?.reason ?? (plan?.outcome === 'off' ? plan.reason : null),
    date_next: !enabled || isStopped ? null : (row?.date_next ?? tryAt(end, 0)),
  }
}

/**
 * Has the job try the renewal of a line now, also after it has stopped. A later try keeps its time.
 * @throws RuleError `NothingToRetry` without a renewal that failed
 */
export async function retryRenewal({ db, clock }: Part, projectId: number, line: LineName): Promise<void> {
  const { slots } = await readState(db, clock, projectId, line)
  const { current }: Slots<Sold> = slots
  const end = isBought(current) ? current.end : ''
  const row = await findRenewalOf(db, { projectId, line, end })
  if (!row || row.state === 'done' || row.reason === null || !(await findRenewal(db, projectId, line)))
    throw new RuleError('NothingToRetry', 'No renewal of this plan has failed')
  await transaction(db, async (trx) => {
    await updateRenewal(trx, row.id, { state: 'waiting', date_next: iso(clock.now()) })
    await scheduleJob(trx, renewalKind, row.id, { skipsBackoff: true })
  })
}
