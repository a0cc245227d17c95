// Publishes each write to the realtime channels of the projects that it changes, by the name of its operation.
import { scheduler } from '#contract/areas/broadcasts/scheduler.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import type { Operation } from '#contract/core/operation.ts'
import type { Services } from '#server/core/context.ts'
import type { Written } from '#server/core/http.ts'
import { publish } from '#server/domain/realtime/realtime.ts'
import { listProjectsOfChannel } from '#server/domain/channels/links-store.ts'

/** Creates the `onWrite` hook of the API. It does not wait: failures are logged. */
export function createWritePublisher(services: Services): Written {
  return function onWrite(operation, input, project) {
    if (operation.revokes) services.realtime.recheck()
    publishWrite(services, operation, input, project?.id ?? null).catch((error: unknown) =>
      services.log.error({ err: error, operation: operation.id }, 'A write was not published'),
    )
  }
}

/** Publishes a write to the projects that it changes (`announces`). @param projectId project of the call */
export async function publishWrite(
  services: Pick<Services, 'db' | 'realtime' | 'log'>,
  { id: operation, announces, stale }: Operation,
  input: unknown,
  projectId: number | null,
): Promise<void> {
  if (announces === 'nothing') return
  const publishTo = (id: number): void => {
    publish(services, { type: 'project_live', id }, { event: 'changed', payload: { operation, stale } })
    if (announces !== 'broadcast') publish(services, { type: 'project', id }, { event: 'project-update', payload: {} })
  }
  // First, so that a failure of the database does not withhold it.
  if (projectId !== null) publishTo(projectId)
  if (announces !== 'channel') return
  // The type of `announces` guarantees the field. A shared channel changes in each project that has it.
  const { channel_id: channelId } = input as { readonly channel_id: number }
  for (const id of await listProjectsOfChannel(services.db, channelId)) if (id !== projectId) publishTo(id)
}

/** Publishes that the runs of a project's schedules have changed. */
export function publishSchedules(services: Pick<Services, 'realtime' | 'log'>, id: number): void {
  const { id: operation, stale } = scheduler.update
  publish(services, { type: 'project_live', id }, { event: 'changed', payload: { operation, stale } })
}

/** Publishes that the plan of a project expired: its plan and the states of its channels change. */
export function publishPlanEnd(services: Services, id: number): void {
  for (const { id: operation, stale } of [restream.buy, channels.setStatus])
    publish(services, { type: 'project_live', id }, { event: 'changed', payload: { operation, stale } })
  publish(services, { type: 'project', id }, { event: 'project-update', payload: {} })
}
