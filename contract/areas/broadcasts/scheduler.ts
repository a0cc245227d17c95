// Schedules: files of the media library begin at a time, once or in a series. An encoder takes over while it sends.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { read, write } from '#contract/core/operation.ts'
import { Id, InProject, Page, pageOf, Success } from '#contract/core/wire.ts'
import {
  closedRunStates,
  itemStates,
  lateRules,
  openRunStates,
  PlannedInput,
  plannedReasons,
  Repeat,
  returnRules,
  runReasons,
  ScheduledTitle,
  scheduleLimits,
  titleReasons,
  titleStates,
  UnixTime,
} from '#contract/entities/schedule.ts'
import { TimeZone } from '#contract/entities/time-zone.ts'

/** What became of the titles of a run. */
const RunTitles = z.array(
  z.object({
    channel_id: z.int(),
    state: z.enum(titleStates),
    reason: z.nullable(z.enum(titleReasons)),
    words: z.nullable(z.string()),
  }),
)

/** The run that is on, or about to begin (decided). */
const Run = z.object({
  id: z.int(),
  start_at: z.int(),
  begin_at: z.int(),
  end_at: z.nullable(z.int()),
  state: z.enum(openRunStates),
  words: z.string(),
  video_id: z.nullable(z.int()),
  broadcast_id: z.nullable(z.int()),
  titles: RunTitles,
})

/** The last run that is over (decided). */
const LastRun = z.object({
  id: z.int(),
  start_at: z.int(),
  state: z.enum(closedRunStates),
  reason: z.nullable(z.enum(runReasons)),
  words: z.string(),
  date_end: z.int(),
  titles: RunTitles,
})

/** A schedule. What follows `video` is ours. */
export const Schedule = z.object({
  id: z.int(),
  project_id: z.int(),
  group_id: z.nullable(z.int()),
  taskId: z.nullable(z.int()),
  start_at: z.int(),
  end_at: z.nullable(z.int()),
  active: z.boolean(),
  channel_ids: z.array(z.int()),
  mode: z.literal('video'),
  type: z.literal('video'),
  video: z.object({
    ids: z.array(z.int()),
    loop: z.boolean(),
    items: z.array(z.object({ id: z.int(), name: z.string(), duration: z.number(), state: z.enum(itemStates) })),
  }),
  name: z.string(),
  zone: z.string(),
  repeat: z.nullable(Repeat),
  late: z.enum(lateRules),
  late_max: z.int(),
  return: z.enum(returnRules),
  titles: z.array(ScheduledTitle),
  planned: z.nullable(PlannedInput),
  planned_at: z.array(
    z.object({
      channel_id: z.int(),
      start_at: z.int(),
      state: z.enum(['waiting', 'planned', 'failed']),
      page: z.nullable(z.string()),
      reason: z.nullable(z.enum(plannedReasons)),
      words: z.nullable(z.string()),
    }),
  ),
  duration: z.nullable(z.number()),
  next: z.array(z.int()),
  run: z.nullable(Run),
  last: z.nullable(LastRun),
  missed: z.int(),
})
export type Schedule = z.output<typeof Schedule>

const notes = {
  group_id: 'its first channel; null: all',
  start_at: 'Unix seconds, as all times of this group; of a series: the day and time that it counts from',
  end_at:
    'end of the first run; later runs end at the same wall time. null: after the last file, a loop when it is stopped',
  active: 'a further run follows, or one is on',
  channel_ids: 'a run goes to those of them that are switched on; empty: to all',
  video: 'decided: files of the media library in their order; `duration`: seconds, 0: unknown',
  duration: 'seconds of all files once; null: one of them is not ready',
  next: 'begins of the next five runs at most',
  run: '`start_at`: its time; `begin_at`: when its first second was; `live`: it plays, on air or below an encoder',
  missed: 'runs that were missed',
  planned_at:
    'broadcasts for the next run, by channel; `failed`: none, with the reason; `planned` with a reason: not as the schedule wants it; `page`: for viewers',
} as const

const InSchedule = z.extend(InProject, { id: Id })

/** Fields of a new schedule. */
const fields = {
  name: z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(scheduleLimits.name), z.regex(/^\P{Cc}*$/u))),
  channel_ids: z.array(Id).check(z.maxLength(scheduleLimits.channels)),
  start_at: z.optional(UnixTime),
  end_at: z.optional(z.nullable(UnixTime)),
  start_now: z._default(z.boolean(), false),
  mode: z._default(z.literal('video'), 'video'),
  video: z.object({
    ids: z.array(Id).check(z.minLength(1), z.maxLength(scheduleLimits.items)),
    loop: z._default(z.boolean(), false),
  }),
  zone: z._default(TimeZone, 'UTC'),
  repeat: z.optional(z.nullable(Repeat)),
  late: z.optional(z.enum(lateRules)),
  late_max: z._default(z.int().check(z.minimum(0), z.maximum(scheduleLimits.lateMax)), 600),
  return: z._default(z.enum(returnRules), 'at_once'),
  titles: z._default(z.array(ScheduledTitle).check(z.maxLength(scheduleLimits.channels)), []),
  planned: z.optional(z.nullable(PlannedInput)),
}

const fieldNotes = {
  name: 'decided; left out: that of the first file',
  channel_ids: notes.channel_ids,
  start_at: 'Unix seconds; left out only with `start_now`',
  end_at: notes.end_at,
  start_now: 'the first run begins immediately; `start_at` is ignored',
  video: 'decided: `ids` of films in the media library, in their order; `loop`: they begin again after the last one',
  zone: 'decided: IANA time zone of the series. A time that summer time leaves out is moved forward, of a doubled hour the first counts',
  repeat:
    'decided: `days`: 1 Monday to 7 Sunday; `until`: last begin, included; `count`: runs in all. A month without the day has the run on its last day',
  late: 'decided: a run that begins late `join`s at the place where it would be, `begin`s at its first second, or is missed (`skip`); left out: `join` for a loop, else `begin`',
  return:
    'decided: an encoder that went away during a run takes over again `at_once`, or the files `stay` on air to the end of the run',
  titles: 'decided: titles of channels with an account, set at their platforms when the run has the air',
  planned:
    'decided: a broadcast is planned at YouTube for the next run, visible by `privacy` at once; `description` left out: that of the channel; null: none',
  late_max: 'decided: seconds after which a run is missed; with `join` it begins until `end_at`',
} as const

const write_ = { auth: 'editor', scope: 'broadcasts:write', provenance: 'published' } as const

export const scheduler = group(
  'broadcasts.scheduler',
  { prefix: 'scheduler', title: 'Scheduler', stale: ['broadcasts.scheduler', 'projects.history'] },
  {
    list: read('', {
      name: 'Get list of schedules',
      input: z.extend(z.extend(InProject, Page.shape), {
        channel_id: z.optional(Id),
        date_from: z.optional(UnixTime),
        date_to: z.optional(UnixTime),
        order: z._default(z.enum(['asc', 'desc']), 'asc'),
        active: z.optional(z.boolean()),
      }),
      output: pageOf(Schedule),
      auth: 'viewer',
      scope: 'broadcasts:read',
      provenance: 'published',
      notes: {
        ...notes,
        channel_id: 'schedules that name it, and those of all channels',
        date_from: 'schedules with a run at this time or after it',
        date_to: 'schedules with a run before this time',
        order: 'by the next run; those that are over by their last one',
        active: 'decided: true: schedules with a further run or one that is on; false: those that are over',
      },
    }),
    get: read('get', {
      name: 'Get one schedule',
      input: InSchedule,
      output: Schedule,
      auth: 'viewer',
      scope: 'broadcasts:read',
      provenance: 'published',
      notes,
    }),
    create: write('POST', '', {
      name: 'Create a schedule',
      input: z.extend(InProject, fields),
      output: z.object({ id: z.int() }),
      status: 201,
      ...write_,
      replay: 'never',
      notes: fieldNotes,
    }),
    update: write('PUT', '', {
      name: 'Replace a schedule',
      input: z.extend(InSchedule, fields),
      output: Success,
      ...write_,
      notes: { ...fieldNotes, id: 'a run that has begun keeps its files, channels and end' },
    }),
    remove: write('DELETE', '', {
      name: 'Delete a schedule',
      input: InSchedule,
      output: Success,
      ...write_,
      notes: { id: 'its run ends as well' },
    }),
    stop: write('POST', 'stop', {
      name: 'Stop the run of a schedule',
      input: InSchedule,
      output: Success,
      ...write_,
      scope: 'broadcasts:control',
      announces: 'broadcast',
      stale: ['broadcasts'],
      notes: { id: 'the run that is on, or about to begin; the series continues' },
    }),
  },
)
