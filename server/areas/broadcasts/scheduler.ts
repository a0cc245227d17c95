// Schedules over HTTP.
import { scheduler } from '#contract/areas/broadcasts/scheduler.ts'
import type { ParsedInput } from '#contract/core/operation.ts'
import { implement } from '#server/core/implement.ts'
import { endOf, occurrencesFrom } from '#contract/entities/recurrence.ts'
import {
  createSchedule,
  deleteSchedule,
  getSchedule,
  nextOf,
  replaceSchedule,
  seriesOf,
  stopSchedule,
} from '#server/domain/broadcasts/schedules.ts'
import { listOpenRuns } from '#server/domain/broadcasts/runs-store.ts'
import { listSchedules, type ScheduleRow } from '#server/domain/broadcasts/schedules-store.ts'
import { presentSchedules } from './schedule-present.ts'

type Search = Pick<ParsedInput<typeof scheduler.list>, 'channel_id' | 'date_from' | 'date_to'>

/** Returns whether a schedule is in a search. */
function isFound(row: ScheduleRow, { channel_id, date_from, date_to }: Search): boolean {
  const channels = JSON.parse(row.channel_ids) as number[]
  if (channel_id !== undefined && channels.length > 0 && !channels.includes(channel_id)) return false
  if (date_from === undefined && date_to === undefined) return true
  const series = seriesOf(row)
  const from = (date_from ?? 0) * 1000
  // A loop without an end.
  if (row.is_loop === 1 && series.end === null) return series.start < (date_to ?? Infinity) * 1000
  const length = (endOf(series, series.start) ?? series.start) - series.start
  // One that began before may still be on.
  const runs = occurrencesFrom(series, Math.max(0, from - length), 2)
  const until = (date_to ?? Infinity) * 1000
  return runs.some((at) => at < until && (at >= from || (endOf(series, at) ?? at) > from))
}

export const schedulerRoutes = implement(scheduler, {
  list: async ({ project_id, limit, offset, order, active, ...search }, { db }) => {
    const open = new Set((await listOpenRuns(db, project_id)).map(({ schedule_id }) => schedule_id))
    const isActive = (row: ScheduleRow) => open.has(row.id) || nextOf(row, 1).length > 0
    const rows = (await listSchedules(db, project_id)).filter(
      (row) => isFound(row, search) && (active === undefined || isActive(row) === active),
    )
    const timed = rows.map((row) => ({ row, at: nextOf(row, 1)[0] ?? Date.parse(row.date_after) }))
    const sign = order === 'asc' ? 1 : -1
    const sorted = timed.toSorted((a, b) => sign * (a.at - b.at || a.row.id - b.row.id)).map(({ row }) => row)
    const results = await presentSchedules({ db }, project_id, sorted.slice(offset, offset + limit))
    return { results, total: rows.length, limit, offset }
  },

  get: async ({ project_id, id }, { db }) => {
    const [found] = await presentSchedules({ db }, project_id, [await getSchedule(db, project_id, id)])
    if (!found) throw new Error('A schedule was not presented')
    return found
  },

  create: async ({ project_id, ...input }, ctx) => ({
    id: await createSchedule(ctx, { projectId: project_id, userId: ctx.user.id }, input),
  }),

  update: async ({ project_id, id, ...input }, ctx) => {
    await replaceSchedule(ctx, { projectId: project_id, userId: ctx.user.id }, id, input)
    return { success: true }
  },

  remove: async ({ project_id, id }, ctx) => {
    await deleteSchedule(ctx, { projectId: project_id, userId: ctx.user.id }, id)
    return { success: true }
  },

  stop: async ({ project_id, id }, ctx) => {
    await stopSchedule(ctx, { projectId: project_id, userId: ctx.user.id }, id)
    return { success: true }
  },
})
