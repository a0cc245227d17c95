// SQL of chat keys, and of the sessions behind realtime connections.
import type { Insertable, Selectable } from 'kysely'
import type { Db } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

type ChatKeyRow = Selectable<Tables['chat_keys']>

/** Returns the chat key of a project. */
export const findChatKey = (db: Db, projectId: number): Promise<ChatKeyRow | undefined> =>
  db.selectFrom('chat_keys').selectAll().where('project_id', '=', projectId).executeTakeFirst()

/** Returns the chat key with a hash. */
export const findChatKeyByHash = (db: Db, hash: string): Promise<ChatKeyRow | undefined> =>
  db.selectFrom('chat_keys').selectAll().where('key_hash', '=', hash).executeTakeFirst()

/** Inserts a chat key unless the project has one. */
export async function insertChatKey(db: Db, row: Insertable<Tables['chat_keys']>): Promise<void> {
  await db
    .insertInto('chat_keys')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * Returns the active sessions among these, with the role of their user in each project.
 * @param projects null: all projects of the users
 * @param now ISO 8601
 */
export const listSessionRoles = (
  db: Db,
  {
    sessions,
    projects,
    now,
  }: { readonly sessions: readonly number[]; readonly projects: readonly number[] | null; readonly now: string },
) =>
  db
    .selectFrom('token_families')
    .innerJoin('project_members', 'project_members.user_id', 'token_families.user_id')
    .select(['token_families.id as session_id', 'project_members.project_id', 'project_members.access_type'])
    .where('token_families.id', 'in', sessions)
    .where('token_families.date_revoke', 'is', null)
    .where('token_families.date_max', '>', now)
    .$if(projects !== null, (query) => query.where('project_members.project_id', 'in', projects ?? []))
    .execute()
