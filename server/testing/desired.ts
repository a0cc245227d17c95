// Desired state of a project, as a service with its node would have it after all work that follows.
import type { Services } from '#server/core/context.ts'
import { applyEffects, readDesired } from '#server/domain/broadcasts/desired.ts'
import { targetEndJob, targetJob } from '#server/domain/broadcasts/live-targets.ts'
import { runJobs } from './jobs.ts'

/** Applies the effects of the desired state, runs the jobs of targets that are due, and returns the new state. */
export async function settledState(services: Services, projectId: number) {
  const { effects } = await readDesired(services, projectId)
  if (effects) await applyEffects(services, effects)
  await runJobs(services, [targetJob, targetEndJob])
  return (await readDesired(services, projectId)).state
}
