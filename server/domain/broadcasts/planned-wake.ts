// Changes of schedules wake the jobs of their planned broadcasts.
import { scheduleJobs } from '#server/db/jobs.ts'
import type { Trx } from '#server/db/open.ts'
import { listPlanned, plannedJobOf, updateRefused } from './planned-store.ts'

/**
 * Looks at the planned broadcasts of a schedule now.
 * @param channels channels that may get one
 * @param isChanged a user changed the schedule: what the platform refused is requested again
 */
export async function wakePlanned(
  trx: Trx,
  scheduleId: number,
  channels: readonly number[] = [],
  isChanged = false,
): Promise<void> {
  const known = (await listPlanned(trx, [scheduleId])).map(({ channel_id }) => channel_id)
  const jobs = [...new Set([...known, ...channels])].map((channelId) => plannedJobOf(scheduleId, channelId))
  // A run of the job locks in this order as well: its job, then the row.
  await scheduleJobs(trx, jobs, { skipsBackoff: isChanged })
  if (isChanged && known.length > 0) await updateRefused(trx, scheduleId)
}
