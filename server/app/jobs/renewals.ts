// Job of automatic renewals. Any number of replicas may run it.
import type { Services } from '#server/core/context.ts'
import { renewalCharger } from '#server/domain/billing/renewal-charge.ts'
import { runRenewals } from '#server/domain/billing/renewals.ts'
import { publishPlanEnd } from '#server/app/live/write-publisher.ts'
import { repeat } from './repeat.ts'

const renewalsEvery = 60_000

/** Runs one round: prepares and tries. */
export async function renewOnce(services: Services): Promise<void> {
  const { db, clock, log } = services
  await runRenewals({
    db,
    clock,
    log,
    charge: renewalCharger(services),
    onNews(news) {
      const { kind, projectId, line, reason } = news
      log.info({ kind, projectId, line, reason }, 'A renewal changed')
      if (kind === 'renewed') publishPlanEnd(services, projectId)
    },
  })
}

/** Starts the job. @returns a function that stops it and waits for the running round */
export const watchRenewals = (services: Services): (() => Promise<void>) =>
  repeat(
    renewalsEvery,
    () => renewOnce(services),
    (error) => services.log.error({ err: error }, 'Renewals could not be tried'),
  )
