// Tables of schedules and their runs. Times are ISO 8601 text in UTC.
import type { Generated } from 'kysely'
import type {
  LateRule,
  PlannedReason,
  RunReason,
  RunState,
  TitleReason,
  TitleState,
} from '#contract/entities/schedule.ts'

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
    /** The files keep the air from an encoder that went away during a run. */
    stays: Generated<0 | 1>
    /** JSON of `ScheduledTitle[]`. */
    titles: Generated<string>
    /** JSON of `PlannedInput`; null: nothing is planned at platforms. */
    planned: string | null
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
    stays: Generated<0 | 1>
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
  /** Titles of channels in a run, and what became of them at the platforms. */
  run_titles: {
    run_id: number
    channel_id: number
    title: string
    state: TitleState
    reason: TitleReason | null
    words: string | null
  }
  /** A broadcast at a platform for the next occurrence of a schedule. The row outlives its schedule until it is deleted there. */
  planned_broadcasts: {
    schedule_id: number
    channel_id: number
    /** Account of the broadcast. */
    account_id: number | null
    /** `waiting`: there is none. `inserting`: the request may have been sent. `inserted`: it exists. `bound`: the stream feeds it. */
    state: 'waiting' | 'inserting' | 'inserted' | 'bound'
    /** Scheduled start, ISO 8601: with the title, the mark by which a later try finds the broadcast. */
    start_at: string
    title: string
    /** JSON of `PlannedDetails`. */
    details: string
    /** The platform's own id of it; null: none, or not known yet. */
    video_id: string | null
    page: string | null
    /** What the platform refused, as text; null: nothing. */
    refused: string | null
    reason: PlannedReason | null
    words: string | null
    /** No other run acts before this time, Unix milliseconds by the clock of the database. */
    claim_until: number
  }
}
