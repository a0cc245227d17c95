// History of a project over HTTP.
import { history } from '#contract/areas/projects/history.ts'
import { utc } from '#server/core/clock.ts'
import { implement } from '#server/core/implement.ts'
import { listHistory } from '#server/domain/projects/history-store.ts'

export const historyRoutes = implement(history, {
  list: async ({ limit, offset, date_from, date_to, ...wanted }, { db }) => {
    const filter = {
      projectId: wanted.project_id,
      from: date_from && utc(date_from),
      to: date_to && utc(date_to),
      action: wanted.action,
      channelId: wanted.group_id,
      userId: wanted.user_id,
    }
    const { rows, total } = await listHistory(db, filter, { limit, offset })
    const results = rows.map((row) => ({
      id: row.id,
      action: row.action,
      project_id: row.project_id,
      user_id: row.user_id,
      group_id: row.channel_id,
      date: row.date_create,
      user_:
        row.user_id === null ? null : { user_id: row.user_id, name: row.first_name ?? '', fename: row.last_name ?? '' },
      details: row.details === null ? null : (JSON.parse(row.details) as Record<string, unknown>),
    }))
    return { total, limit, offset, results }
  },
})
