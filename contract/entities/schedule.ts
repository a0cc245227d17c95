// Schedules: files of the media library that a project sends at a time.
import * as z from 'zod/mini'
import { Id } from '#contract/core/wire.ts'

/** Limits of schedules. */
export const scheduleLimits = {
  /** Schedules of a project that are not over. */
  schedules: 50,
  /** Files of a run. */
  items: 200,
  channels: 200,
  name: 120,
  /** Runs of a series by `count`. */
  count: 1_000,
  /** Distance of two runs, in days, weeks or months. */
  every: 99,
  /** Largest `late_max`, seconds. */
  lateMax: 86_400,
  /** How far ahead the first run may begin, days. */
  aheadDays: 731,
} as const

/** Units of a series. */
export const repeatUnits = ['day', 'week', 'month'] as const

/** Unix seconds, until the end of the year 9999. */
export const UnixTime = z.int().check(z.minimum(0), z.maximum(253_402_300_799))

/** Rule of a series. `days`: 1 Monday to 7 Sunday. */
export const Repeat = z
  .object({
    every: z.enum(repeatUnits),
    n: z._default(z.int().check(z.minimum(1), z.maximum(scheduleLimits.every)), 1),
    days: z.optional(z.array(z.int().check(z.minimum(1), z.maximum(7))).check(z.minLength(1), z.maxLength(7))),
    until: z.optional(UnixTime),
    count: z.optional(z.int().check(z.minimum(1), z.maximum(scheduleLimits.count))),
  })
  .check(z.refine(({ every, days }) => days === undefined || every === 'week', 'days belong to every: week'))
export type Repeat = z.output<typeof Repeat>

/**
 * What a run does that begins late. `join`: it begins at the place where it would be; `begin`: at its first second; `skip`: it is
 * missed.
 */
export const lateRules = ['join', 'begin', 'skip'] as const
export type LateRule = (typeof lateRules)[number]

/** States of a run before its end. `live`: it plays, on air or below an encoder. */
export const openRunStates = ['waiting', 'preparing', 'ready', 'live'] as const
export type OpenRunState = (typeof openRunStates)[number]
/** States of a run that is over. */
export const closedRunStates = ['ended', 'stopped', 'failed', 'missed'] as const
export type ClosedRunState = (typeof closedRunStates)[number]
export type RunState = OpenRunState | ClosedRunState

/**
 * Why a run was missed or failed. `late`: it could not begin in time; `overlap`: an earlier run was on; `no_server`: no server could
 * play; `no_video`: none of its files is ready; `play`: the server could not play it, its words say why.
 */
export const runReasons = ['late', 'overlap', 'no_server', 'no_video', 'play'] as const
export type RunReason = (typeof runReasons)[number]

/**
 * What becomes of an encoder that went away during a run. `at_once`: it takes over again when it is back; `stay`: the files keep the air
 * to the end of the run.
 */
export const returnRules = ['at_once', 'stay'] as const
export type ReturnRule = (typeof returnRules)[number]

/** Title of a channel, set at its platform when a run has the air. */
export const ScheduledTitle = z.object({
  channel_id: Id,
  title: z.string().check(z.trim(), z.minLength(1), z.maxLength(255), z.regex(/^\P{Cc}*$/u)),
})
export type ScheduledTitle = z.output<typeof ScheduledTitle>

export const titleStates = ['waiting', 'set', 'failed'] as const
export type TitleState = (typeof titleStates)[number]
/**
 * Why a title was not set. `account`: none works; `platform-refused`: its words say why; `timeout`: it is unreachable; `hidden`: it shows
 * no broadcast of the channel; `no-change`: its broadcast had begun, and takes no other title.
 */
export const titleReasons = ['account', 'platform-refused', 'timeout', 'hidden', 'no-change'] as const
export type TitleReason = (typeof titleReasons)[number]

/** Who sees a planned broadcast. */
export const privacies = ['public', 'unlisted', 'private'] as const
/** A broadcast that is planned at the platforms that can, for the next run. */
export const PlannedInput = z.object({
  privacy: z._default(z.enum(privacies), 'public'),
  /** Left out: that of the channel. */
  description: z.optional(z.string().check(z.maxLength(5_000), z.regex(/^[^<>]*$/))),
})
export type PlannedInput = z.output<typeof PlannedInput>

/**
 * Why a broadcast is not planned, or not as the schedule wants it. `account`: none works; `late`: the run begins within a minute; `quota`:
 * the installation has no units left today; `platform-refused`: its words say why; `platform-away`: it is unreachable; `platform-gone`: it
 * has the broadcast or the stream no longer.
 */
export const plannedReasons = [
  'account',
  'late',
  'quota',
  'platform-refused',
  'platform-away',
  'platform-gone',
] as const
export type PlannedReason = (typeof plannedReasons)[number]

/** States of a file in a schedule. */
export const itemStates = ['ready', 'processing', 'failed', 'missing'] as const
export type ItemState = (typeof itemStates)[number]
