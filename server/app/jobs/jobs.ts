// What the service does by itself.
import type { Services } from '#server/core/context.ts'
import { startHousekeeping } from '#server/domain/tariffs/housekeeping.ts'
import { endForgotten } from '#server/domain/broadcasts/live-targets.ts'
import { askForViewers } from '#server/domain/broadcasts/live-viewers.ts'
import { sweep } from './sweep.ts'
import { publishPlanEnd } from '#server/app/live/write-publisher.ts'
import { publishViews } from '#server/app/live/restream-publisher.ts'

const rollEvery = 30_000
const sweepEvery = 3_600_000
const viewersEvery = 15_000

/** Starts the jobs. @returns what stops them, and waits for the one that runs */
export function startJobs(services: Services): () => Promise<void> {
  const { db, clock, log } = services
  const stopRolling = startHousekeeping({
    db,
    clock,
    every: rollEvery,
    onRolled(rolled) {
      log.info(rolled, 'A plan ended')
      publishPlanEnd(services, rolled.projectId)
    },
    onError: (error) => log.error({ err: error }, 'Housekeeping failed'),
  })
  let sweeping = Promise.resolve()
  const timer = setInterval(() => {
    sweeping = sweep(services).catch((error: unknown) => log.error({ err: error }, 'Sweeping failed'))
  }, sweepEvery).unref()
  let asking: Promise<void> | null = null
  const viewers = setInterval(() => {
    asking ??= lookAfterPlatforms(services)
      .catch((error: unknown) => log.error({ err: error }, 'Platforms could not be asked'))
      .finally(() => (asking = null))
  }, viewersEvery).unref()
  return async () => {
    clearInterval(timer)
    clearInterval(viewers)
    await sweeping
    await asking
    await stopRolling()
  }
}

async function lookAfterPlatforms(services: Services): Promise<void> {
  await endForgotten(services)
  await askForViewers(services, (row, seen) => publishViews(services, row, seen))
}
