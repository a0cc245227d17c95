// Rights of realtime connections: read on connect, when a session or a membership ends, and each minute.
import { readChannel } from '#contract/events/channels.ts'
import { roleCan } from '#contract/entities/roles.ts'
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { listActiveKeys } from '#server/domain/chat/keys-store.ts'
import { listSessionRoles } from './store.ts'
import { grantOf, reaches } from '#server/domain/projects/access.ts'
import { type Holder, type KeyHolder, mayHear, neededFor, type SessionHolder } from './tokens.ts'

/** Ids per query. */
const batch = 500

type InProject<H> = H & { readonly project_id: number }

/**
 * Returns the holders that still have rights: active sessions whose user is a member of their project, and active chat keys.
 * @returns `may`: whether the holder may subscribe to a realtime channel
 */
export async function realtimeRights(services: Pick<Services, 'db' | 'clock'>, holders: readonly InProject<Holder>[]) {
  const keys = holders.filter((holder) => 'key_id' in holder)
  const sessions = holders.filter((holder) => 'session_id' in holder)
  return [
    ...(keys.length === 0 ? [] : await keyRights(services, keys)),
    ...(sessions.length === 0 ? [] : await sessionRights(services, sessions)),
  ]
}

/** Chat keys may subscribe to the channels of broadcasts that their token names. */
async function keyRights({ db }: Pick<Services, 'db'>, holders: readonly InProject<KeyHolder>[]) {
  const ids = [...new Set(holders.map(({ key_id }) => key_id))]
  const rights = []
  for (let at = 0; at < ids.length; at += batch)
    for (const { id, project_id } of await listActiveKeys(db, ids.slice(at, at + batch)))
      rights.push({
        key_id: id,
        project_id,
        may: (name: string) => readChannel(name)?.type.startsWith('broadcast') ?? false,
      })
  return rights
}

async function sessionRights(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  holders: readonly InProject<SessionHolder>[],
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
    for (const { session_id, project_id, access_type, scopes, only_project } of rows) {
      const grant = grantOf({ scopes, project_id: only_project })
      if (!reaches({ grant }, project_id) || !wanted.has(`${session_id} ${project_id}`)) continue
      const may = (name: string) => {
        const type = readChannel(name)?.type ?? 'project'
        return roleCan(access_type, neededFor(type)) && mayHear(grant, type)
      }
      rights.push({ session_id, project_id, may })
    }
  }
  return rights
}
