// All kinds of jobs of the service.
import type { LineName } from '#contract/entities/plan.ts'
import { hourMs, iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import type { JobKind } from '#server/core/jobs.ts'
import type { Trx } from '#server/db/open.ts'
import { createLaneJobs, type OnFailed } from '#server/delivery/outbox.ts'
import { createWebhookJob } from '#server/delivery/webhooks.ts'
import { publishViews } from '#server/app/live/restream-publisher.ts'
import { publishPlanEnd, publishSchedules } from '#server/app/live/write-publisher.ts'
import { receiptJob } from '#server/domain/billing/receipts/closing-receipts.ts'
import { checkJob } from '#server/domain/billing/payments/checks.ts'
import { reconcileJob } from '#server/domain/billing/payments/reconcile.ts'
import { refundJob } from '#server/domain/billing/refunds/refunds.ts'
import { renewalCharger } from '#server/domain/billing/renewals/charge.ts'
import { renewalKindsWith } from '#server/domain/billing/renewals/renewals.ts'
import { targetEndJob, targetJob } from '#server/domain/broadcasts/live-targets.ts'
import { healJob } from '#server/domain/broadcasts/heals.ts'
import { askForViewers, doubtsEveryMs, viewersEveryMs } from '#server/domain/broadcasts/live-viewers.ts'
import { createPlannedJob } from '#server/domain/broadcasts/planned.ts'
import { createRunJob } from '#server/domain/broadcasts/run-job.ts'
import { scheduleRunsJob } from '#server/domain/broadcasts/schedules.ts'
import { createTitleJob } from '#server/domain/broadcasts/titles.ts'
import { remoteSourceJob } from '#server/domain/ingest/remote-sources.ts'
import { fitLine } from '#server/domain/ingest/fit-line.ts'
import { backupJob, parkedJob } from '#server/domain/operator/notices.ts'
import { noticePlan, notifyEndingPlans } from '#server/domain/realtime/plan-notices.ts'
import { endPlan } from '#server/domain/tariffs/plan-ends.ts'
import { listEndedTerms, planEndKind } from '#server/domain/tariffs/subscriptions-store.ts'
import { sweep } from './sweep.ts'

/** Ends of plans, each at its time. */
export const planEnds: JobKind = {
  ...planEndKind,
  leaseMs: 60_000,
  atOnce: 4,
  backoff: { firstMs: 5_000, mostMs: 60_000 },
  parkAfter: 'never',
  // The net looks each hour.
  missing: async (db, { clock }) => (await listEndedTerms(db, iso(later(clock.now(), 2 * hourMs)))).map(String),
  async run(services, { key }) {
    const { db, clock, log } = services
    const fit = (trx: Trx, projectId: number, line: LineName) => fitLine(services, trx, projectId, line)
    const end = await endPlan({ db, clock, fit }, Number(key))
    if (end === 'done' || 'againMs' in end) return end
    log.info(end, 'A plan ended')
    publishPlanEnd(services, end.projectId)
    if (end.expired)
      await noticePlan(services, { ...end.expired, id: end.termId, projectId: end.projectId, line: end.line }, 'end')
    return 'done'
  },
}

const planNotices: JobKind = {
  kind: 'tariffs.notices',
  leaseMs: 300_000,
  atOnce: 1,
  backoff: { firstMs: 60_000, mostMs: 600_000 },
  parkAfter: 'never',
  everyMs: 300_000,
  run: (services) => notifyEndingPlans(services).then(() => 'done' as const),
}

const sweeping: JobKind = {
  kind: 'installation.sweep',
  leaseMs: 1_800_000,
  atOnce: 1,
  backoff: { firstMs: 60_000, mostMs: hourMs },
  parkAfter: 'never',
  everyMs: hourMs,
  run: (services) => sweep(services).then(() => 'done' as const),
}

const viewers: JobKind = {
  kind: 'broadcasts.viewers',
  leaseMs: 120_000,
  atOnce: 1,
  backoff: { firstMs: 15_000, mostMs: 60_000 },
  parkAfter: 'never',
  everyMs: viewersEveryMs,
  async run(services) {
    await askForViewers(services, (readings) => publishViews(services, readings))
    return 'done'
  },
}

/** Channels that their platform does not show. */
const doubts: JobKind = {
  ...viewers,
  kind: 'broadcasts.doubts',
  everyMs: doubtsEveryMs,
  async run(services) {
    await askForViewers(services, undefined, { ofDoubts: true })
    return 'done'
  },
}

/** Automatic renewals. */
export const renewals = renewalKindsWith((services: Services) => ({
  db: services.db,
  clock: services.clock,
  charge: renewalCharger(services),
  onEvent({ kind, projectId, line, reason }) {
    services.log.info({ kind, projectId, line, reason }, 'A renewal changed')
    if (kind === 'renewed') publishPlanEnd(services, projectId)
  },
}))

/** Runs of schedules. */
export const runJob = createRunJob(publishSchedules)

/** Broadcasts that schedules plan at platforms, and titles of runs. */
const plannedJob = createPlannedJob(publishSchedules)
const titleJob = createTitleJob(publishSchedules)

/**
 * Returns the kinds that this replica runs. With NOTIFICATIONS off it sends no messages.
 * @param onFailed reports deliveries of notifications that failed for good
 */
export const jobKindsOf = (
  services: Pick<Services, 'clock'> & { readonly config: Pick<Services['config'], 'sendsNotifications'> },
  onFailed: OnFailed = () => undefined,
): readonly JobKind[] => [
  backupJob,
  checkJob,
  healJob,
  parkedJob,
  planEnds,
  planNotices,
  plannedJob,
  receiptJob,
  reconcileJob,
  refundJob,
  remoteSourceJob,
  runJob,
  scheduleRunsJob,
  renewals.preparation,
  renewals.renewal,
  sweeping,
  targetEndJob,
  targetJob,
  titleJob,
  viewers,
  doubts,
  ...(services.config.sendsNotifications
    ? [...createLaneJobs(services, { onFailed }), createWebhookJob(onFailed)]
    : []),
]
