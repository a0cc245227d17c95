// What one member of a project does, the open pages of the others hear of: each write is published by its name, and
// whoever listens knows what depends on it. One place for all operations, so that none can forget it.
import type { Services } from '#server/core/context.ts'
import type { Written } from '#server/core/http.ts'
import { publish } from '#server/domain/realtime/realtime.ts'

/** Writes that change nothing that a page of a project shows. */
const silent: readonly string[] = ['channels.channels.test', 'channels.telegram-chat.init', 'projects.projects.select']
const silentAreas = ['account']

/** Writes that end a session or take a right away. */
const ending = ['account.sessions.', 'account.settings.password', 'account.auth.logout', 'projects.members.']

/** Makes what tells of writes. */
export function announceWrites(services: Services): Written {
  return function written({ id }, input, project) {
    if (ending.some((prefix) => id.startsWith(prefix))) services.realtime.recheck()
    if (silent.includes(id) || silentAreas.includes(id.slice(0, id.indexOf('.')))) return
    const { channel_id: channelId } = input as { readonly channel_id?: number }
    void announce(id, project?.id ?? null, channelId ?? null).catch((error: unknown) =>
      services.log.error({ err: error, operation: id }, 'A write was not announced'),
    )
  }

  async function announce(operation: string, projectId: number | null, channelId: number | null): Promise<void> {
    const projects = new Set(channelId === null ? [] : await projectsOf(channelId))
    if (projectId !== null) projects.add(projectId)
    for (const id of projects) {
      publish(services, { type: 'project_live', id }, { event: 'changed', payload: { operation } })
      if (!operation.startsWith('broadcasts.'))
        publish(services, { type: 'project', id }, { event: 'project-update', payload: {} })
    }
  }

  /** A channel may be shared: it changes for everybody who has it. */
  async function projectsOf(channelId: number): Promise<number[]> {
    const rows = await services.db
      .selectFrom('project_channels')
      .select('project_id')
      .where('channel_id', '=', channelId)
      .execute()
    return rows.map((row) => row.project_id)
  }
}

/** A plan has ended by its time: pages see another one, and channels that it has no room for are off. */
export function announcePlanEnd(services: Services, id: number): void {
  for (const operation of ['tariffs.restream.buy', 'channels.channels.setStatus'])
    publish(services, { type: 'project_live', id }, { event: 'changed', payload: { operation } })
  publish(services, { type: 'project', id }, { event: 'project-update', payload: {} })
}
