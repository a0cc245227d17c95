// Editable fields of plans, by line.
import * as z from 'zod/mini'
import { languages } from '#contract/core/codes.ts'
import type { Language } from '#contract/core/wire.ts'
import { currencyFields } from './currencies.ts'
import { PlanType, RestreamPlan } from './plan.ts'

const whole = (min: number, max: number) => z.int().check(z.minimum(min), z.maximum(max))
/** Price in minor units; null: not for sale in the currency. */
const price = z.nullable(whole(0, 100_000_000))
const stepPrice = whole(0, 100_000_000)
const channelCount = whole(1, 1_000)
const kbps = whole(100, 1_000_000)

/** Parts of a monthly price: that of the smallest setting, and of each step of channels or bitrate above it. */
export const priceParts = ['base', 'channel_step', 'bitrate_step'] as const
export type PricePart = (typeof priceParts)[number]

const title = z.string().check(z.trim(), z.minLength(1), z.maxLength(60))

/** Fields with the names of a plan by language: `title_ru`. */
export type TitleFields<T> = { [L in Language as `title_${L}`]: T }

/** Fields of every line. */
const common = {
  /** Name in the languages without one of their own, in papers and in the history. */
  title,
  /** Left out: as before. Null: none. */
  ...(Object.fromEntries(
    languages.map((language) => [`title_${language}`, z.optional(z.nullable(title))]),
  ) as unknown as TitleFields<z.ZodMiniOptional<z.ZodMiniNullable<typeof title>>>),
  /** False: archived. Sold to no other project; a project continues, prolongs and renews the one that runs. */
  active: z.boolean(),
  /** In the public catalogue. */
  listed: z.boolean(),
  ...currencyFields('price', () => price),
}
const { resolution, fps } = RestreamPlan.shape

/** Editable fields of a plan, by line. Monthly prices in minor units, bitrates in kbps, storage in GB. */
export const planFields = {
  restream: z.object({
    ...common,
    /** Immutable: the type of an existing plan stays. */
    type: PlanType,
    channel_min: z.nullable(channelCount),
    channel_max: channelCount,
    channel_step: z.nullable(channelCount),
    bitrate_min: z.nullable(kbps),
    bitrate_max: kbps,
    bitrate_step: z.nullable(kbps),
    ...currencyFields('channel_step_price', () => stepPrice),
    ...currencyFields('bitrate_step_price', () => stepPrice),
    resolution,
    fps,
    create_projects: z.boolean(),
    /** Left out: as before; a new plan has these. */
    chat: z.optional(z.boolean()),
    background_chat: z.optional(z.boolean()),
    change_subject: z.optional(z.boolean()),
    video_storage: z.nullable(whole(0, 1_000_000)),
    pull_link_limit: whole(0, 1_000),
    support_custom_channel: z.boolean(),
  }),
  transcoding: z.object({
    ...common,
    type: z.enum(['free', 'paid_month', 'custom']),
    resolution,
    fps,
    weight: whole(0, 1_000),
    count_max: whole(1, 1_000),
  }),
  storage: z.object({
    ...common,
    size_min: whole(1, 1_000_000),
    size_max: whole(1, 1_000_000),
    size_step: whole(1, 1_000_000),
  }),
} as const
