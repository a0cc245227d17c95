// Tables of schedules and their runs. Times are ISO 8601 text in UTC.
import type { Generated } from 'kysely'
import type { LateRule, RunReason, RunState } from '#contract/entities/schedule.ts'

export interface ScheduleTables {
  /** Files that a project sends at a time. */
  schedules: {
    id: Generated<number>
    project_id: number
    name: string
    /** JSON array of channels; empty: all. */
    channel_ids: string
    /** Day and time that a series counts from. */
    date_start: string
    /** End of the run at `date_start`; null: open. */
    date_end: string | null
    /** IANA time zone. */
    zone: string
    /** JSON of `Repeat`; null: one run. */
    repeat: string | null
    is_loop: 0 | 1
    late: LateRule
    /** Seconds. */
    late_max: number
    /** Occurrences until this time have a run, or never get one. */
    date_after: string
    /** Next occurrence without a run; null: none follows. */
    date_next: string | null
    date_create: string
  }
  /** Files of a schedule, in their order. */
  schedule_items: { schedule_id: number; position: number; media_id: number }
  /** One occurrence of a schedule. It keeps what it plays when the schedule changes. */
  schedule_runs: {
    id: Generated<number>
    project_id: number
    /** Null: the schedule was deleted. */
    schedule_id: number | null
    name: string
    /** Its time: unique in its schedule. */
    date_occurrence: string
    /** Time of its first second. */
    date_begin: string
    /** Time at which it is cut; null: none. */
    date_limit: string | null
    /** Time of its end, by the limit or by its files; null: open. */
    date_end: string | null
    is_loop: 0 | 1
    late: LateRule
    late_max: number
    /** JSON array of channels; empty: all. */
    channel_ids: string
    /** JSON of `RunItem[]`. */
    items: string
    state: RunState
    reason: RunReason | null
    words: string
    /** Item that plays, from 0. */
    item: number
    /** Relay node that plays it; null: none yet. */
    node: string | null
    /** When its node was first missed; null: it is connected. */
    date_gone: string | null
    /** When it was first admitted to the air; null: never. */
    date_admit: string | null
    date_over: string | null
  }
}
