// Scheduled jobs of the service.
import type { Services } from '#server/core/context.ts'
import type { OnFailed } from '#server/delivery/outbox.ts'
import { fitLine } from '#server/domain/ingest/fit-line.ts'
import { answerBotCommand } from '#server/domain/notifications/telegram-link.ts'
import { watchPlanEnds } from '#server/domain/tariffs/plan-ends.ts'
import { endForgotten } from '#server/domain/broadcasts/live-targets.ts'
import { askForViewers } from '#server/domain/broadcasts/live-viewers.ts'
import { noticePlan, notifyEndingPlans } from '#server/domain/realtime/plan-notices.ts'
import { watchOutbox } from './outbox.ts'
import { watchPayments } from './payments.ts'
import { watchRenewals } from './renewals.ts'
import { repeat } from './repeat.ts'
import { sweep } from './sweep.ts'
import { readTelegramUpdates } from '#server/app/telegram/updates.ts'
import { publishPlanEnd } from '#server/app/live/write-publisher.ts'
import { publishViews } from '#server/app/live/restream-publisher.ts'

const planEndsEvery = 30_000
const sweepEvery = 3_600_000
const viewersEvery = 15_000
const noticesEvery = 300_000

/**
 * Starts the jobs.
 * @param onFailed reports deliveries of notifications that failed for good
 * @returns a function that stops them and waits for the running one
 */
export function startJobs(services: Services, onFailed: OnFailed = () => undefined): () => Promise<void> {
  const { db, clock, log } = services
  const failure = (message: string) => (error: unknown) => log.error({ err: error }, message)
  const announcing = new Set<Promise<void>>()
  const stopPlanEnds = watchPlanEnds({
    db,
    clock,
    every: planEndsEvery,
    fit: (trx, projectId, line) => fitLine(services, trx, projectId, line),
    onEnd(end) {
      log.info(end, 'A plan ended')
      publishPlanEnd(services, end.projectId)
      if (!end.expired) return
      const term = { ...end.expired, id: end.termId, projectId: end.projectId, line: end.line }
      const sent = noticePlan(services, term, 'end')
        .catch(failure('The end of a plan was not announced'))
        .finally(() => announcing.delete(sent))
      announcing.add(sent)
    },
    onError: failure('Plan ends could not be handled'),
  })
  const stops = [
    repeat(noticesEvery, () => notifyEndingPlans(services), failure('Ends of plans could not be announced')),
    repeat(sweepEvery, () => sweep(services), failure('Sweeping failed')),
    repeat(viewersEvery, () => lookAfterPlatforms(services), failure('Platforms could not be asked')),
    watchOutbox(services, onFailed),
    watchPayments(services),
    watchRenewals(services),
    readTelegramUpdates(services, answerBotCommand),
  ]
  return async () => {
    const stopped = stops.map((stop) => stop())
    await stopPlanEnds()
    await Promise.all([...stopped, ...announcing])
  }
}

async function lookAfterPlatforms(services: Services): Promise<void> {
  await endForgotten(services)
  await askForViewers(services, (row, seen) => publishViews(services, row, seen))
}
