// Rights of realtime connections: read on connect, when a session or a membership ends, and each minute.
import { readChannel } from '#contract/events/channels.ts'
import { roleCan } from '#contract/entities/roles.ts'
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { listSessionRoles } from './store.ts'
import { type Holder, neededFor } from './tokens.ts'

/** Ids per query. */
const batch = 500

/**
 * Returns the active sessions whose user is a member of their project.
 * @returns `may`: whether the session may subscribe to a realtime channel
 */
export async function realtimeRights(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  holders: readonly (Holder & { readonly project_id: number })[],
) {
  const now = iso(clock.now())
  const wanted = new Set(holders.map(({ session_id, project_id }) => `${session_id} ${project_id}`))
  const sessions = [...new Set(holders.map(({ session_id }) => session_id))]
  const projects = [...new Set(holders.map(({ project_id }) => project_id))]
  const rights = []
  for (let at = 0; at < sessions.length; at += batch) {
    const rows = await listSessionRoles(db, {
      sessions: sessions.slice(at, at + batch),
      projects: projects.length <= batch ? projects : null,
      now,
    })
    for (const { session_id, project_id, access_type } of rows) {
      if (!wanted.has(`${session_id} ${project_id}`)) continue
      const may = (name: string) => roleCan(access_type, neededFor(readChannel(name)?.type ?? 'project'))
      rights.push({ session_id, project_id, may })
    }
  }
  return rights
}
