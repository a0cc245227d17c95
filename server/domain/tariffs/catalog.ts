// Rows of the plan catalogue as values of the rules and of the wire.
import type { Language } from '#contract/core/wire.ts'
import { byCurrency, type Currency, currencyFields } from '#contract/entities/currencies.ts'
import type { RestreamPlan } from '#contract/entities/plan.ts'
import type { Settings } from '#server/core/settings.ts'
import { everythingPlan } from '#server/db/first-plans.ts'
import type { MonthlyPrice, Plan } from './catalog-rules.ts'
import { type PeriodTerms, type Priced, type Prices, type PlanRow, titleIn } from './store.ts'

/** Converts a row for the rules. */
export const planOf = (row: Priced<PlanRow>): Plan => ({
  ...settingsOf(row),
  titles: row.titles,
  prices: byCurrency((currency) => monthlyOf(row.prices, currency)),
})

/** Converts a row for the rules that need no price. */
export const settingsOf = (row: PlanRow): Omit<Plan, 'prices'> => ({
  id: row.id,
  title: row.title,
  type: row.type,
  active: row.active === 1,
  index: row.sort_index,
  channels: { min: row.channel_min, max: row.channel_max, step: row.channel_step },
  bitrate: { min: row.bitrate_min, max: row.bitrate_max, step: row.bitrate_step },
  customChannels: row.support_custom_channel === 1,
  customVideo: row.custom_video,
})

function monthlyOf({ base, channel_step, bitrate_step }: Prices, currency: Currency): MonthlyPrice | null {
  const price = base[currency]
  if (price === undefined) return null
  return { base: price, channelStep: channel_step[currency] ?? 0, bitrateStep: bitrate_step[currency] ?? 0 }
}

/** Returns the prices of a plan as the wire names them: `price_usd`, `price_rub`; null: not for sale in the currency. */
export const presentPrices = ({ base }: Prices) => currencyFields('price', (currency) => base[currency] ?? null)

/**
 * Returns the space for recordings in GB: at least `RECORD_LIMIT`. Where plans do not apply, what an operator has set, else
 * `RECORD_LIMIT`.
 */
export const storageGbOf = (
  { id, video_storage: own }: Pick<PlanRow, 'id' | 'video_storage'>,
  { recordLimitGb }: Pick<Settings, 'recordLimitGb'>,
): number => (id === everythingPlan.id && own !== null ? own : Math.max(own ?? 0, recordLimitGb))

/** Features of the catalogue that this service does not provide. */
const notProvided = {
  video: false,
  dedicated_server: false,
  personal_manager: null,
} as const

/** Converts a row for the public catalogue and project info. */
export const presentPlan = (
  row: Priced<PlanRow>,
  discount: PeriodTerms,
  config: Pick<Settings, 'recordLimitGb'>,
  language: Language,
): RestreamPlan => ({
  ...notProvided,
  plan_restream_id: row.id,
  title: titleIn(row, language),
  active: row.active === 1,
  count_channel_min: row.channel_min,
  count_channel_max: row.channel_max,
  type: row.type,
  ...presentPrices(row.prices),
  bitrate_max: row.bitrate_max,
  bitrate_min: row.bitrate_min,
  resolution: row.resolution,
  fps: row.fps,
  create_projects: row.create_projects === 1,
  chat: row.chat === 1,
  background_chat: row.background_chat === 1,
  video_storage: storageGbOf(row, config),
  change_subject: row.change_subject === 1,
  pull_link_limit: row.pull_link_limit,
  index: row.sort_index,
  support_custom_channel: row.support_custom_channel === 1,
  discount: { ...discount },
})
