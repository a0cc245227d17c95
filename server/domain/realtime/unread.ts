// Has the open pages of a user fetch the number of unread notifications again.
import type { Services } from '#server/core/context.ts'
import { listProjectIds } from '#server/domain/notifications/store.ts'
import { publish } from './realtime.ts'

/** Publishes to the projects of a user that notifications changed. The event carries no contents. */
export async function publishUnread(
  services: Pick<Services, 'db' | 'realtime' | 'log'>,
  userId: number,
): Promise<void> {
  for (const id of await listProjectIds(services.db, userId))
    publish(services, { type: 'project', id }, { event: 'notification', payload: {} })
}
