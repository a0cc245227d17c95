// Who may still listen: asked when somebody comes, when a session or a membership ends, and each minute.
import { readChannel } from '#contract/events/channels.ts'
import { roleCan } from '#contract/entities/project.ts'
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { type Holder, neededFor } from './tokens.ts'

/** Rows that are asked for at once. */
const batch = 500

/** Of these sessions, those that live and belong to a member of their project, with what they may listen to. */
export async function realtimeRights(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  who: readonly (Holder & { readonly project_id: number })[],
) {
  const now = iso(clock.now())
  const wanted = new Set(who.map(({ session_id, project_id }) => `${session_id} ${project_id}`))
  const sessions = [...new Set(who.map(({ session_id }) => session_id))]
  const projects = [...new Set(who.map(({ project_id }) => project_id))]
  const rights = []
  for (let at = 0; at < sessions.length; at += batch) {
    const rows = await db
      .selectFrom('token_families')
      .innerJoin('project_members', 'project_members.user_id', 'token_families.user_id')
      .select(['token_families.id as session_id', 'project_members.project_id', 'project_members.access_type'])
      .where('token_families.id', 'in', sessions.slice(at, at + batch))
      .where('token_families.date_revoke', 'is', null)
      .where('token_families.date_max', '>', now)
      .$if(projects.length <= batch, (query) => query.where('project_members.project_id', 'in', projects))
      .execute()
    for (const { session_id, project_id, access_type } of rows) {
      if (!wanted.has(`${session_id} ${project_id}`)) continue
      const may = (name: string) => roleCan(access_type, neededFor(readChannel(name)?.type ?? 'project'))
      rights.push({ session_id, project_id, may })
    }
  }
  return rights
}
