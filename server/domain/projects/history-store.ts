// SQL of the history of projects.
import type { Insertable } from 'kysely'
import { countRows } from '#server/db/fragments.ts'
import type { ReadDb, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

/** Filter of a history; times as ISO text in UTC. */
export interface HistoryFilter {
  readonly projectId: number
  readonly from?: string | undefined
  /** Exclusive. */
  readonly to?: string | undefined
  readonly action?: string | undefined
  readonly channelId?: number | undefined
  readonly userId?: number | undefined
}

/** Returns a page of a history, newest first, with the names of the actors, and how many rows match. */
export async function listHistory(
  db: ReadDb,
  filter: HistoryFilter,
  page: { readonly limit: number; readonly offset: number },
) {
  const rows = await matching(db, filter)
    .leftJoin('users', 'users.id', 'project_history.user_id')
    .selectAll('project_history')
    .select(['users.first_name', 'users.last_name'])
    .orderBy('project_history.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  return { rows, total: await countRows(matching(db, filter)) }
}

/** Returns the details of the entries of an action since a time. @param since ISO 8601, UTC */
export const listDetailsSince = (
  trx: ReadDb,
  { projectId, action, since }: { readonly projectId: number; readonly action: string; readonly since: string },
) =>
  trx
    .selectFrom('project_history')
    .select(['details', 'date_create'])
    .where('project_id', '=', projectId)
    .where('action', '=', action)
    .where('date_create', '>=', since)
    .execute()

/** Inserts a row. */
export async function insertHistory(trx: Trx, values: Insertable<Tables['project_history']>): Promise<void> {
  await trx.insertInto('project_history').values(values).execute()
}

function matching(db: ReadDb, { projectId, from, to, action, channelId, userId }: HistoryFilter) {
  let query = db.selectFrom('project_history').where('project_history.project_id', '=', projectId)
  if (from !== undefined) query = query.where('project_history.date_create', '>=', from)
  if (to !== undefined) query = query.where('project_history.date_create', '<', to)
  if (action !== undefined) query = query.where('project_history.action', '=', action)
  if (channelId !== undefined) query = query.where('project_history.channel_id', '=', channelId)
  if (userId !== undefined) query = query.where('project_history.user_id', '=', userId)
  return query
}
