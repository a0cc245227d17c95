// What the service does by itself.
import type { Services } from '#server/core/context.ts'
import { startHousekeeping } from '#server/domain/housekeeping.ts'
import { sweep } from '#server/domain/sweep.ts'

const rollEvery = 30_000
const sweepEvery = 3_600_000

/** Starts the jobs. @returns what stops them, and waits for the one that runs */
export function startJobs(services: Services): () => Promise<void> {
  const { db, clock, log } = services
  const stopRolling = startHousekeeping({
    db,
    clock,
    every: rollEvery,
    onRolled: (rolled) => log.info(rolled, 'A plan ended'),
    onError: (error) => log.error({ err: error }, 'Housekeeping failed'),
  })
  let sweeping = Promise.resolve()
  const timer = setInterval(() => {
    sweeping = sweep(services).catch((error: unknown) => log.error({ err: error }, 'Sweeping failed'))
  }, sweepEvery).unref()
  return async () => {
    clearInterval(timer)
    await sweeping
    await stopRolling()
  }
}
