// PlanRestream: base tariff of a project, its slots, its catalogue, quotes and purchases.
import * as z from 'zod/mini'
import { stalePlans } from '#contract/entities/stale.ts'
import { group } from '#contract/core/group.ts'
import { DateTime, maybe } from '#contract/core/lenient.ts'
import { read, write } from '#contract/core/operation.ts'
import { Id, InProject, listOf, Success } from '#contract/core/wire.ts'
import { promoCode } from '#contract/entities/money.ts'
import {
  ChooseStatus,
  FeatureName,
  Period,
  periodFields,
  PlanType,
  RestreamPlan,
  RestreamSlots,
} from '#contract/entities/plan.ts'
import { Currency } from '#contract/entities/project.ts'
import { planLine, purchaseGuards, purchaseNotes, QuoteStatus } from './plan-line.ts'

const planId = Id
const channels = z.optional(z.int().check(z.minimum(1), z.maximum(100_000)))
const bitrate = z.optional(z.int().check(z.minimum(1), z.maximum(10_000_000)))

/** Public catalogue, and the features that compare its rows. */
export const RestreamPlanList = z.object({
  results: z.array(RestreamPlan),
  feature: listOf(z.object({ name: FeatureName, unit: z.optional(z.string()) })),
})

/** Plan as one project sees it: prices of a whole period in the project's currency, minor units. */
export const RestreamOffer = z.object({
  plan_restream_id: z.int(),
  title: z.string(),
  active: z.boolean(),
  count_channel_min: maybe(z.int()),
  count_channel_max: maybe(z.int()),
  count_channel_step: maybe(z.int()),
  type: PlanType,
  bitrate_max: maybe(z.int()),
  bitrate_min: maybe(z.int()),
  bitrate_step: maybe(z.int()),
  index: z.int(),
  /** Left out by other servers: periods that are not published. */
  price: z.object({ month: z.int(), quarter: z.optional(z.int()), year: z.int() }),
  status: z.enum(['current', 'upgrade', 'downgrade']),
  feature: z.array(
    z.object({
      name: z.string(),
      type: z.enum(['string', 'number', 'boolean']),
      value: z.nullable(z.union([z.string(), z.number(), z.boolean()])),
      index: z.int(),
      unit: z.optional(z.string()),
    }),
  ),
  support_custom_channel: z.boolean(),
  custom_video: z.int(),
  own_tariff: RestreamSlots,
})
export type RestreamOffer = z.output<typeof RestreamOffer>

/** A quote (published `PlanRestreamCheckV2Response`). Money in minor units of `currency`; bitrate in kbps. */
export const RestreamQuote = z.object({
  ...periodFields('tariff_price', () => z.optional(z.int())),
  tariff_price_month: z.int(),
  tariff_price_year: z.int(),
  balance: z.int(),
  sum: z.optional(z.int()),
  /** Ours: what a promo code takes off the price; `sum` is the price after it. */
  promo_off: z.optional(z.int()),
  refund_current: z.optional(z.int()),
  refund_after: z.optional(z.int()),
  refund_balance: z.optional(z.int()),
  decrease_balance: z.optional(z.int()),
  total: z.optional(z.int()),
  notification: z.optional(z.string()),
  notification_date: z.optional(DateTime),
  button_name: z.string(),
  currency: Currency,
  choose_status: ChooseStatus,
  status: QuoteStatus,
  channel: z.optional(z.int()),
  bitrate: z.optional(z.int()),
})
export type RestreamQuote = z.output<typeof RestreamQuote>

export const restream = group(
  'tariffs.restream',
  { prefix: 'plan_restream', title: 'PlanRestream', stale: stalePlans },
  {
    slots: read('', {
      name: 'Get tariff for project',
      input: InProject,
      output: RestreamSlots,
      auth: 'viewer',
      scope: 'billing:read',
      provenance: 'brief',
    }),
    ...planLine(
      {
        cancelNext: 'Remove after tariff',
        list: 'Get list of restream tariffs',
        discount: 'Get discount restream',
      },
      {
        list: RestreamPlanList,
        cancel: z.extend(InProject, { plan_restream_id: planId }),
      },
    ),
    offers: read('list/project', {
      name: 'Get list of restream tariffs for project',
      input: InProject,
      output: listOf(RestreamOffer),
      auth: 'viewer',
      scope: 'billing:read',
      provenance: 'published',
      notes: { price: "minor units of the project's currency for the whole period", bitrate_max: 'kbps' },
    }),
    check: read('check', {
      name: 'Load data for show card the tariffs v2',
      version: '2',
      input: z.extend(InProject, {
        period: Period,
        plan_restream_id: planId,
        use_balance: z.optional(z.literal([0, 1])),
        channels,
        bitrate,
        promo_code: promoCode,
      }),
      output: RestreamQuote,
      auth: 'viewer',
      scope: 'billing:read',
      provenance: 'published',
      notes: { bitrate: 'kbps', sum: 'minor units', use_balance: '1: take what the balance covers' },
    }),
    buy: write('POST', '', {
      name: 'Buy restream tariff',
      placement: 'query',
      input: z.extend(InProject, {
        period: Period,
        plan_restream_id: planId,
        count_channel: channels,
        bitrate,
        ...purchaseGuards,
      }),
      output: Success,
      auth: 'owner',
      scope: 'billing:write',
      provenance: 'published',
      notes: {
        count_channel: 'called `channels` in check',
        bitrate: 'kbps',
        ...purchaseNotes,
      },
    }),
  },
)
