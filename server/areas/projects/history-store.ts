// Rows of a project's history, newest first.
import type { Db } from '#server/db/open.ts'

/** Which rows: times as ISO text in UTC. */
export interface HistoryFilter {
  readonly projectId: number
  readonly from?: string | undefined
  /** Not included. */
  readonly to?: string | undefined
  readonly action?: string | undefined
  readonly channelId?: number | undefined
  readonly userId?: number | undefined
}

/** A page of what happened, with the name of whoever did it, and how many rows there are. */
export async function listHistory(
  db: Db,
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
  const { total } = await matching(db, filter)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { rows, total }
}

function matching(db: Db, { projectId, from, to, action, channelId, userId }: HistoryFilter) {
  let query = db.selectFrom('project_history').where('project_history.project_id', '=', projectId)
  if (from !== undefined) query = query.where('project_history.date_create', '>=', from)
  if (to !== undefined) query = query.where('project_history.date_create', '<', to)
  if (action !== undefined) query = query.where('project_history.action', '=', action)
  if (channelId !== undefined) query = query.where('project_history.channel_id', '=', channelId)
  if (userId !== undefined) query = query.where('project_history.user_id', '=', userId)
  return query
}
