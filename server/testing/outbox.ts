// Sends the notifications of a test service that are due: `ageJobs` lets time pass for them.
import { createLaneJobs } from '#server/delivery/outbox.ts'
import { createWebhookJob } from '#server/delivery/webhooks.ts'
import { runJobs } from './jobs.ts'
import type { World } from './test-app.ts'

/** Runs the jobs of lanes until none is due. @param options senders, and the report of failures @returns the number of runs */
export const sendNotifications = (
  { services }: Pick<World, 'services'>,
  options: Parameters<typeof createLaneJobs>[1] = {},
): Promise<number> => runJobs(services, createLaneJobs(services, options))

/** Runs the jobs of webhooks until none is due. @param onFailed reports failures @returns the number of runs */
export const postWebhooks = (
  { services }: Pick<World, 'services'>,
  onFailed?: Parameters<typeof createWebhookJob>[0],
): Promise<number> => runJobs(services, [createWebhookJob(onFailed)])
