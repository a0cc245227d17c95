// Schedules as the wire shows them: times are Unix seconds.
import type { Schedule } from '#contract/areas/broadcasts/scheduler.ts'
import {
  type ClosedRunState,
  closedRunStates,
  type OpenRunState,
  openRunStates,
  type PlannedInput,
  type Repeat,
  type ScheduledTitle,
} from '#contract/entities/schedule.ts'
import { isOneOf } from '#contract/platforms/platforms.ts'
import type { Reading, Services } from '#server/core/context.ts'
import { itemsOf } from '#server/domain/broadcasts/runs.ts'
import { listPlanned, type PlannedRow } from '#server/domain/broadcasts/planned-store.ts'
import { countMissed, listLastRuns, listOpenRuns, type RunRow } from '#server/domain/broadcasts/runs-store.ts'
import { type Film, filmsOf } from '#server/domain/broadcasts/schedule-films.ts'
import { nextOf } from '#server/domain/broadcasts/schedules.ts'
import { listItems, type ScheduleRow } from '#server/domain/broadcasts/schedules-store.ts'
import { listTitles, type TitleRow } from '#server/domain/broadcasts/titles-store.ts'
import { findOnAir } from '#server/domain/broadcasts/store.ts'

const shownRuns = 5

const seconds = (date: string): number => Math.floor(Date.parse(date) / 1000)

/** Presents schedules of one project, in their order. */
export async function presentSchedules(
  { db }: Reading<Pick<Services, 'db'>>,
  projectId: number,
  rows: readonly ScheduleRow[],
): Promise<Schedule[]> {
  const ids = rows.map(({ id }) => id)
  const items = await listItems(db, ids)
  const films = await filmsOf(db, projectId, [...new Set([...items.values()].flat())])
  const open = await listOpenRuns(db, projectId)
  const last = await listLastRuns(db, ids)
  const missed = await countMissed(db, ids)
  const planned = Map.groupBy(await listPlanned(db, ids), ({ schedule_id }) => schedule_id)
  const runs = [...open, ...last].map(({ id }) => id)
  const titles = Map.groupBy(await listTitles(db, runs), ({ run_id }) => run_id)
  const broadcastId = open.length > 0 ? ((await findOnAir(db, projectId))?.id ?? null) : null
  return rows.map((row) => {
    const next = nextOf(row, shownRuns)
    // The next one may wait for the one that is on.
    const run = open.find(({ schedule_id }) => schedule_id === row.id)
    const over = last.find(({ schedule_id }) => schedule_id === row.id)
    return {
      ...presentFields(row, items.get(row.id) ?? [], films),
      active: next.length > 0 || run !== undefined,
      next: next.map((ms) => Math.floor(ms / 1000)),
      run: run ? { ...presentRun(run, broadcastId), titles: presentTitles(titles.get(run.id)) } : null,
      last: over ? { ...presentLast(over), titles: presentTitles(titles.get(over.id)) } : null,
      planned_at: (planned.get(row.id) ?? []).map(presentPlanned),
      missed: missed.get(row.id) ?? 0,
    }
  })
}

function presentFields(row: ScheduleRow, ids: readonly number[], films: ReadonlyMap<number, Film>) {
  const channels = JSON.parse(row.channel_ids) as number[]
  const found = ids.map((id) => films.get(id))
  const isKnown = found.every((film) => film?.state === 'ready')
  return {
    id: row.id,
    project_id: row.project_id,
    group_id: channels[0] ?? null,
    taskId: null,
    start_at: seconds(row.date_start),
    end_at: row.date_end === null ? null : seconds(row.date_end),
    channel_ids: channels,
    mode: 'video' as const,
    type: 'video' as const,
    video: {
      ids: [...ids],
      loop: row.is_loop === 1,
      items: ids.map((id, at) => ({
        id,
        name: found[at]?.name ?? '',
        duration: (found[at]?.ms ?? 0) / 1000,
        state: found[at]?.state ?? ('missing' as const),
      })),
    },
    name: row.name,
    zone: row.zone,
    repeat: row.repeat === null ? null : (JSON.parse(row.repeat) as Repeat),
    late: row.late,
    late_max: row.late_max,
    return: row.stays === 1 ? ('stay' as const) : ('at_once' as const),
    titles: JSON.parse(row.titles) as ScheduledTitle[],
    planned: row.planned === null ? null : (JSON.parse(row.planned) as PlannedInput),
    duration: isKnown ? found.reduce((sum, film) => sum + (film?.ms ?? 0), 0) / 1000 : null,
  }
}

const presentTitles = (rows: readonly TitleRow[] = []): NonNullable<Schedule['run']>['titles'] =>
  rows.map(({ channel_id, state, reason, words }) => ({ channel_id, state, reason, words }))

function presentPlanned(row: PlannedRow): Schedule['planned_at'][number] {
  const { channel_id, start_at, state, page, reason, words } = row
  const isMade = state === 'inserted' || state === 'bound'
  const shown = isMade ? 'planned' : reason === null ? 'waiting' : 'failed'
  return { channel_id, start_at: seconds(start_at), state: shown, page: isMade ? page : null, reason, words }
}

/** @param broadcastId of the project, if it is on air */
function presentRun(run: RunRow, broadcastId: number | null) {
  const { id, date_occurrence, date_begin, date_end, date_admit, state, words, item } = run
  return {
    id,
    start_at: seconds(date_occurrence),
    begin_at: seconds(date_begin),
    end_at: date_end === null ? null : seconds(date_end),
    state: isOneOf(openRunStates, state) ? state : ('waiting' satisfies OpenRunState),
    words,
    video_id: itemsOf(run)[item]?.id ?? null,
    broadcast_id: date_admit === null ? null : broadcastId,
  }
}

function presentLast(run: RunRow) {
  const { id, date_occurrence, state, reason, words, date_over } = run
  return {
    id,
    start_at: seconds(date_occurrence),
    state: isOneOf(closedRunStates, state) ? state : ('ended' satisfies ClosedRunState),
    reason,
    words,
    date_end: seconds(date_over ?? date_occurrence),
  }
}
