// Tariff plans: the slots of a project, the rows of the catalogue, periods and prices.
import * as z from 'zod/mini'
import { DateTime, maybe } from '#contract/core/lenient.ts'
import { currencyFields } from './currencies.ts'

/** Use of plans by an installation. `off`: everything is included, and nothing is sold. */
export const BillingMode = z.enum(['off', 'plans'])
export type BillingMode = z.output<typeof BillingMode>

/** Product lines. Restream always has a plan; transcoding and storage are bought in addition. */
export const lineNames = ['restream', 'transcoding', 'storage'] as const
export type LineName = (typeof lineNames)[number]

/** Months of each period that plans are sold for, shortest first: an entry and a row of the table `periods` add one. */
export const monthsIn = { month: 1, quarter: 3, year: 12 } as const satisfies Readonly<Record<string, number>>
export type Period = keyof typeof monthsIn

/** Names of the periods, shortest first. */
export const periodNames = Object.keys(monthsIn) as [Period, ...Period[]]
/** Length of a bought period. There are no day periods. */
export const Period = z.enum(periodNames)

/** Periods of a server that does not report which ones it sells (published). */
export const publishedPeriods: readonly Period[] = ['month', 'year']

/** Returns a value for each period. */
export const byPeriod = <T>(valueOf: (period: Period) => T): Record<Period, T> =>
  Object.fromEntries(periodNames.map((name) => [name, valueOf(name)])) as Record<Period, T>

/** Fields of the wire with one value for each period. @example PeriodFields<'price', number> // { price_month, … } */
export type PeriodFields<P extends string, T> = { [N in Period as `${P}_${N}`]: T }

/** Returns the fields of the wire with a value for each period. */
export const periodFields = <P extends string, T>(prefix: P, valueOf: (period: Period) => T): PeriodFields<P, T> =>
  Object.fromEntries(periodNames.map((name) => [`${prefix}_${name}`, valueOf(name)])) as PeriodFields<P, T>

/**
 * Returns the price of a whole period, rounded half up to the minor unit.
 * @param monthly price of a month @param percent discount of the period
 */
export const periodPrice = (monthly: number, period: Period, percent: number): number =>
  Math.round((monthly * monthsIn[period] * (100 - percent)) / 100)

/** Effect of buying a plan now. */
export const ChooseStatus = z.enum(['new', 'prolongate', 'upgrade', 'downgrade'])

/** Kind of plan: `paid_flex` has selectable channels and bitrate, `custom` is made for one customer. */
export const PlanType = z.enum(['free', 'paid_fix', 'paid_flex', 'custom'])
export type PlanType = z.output<typeof PlanType>

/**
 * Restream plan slot (brief 2.2). Every field may be absent: the brief does not specify which are required.
 * `bitrate_max` in kbps (published); `custom_video` as received. `date_start` is published for `next` only.
 */
export const RestreamSlot = z.object({
  id: z.optional(z.int()),
  channel_max: maybe(z.int()),
  bitrate_max: maybe(z.int()),
  support_custom_channel: maybe(z.boolean()),
  custom_video: maybe(z.int()),
  date_end: maybe(DateTime),
  date_start: maybe(DateTime),
})
export type RestreamSlot = z.output<typeof RestreamSlot>

/** The three slots in order of time (brief 4.2). A slot may be absent or null. */
export const RestreamSlots = z.object({
  before: maybe(RestreamSlot),
  current: maybe(RestreamSlot),
  next: maybe(RestreamSlot),
})
export type RestreamSlots = z.output<typeof RestreamSlots>

/** Percentage taken off the price of a period. `sold`, ours: periods that can be bought; left out: the published ones. */
export const Discount = z.object({
  ...byPeriod(() => z._default(z.number(), 0)),
  sold: z.optional(z.array(Period)),
})
export type Discount = z.output<typeof Discount>

/** Names of the features that the catalogue compares (published enum). */
export const featureNames = [
  'count_channel_max',
  'bitrate_max',
  'resolution',
  'create_projects',
  'chat',
  'video',
  'video_storage',
  'change_subject',
  'background_chat',
  'dedicated_server',
  'personal_manager',
  'support_custom_channel',
] as const
export const FeatureName = z.enum(featureNames)

/** Row of the public catalogue (published `PlanRestreamResponse`). Prices per month, minor units; bitrates kbps. */
export const RestreamPlan = z.object({
  plan_restream_id: z.int(),
  title: z.string(),
  active: z.boolean(),
  count_channel_min: z.nullable(z.int()),
  count_channel_max: z.nullable(z.int()),
  type: PlanType,
  ...currencyFields('price', () => z.nullable(z.int())),
  bitrate_max: z.nullable(z.int()),
  bitrate_min: z.nullable(z.int()),
  resolution: z.enum(['720p', '1080p', '2K', 'UW', '4K', '8K']),
  fps: z.enum(['30', '60']),
  create_projects: z.boolean(),
  chat: z.boolean(),
  video: z.boolean(),
  video_storage: z.nullable(z.int()),
  change_subject: z.boolean(),
  background_chat: z.boolean(),
  dedicated_server: z.boolean(),
  personal_manager: z.nullable(z.int()),
  pull_link_limit: z.int(),
  index: z.int(),
  support_custom_channel: z.boolean(),
  discount: Discount,
})
export type RestreamPlan = z.output<typeof RestreamPlan>
