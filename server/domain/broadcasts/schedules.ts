// Schedules: a project's files that begin at a time, once or in a series.
import {
  type LateRule,
  type PlannedInput,
  type Repeat,
  type ReturnRule,
  type ScheduledTitle,
  scheduleLimits,
} from '#contract/entities/schedule.ts'
import type { PlatformType } from '#contract/entities/channel.ts'
import { forms } from '#contract/platforms/forms.gen.ts'
import { takesSettings } from '#contract/platforms/platforms.ts'
import { dayMs, iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { type JobKind, outcomeOf } from '#server/core/jobs.ts'
import type { ReadDb, Trx } from '#server/db/open.ts'
import { scheduleJob, unscheduleJob } from '#server/db/jobs.ts'
import { projectTransaction, transaction } from '#server/db/transaction.ts'
import { checkFilmRoom, findFilmRoom } from '#server/domain/ingest/film-room.ts'
import { listNames } from '#server/domain/channels/store.ts'
import { readStreamKey } from '#server/domain/ingest/stream-keys.ts'
import { recordHistory } from '#server/domain/projects/history.ts'
import { limitsOf } from '#server/domain/tariffs/plan-limits.ts'
import { lockProject } from '#server/domain/tariffs/store.ts'
import { endOf, occurrencesFrom, type Series } from '#contract/entities/recurrence.ts'
import { listPlannable } from './planned-store.ts'
import { wakePlanned } from './planned-wake.ts'
import { closeRun, dropUnbegun } from './runs.ts'
import { insertRun, lockOpenRuns, removeOldRuns, runKind } from './runs-store.ts'
import { filmsOf, isTooHeavy } from './schedule-films.ts'
import {
  countComing,
  findSchedule,
  insertSchedule,
  listComing,
  listItems,
  lockSchedule,
  removeOver,
  removeSchedule,
  scheduleKind,
  type ScheduleRow,
  updateItems,
  updateSchedule,
} from './schedules-store.ts'
import { insertTitles } from './titles-store.ts'

/** Time before its begin at which a run is given to a node, and the time in which the node fetches and prepares its first file. */
const lead = { ms: 60_000, bytesPerMs: 10_000 } as const
/** A begin so long ago still gets its run, milliseconds. */
const justPassedMs = 60_000
/** Schedules of a project without a further run that are kept. */
const overKept = 200
/** Time after which the next run is computed anew: the rules of a zone may have changed. */
const lookMs = dayMs / 4

interface By {
  readonly projectId: number
  readonly userId: number
}

/** Fields of a schedule. Times are Unix seconds. */
export interface ScheduleInput {
  readonly name?: string | undefined
  readonly channel_ids: readonly number[]
  readonly start_at?: number | undefined
  readonly end_at?: number | null | undefined
  readonly start_now: boolean
  readonly video: { readonly ids: readonly number[]; readonly loop: boolean }
  readonly zone: string
  readonly repeat?: Repeat | null | undefined
  readonly late?: LateRule | undefined
  readonly late_max: number
  readonly return: ReturnRule
  readonly titles: readonly ScheduledTitle[]
  readonly planned?: PlannedInput | null | undefined
}

/** Returns a schedule of a project. @throws RuleError `ScheduleNotFound` */
export async function getSchedule(db: ReadDb, projectId: number, id: number): Promise<ScheduleRow> {
  const row = await findSchedule(db, projectId, id)
  if (!row) throw new RuleError('ScheduleNotFound')
  return row
}

/**
 * Creates a schedule.
 * @returns its id
 * @throws RuleError `TooManySchedules`, `KeyUnreadable`, and those of `readInput`
 */
export async function createSchedule(services: Services, by: By, input: ScheduleInput): Promise<number> {
  // A node is admitted by the stream key.
  await readStreamKey(services, by.projectId)
  return projectTransaction(services.db, by.projectId, async (trx) => {
    await lockProject(trx, by.projectId)
    await refuseMany(trx, by.projectId, 0)
    const now = services.clock.now()
    const row = await readInput(services, trx, by.projectId, input)
    await removeOver(trx, by.projectId, overKept)
    const id = await insertSchedule(trx, { project_id: by.projectId, date_create: iso(now), ...row })
    await updateItems(trx, id, input.video.ids)
    await scheduleJob(trx, scheduleKind, id)
    await wakeChannels(trx, { ...row, id, project_id: by.projectId }, true)
    await recordHistory(services, trx, { ...by, action: 'schedule_created', details: { name: row.name } })
    return id
  })
}

/**
 * Replaces a schedule. A run that has begun keeps what it plays; one that is about to begin is made anew.
 * @throws RuleError as `createSchedule`, `ScheduleNotFound`
 */
export async function replaceSchedule(services: Services, by: By, id: number, input: ScheduleInput): Promise<void> {
  await projectTransaction(services.db, by.projectId, async (trx) => {
    await lockProject(trx, by.projectId)
    await getSchedule(trx, by.projectId, id)
    await refuseMany(trx, by.projectId, id)
    const row = await readInput(services, trx, by.projectId, input)
    await lockSchedule(trx, id)
    await dropUnbegun(trx, by.projectId, id)
    await updateSchedule(trx, id, row)
    await updateItems(trx, id, input.video.ids)
    await scheduleJob(trx, scheduleKind, id)
    await wakeChannels(trx, { ...row, id, project_id: by.projectId }, true)
    await recordHistory(services, trx, { ...by, action: 'schedule_changed', details: { name: row.name } })
  })
}

/** Deletes a schedule, and ends its run. @throws RuleError `ScheduleNotFound` */
export async function deleteSchedule(services: Services, by: By, id: number): Promise<void> {
  await projectTransaction(services.db, by.projectId, async (trx) => {
    await lockProject(trx, by.projectId)
    const { name } = await getSchedule(trx, by.projectId, id)
    await lockSchedule(trx, id)
    for (const run of await openRunsOf(trx, by.projectId, id)) await closeRun(services, trx, run, { state: 'stopped' })
    await removeSchedule(trx, id)
    await wakePlanned(trx, id, [], true)
    await unscheduleJob(trx, scheduleKind, id)
    await recordHistory(services, trx, { ...by, action: 'schedule_removed', details: { name } })
  })
}

/** Ends the run of a schedule that is on or about to begin. @throws RuleError `ScheduleNotFound`, `ScheduleNotRunning` */
export async function stopSchedule(services: Services, by: By, id: number): Promise<void> {
  await transaction(services.db, async (trx) => {
    const { name } = await getSchedule(trx, by.projectId, id)
    const runs = await openRunsOf(trx, by.projectId, id)
    if (runs.length === 0) throw new RuleError('ScheduleNotRunning')
    for (const run of runs) await closeRun(services, trx, run, { state: 'stopped' })
    await recordHistory(services, trx, { ...by, action: 'schedule_stopped', details: { name } })
  })
}

/** Looks at the broadcasts of a schedule at platforms. @param isChanged by a user */
async function wakeChannels(
  trx: Trx,
  schedule: Pick<ScheduleRow, 'id' | 'project_id' | 'channel_ids' | 'planned'>,
  isChanged = false,
): Promise<void> {
  const channels = schedule.planned === null ? [] : await listPlannable(trx, schedule)
  await wakePlanned(trx, schedule.id, channels, isChanged)
}

const openRunsOf = async (trx: Trx, projectId: number, scheduleId: number) =>
  (await lockOpenRuns(trx, projectId)).filter(({ schedule_id }) => schedule_id === scheduleId)

async function refuseMany(trx: Trx, projectId: number, except: number): Promise<void> {
  const { schedules: max } = scheduleLimits
  if ((await countComing(trx, projectId, except)) >= max) throw new RuleError('TooManySchedules', { max })
}

/**
 * Checks the fields of a schedule.
 * @throws RuleError `ScheduleChannel`, `ScheduleTitle`, `ScheduleVideo`, `ScheduleBitrate`, `FilmTooLarge`, and those of `readTimes`
 */
async function readInput(services: Services, trx: Trx, projectId: number, input: ScheduleInput) {
  const { channel_ids, video, zone, repeat = null, late_max, planned = null } = input
  const times = readTimes(input, services.clock.now())
  const known = new Map((await listNames(trx, projectId)).map((channel) => [channel.channel_id, channel]))
  if (!channel_ids.every((id) => known.has(id))) throw new RuleError('ScheduleChannel')
  const titles = input.titles.filter(({ channel_id: id }) => channel_ids.length === 0 || channel_ids.includes(id))
  for (const title of titles) checkTitle(known.get(title.channel_id), title)
  const films = await filmsOf(trx, projectId, video.ids)
  const [first] = video.ids.map((id) => films.get(id))
  if (!first || !video.ids.every((id) => ['ready', 'processing'].includes(films.get(id)?.state ?? 'missing')))
    throw new RuleError('ScheduleVideo')
  const { bitrateMax: max } = await limitsOf(services, trx, projectId)
  const heavy = [...films.values()].find((film) => isTooHeavy(film, max))
  if (heavy) throw new RuleError('ScheduleBitrate', { name: heavy.name, max })
  const room = await findFilmRoom(trx, services.clock.now())
  for (const film of films.values()) checkFilmRoom(room, film)
  return {
    ...times,
    name: input.name ?? first.name.slice(0, scheduleLimits.name),
    channel_ids: JSON.stringify([...new Set(channel_ids)]),
    zone,
    repeat: repeat && JSON.stringify(repeat),
    is_loop: video.loop ? 1 : 0,
    // A run that was asked for now shows its first second.
    late: input.late ?? (video.loop && !input.start_now ? 'join' : 'begin'),
    late_max,
    stays: input.return === 'stay' ? 1 : 0,
    titles: JSON.stringify([...new Map(titles.map((one) => [one.channel_id, one])).values()]),
    planned: planned && JSON.stringify(planned),
  } as const
}

/** @throws RuleError `ScheduleTitle` */
function checkTitle(
  channel: { readonly type: PlatformType; readonly name: string } | undefined,
  { title }: ScheduledTitle,
) {
  if (!channel) throw new RuleError('ScheduleChannel')
  const { type, name } = channel
  if (!takesSettings(type) || !forms[type].fields.shape.title.safeParse(title).success)
    throw new RuleError('ScheduleTitle', { name })
}

/**
 * Checks the times of a schedule.
 * @throws RuleError `ScheduleStart`, `ScheduleTooFar`, `ScheduleEnd`, `ScheduleEndless`, `ScheduleOver`
 */
function readTimes({ start_now, start_at, end_at, video, zone, repeat = null }: ScheduleInput, now: Date) {
  const start = start_now ? now : start_at === undefined ? null : new Date(start_at * 1000)
  if (!start) throw new RuleError('ScheduleStart')
  if (start > later(now, scheduleLimits.aheadDays * dayMs)) throw new RuleError('ScheduleTooFar')
  const end = typeof end_at === 'number' ? new Date(end_at * 1000) : null
  if (end && end <= start) throw new RuleError('ScheduleEnd')
  if (repeat && video.loop && !end) throw new RuleError('ScheduleEndless')
  const after = now.getTime() - justPassedMs - 1
  const series = { start: start.getTime(), end: end?.getTime() ?? null, zone, repeat }
  const [next] = occurrencesFrom(series, after + 1, 1)
  if (next === undefined) throw new RuleError('ScheduleOver')
  return {
    date_start: iso(start),
    date_end: end && iso(end),
    date_after: iso(new Date(after)),
    date_next: iso(new Date(next)),
  }
}

/** Returns the series of a schedule. */
export const seriesOf = ({ date_start, date_end, zone, repeat }: ScheduleRow): Series => ({
  start: Date.parse(date_start),
  end: date_end === null ? null : Date.parse(date_end),
  zone,
  repeat: repeat === null ? null : (JSON.parse(repeat) as Repeat),
})

/** Returns the begins of the next runs, Unix milliseconds. */
export const nextOf = (row: ScheduleRow, limit: number): number[] =>
  occurrencesFrom(seriesOf(row), Date.parse(row.date_after) + 1, limit)

/** Begins the runs of a schedule, each a minute before its time, or earlier where its first file is large. The key is the schedule. */
export const scheduleRunsJob: JobKind = {
  ...scheduleKind,
  leaseMs: 60_000,
  atOnce: 8,
  backoff: { firstMs: 1_000, mostMs: 60_000 },
  parkAfter: 'never',
  missing: async (db) => (await listComing(db)).map(String),
  async run({ db, clock }, job) {
    const id = Number(job.key)
    for (;;) {
      const now = clock.now()
      const due = await transaction(db, async (trx) => {
        await job.fence(trx)
        const row = await lockSchedule(trx, id)
        return row ? advance(trx, row, now) : null
      })
      if (due === null) return 'done'
      if (due > iso(now)) return outcomeOf(due < iso(later(now, lookMs)) ? due : iso(later(now, lookMs)), now)
    }
  },
}

/** Makes the next run when it is time. @returns when there is more to do, ISO 8601; null: never */
async function advance(trx: Trx, row: ScheduleRow, now: Date): Promise<string | null> {
  const [next, following] = nextOf(row, 2)
  if (next === undefined) {
    if (row.date_next !== null) await updateSchedule(trx, row.id, { date_next: null })
    return null
  }
  const leadMs = await leadOf(trx, row)
  const due = next - leadMs
  if (due > now.getTime()) {
    const date_next = iso(new Date(next))
    if (row.date_next !== date_next) {
      await updateSchedule(trx, row.id, { date_next })
      await wakeChannels(trx, row)
    }
    return iso(new Date(due))
  }
  await beginRun(trx, row, next)
  await wakeChannels(trx, row)
  await updateSchedule(trx, row.id, {
    date_after: iso(new Date(next)),
    date_next: following === undefined ? null : iso(new Date(following)),
  })
  return following === undefined ? null : iso(new Date(following - leadMs))
}

/** Returns how long before its begin a run is given to a node, milliseconds. */
async function leadOf(trx: Trx, { id, project_id }: ScheduleRow): Promise<number> {
  const [first = 0] = (await listItems(trx, [id])).get(id) ?? []
  const { kbps = 0, ms = 0 } = (await filmsOf(trx, project_id, [first])).get(first) ?? {}
  return lead.ms + (kbps * ms) / 8 / lead.bytesPerMs
}

/** Inserts the run of an occurrence. Its files are read when it is given to a node. */
async function beginRun(trx: Trx, row: ScheduleRow, occurrence: number): Promise<void> {
  const { id: schedule_id, project_id, name, channel_ids, is_loop, late, late_max, stays } = row
  const end = endOf(seriesOf(row), occurrence)
  const at = iso(new Date(occurrence))
  const run = await insertRun(trx, {
    schedule_id,
    project_id,
    name,
    channel_ids,
    is_loop,
    late,
    late_max,
    stays,
    date_occurrence: at,
    date_begin: at,
    date_limit: end === null ? null : iso(new Date(end)),
    date_end: end === null ? null : iso(new Date(end)),
    items: '[]',
    state: 'waiting',
    reason: null,
    words: '',
    item: 0,
    node: null,
    date_gone: null,
    date_admit: null,
    date_over: null,
  })
  await removeOldRuns(trx, schedule_id)
  if (run === undefined) return
  await insertTitles(trx, run, JSON.parse(row.titles) as ScheduledTitle[])
  await scheduleJob(trx, runKind, run)
}
