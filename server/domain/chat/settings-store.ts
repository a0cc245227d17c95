// SQL of chat settings, muted authors, and the log of moderation.
import type { Insertable, Selectable } from 'kysely'
import type { PlatformType } from '#contract/entities/channel.ts'
import type { ReadDb, Trx } from '#server/db/open.ts'
import type { ChatTables } from '#server/db/tables-chat.ts'

export type SettingsRow = Selectable<ChatTables['chat_settings']>
type MutedRow = Selectable<ChatTables['chat_muted']>
export type ActRow = Selectable<ChatTables['chat_acts']>

/** Returns the chat settings of a project; undefined: the defaults. */
export const findSettings = (db: ReadDb, projectId: number): Promise<SettingsRow | undefined> =>
  db.selectFrom('chat_settings').selectAll().where('project_id', '=', projectId).executeTakeFirst()

/** Inserts or updates the chat settings of a project. */
export async function upsertSettings(trx: Trx, row: SettingsRow): Promise<void> {
  const { project_id: _, ...change } = row
  await trx
    .insertInto('chat_settings')
    .values(row)
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(change))
    .execute()
}

/** Returns the muted authors of a project, newest first. */
export const listMuted = (db: ReadDb, projectId: number): Promise<MutedRow[]> =>
  db
    .selectFrom('chat_muted')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('date_create', 'desc')
    .orderBy('author_id')
    .execute()

/** Inserts a muted author, unless they are muted already. */
export async function insertMuted(trx: Trx, row: MutedRow): Promise<void> {
  await trx
    .insertInto('chat_muted')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Removes a muted author. */
export async function removeMuted(
  trx: Trx,
  projectId: number,
  platform: PlatformType,
  authorId: string,
): Promise<void> {
  await trx
    .deleteFrom('chat_muted')
    .where('project_id', '=', projectId)
    .where('platform', '=', platform)
    .where('author_id', '=', authorId)
    .execute()
}

/** Inserts an act of moderation. */
export async function insertAct(trx: Trx, row: Insertable<ChatTables['chat_acts']>): Promise<void> {
  await trx.insertInto('chat_acts').values(row).execute()
}

/** Returns the last successful timeout or ban of an author at a restream. */
export const findRestriction = (db: ReadDb, restreamId: number, authorId: string): Promise<ActRow | undefined> =>
  db
    .selectFrom('chat_acts')
    .selectAll()
    .where('restream_id', '=', restreamId)
    .where('author_id', '=', authorId)
    .where('act', 'in', ['ban', 'timeout'])
    .where('error', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Returns the newest acts of a broadcast, with the names of their authors. */
export const listActs = (db: ReadDb, broadcastId: number, limit: number) =>
  db
    .selectFrom('chat_acts')
    .leftJoin('users', 'users.id', 'chat_acts.user_id')
    .leftJoin('chat_keys', 'chat_keys.id', 'chat_acts.key_id')
    .selectAll('chat_acts')
    .select(['users.first_name', 'users.last_name', 'chat_keys.name as key_name'])
    .where('chat_acts.broadcast_id', '=', broadcastId)
    .orderBy('chat_acts.id', 'desc')
    .limit(limit)
    .execute()

/** Overwrites the name of an author at a platform in the log of a project. */
export async function updateActAuthors(
  trx: Trx,
  projectId: number,
  platform: PlatformType,
  authorId: string,
): Promise<void> {
  await trx
    .updateTable('chat_acts')
    .set({ author_name: '', author_id: '' })
    .where('author_id', '=', authorId)
    .where('restream_id', 'in', (eb) =>
      eb
        .selectFrom('restreams')
        .innerJoin('broadcasts', 'broadcasts.id', 'restreams.broadcast_id')
        .select('restreams.id')
        .where('broadcasts.project_id', '=', projectId)
        .where('restreams.type', '=', platform),
    )
    .execute()
}
