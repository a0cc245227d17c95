// SQL of the sessions behind realtime connections.
import type { ReadDb } from '#server/db/open.ts'

/**
 * Returns the active sessions among these, with the role of their user in each project.
 * @param projects null: all projects of the users
 * @param now ISO 8601
 */
export const listSessionRoles = (
  db: ReadDb,
  {
    sessions,
    projects,
    now,
  }: { readonly sessions: readonly number[]; readonly projects: readonly number[] | null; readonly now: string },
) =>
  db
    .selectFrom('token_families')
    .innerJoin('project_members', 'project_members.user_id', 'token_families.user_id')
    .select(['token_families.id as session_id', 'token_families.scopes', 'token_families.project_id as only_project'])
    .select(['project_members.project_id', 'project_members.access_type'])
    .where('token_families.id', 'in', sessions)
    .where('token_families.date_revoke', 'is', null)
    .where('token_families.date_max', '>', now)
    .$if(projects !== null, (query) => query.where('project_members.project_id', 'in', projects ?? []))
    .execute()
