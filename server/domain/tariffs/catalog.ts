// Rows of the plan catalogue as values of the rules and of the wire.
import type { RestreamPlan } from '#contract/entities/plan.ts'
import type { Settings } from '#server/core/settings.ts'
import type { Plan } from './catalog-rules.ts'
import type { PeriodTerms, PlanRow } from './store.ts'

/** Converts a row for the rules. */
export const planOf = (row: PlanRow): Plan => ({
  id: row.id,
  title: row.title,
  type: row.type,
  active: row.active === 1,
  index: row.sort_index,
  channels: { min: row.channel_min, max: row.channel_max, step: row.channel_step },
  bitrate: { min: row.bitrate_min, max: row.bitrate_max, step: row.bitrate_step },
  prices: {
    rub: prices(row.price_rub, row.channel_step_price_rub, row.bitrate_step_price_rub),
    usd: prices(row.price_usd, row.channel_step_price_usd, row.bitrate_step_price_usd),
  },
  customChannels: row.support_custom_channel === 1,
  customVideo: row.custom_video,
})

const prices = (base: number | null, channelStep: number, bitrateStep: number) =>
  base === null ? null : { base, channelStep, bitrateStep }

/** Returns the space for recordings in GB: at least `RECORD_LIMIT`. */
export const storageGbOf = (
  { video_storage }: Pick<PlanRow, 'video_storage'>,
  { recordLimitGb }: Pick<Settings, 'recordLimitGb'>,
): number => Math.max(video_storage ?? 0, recordLimitGb)

/** Features of the catalogue that this service does not provide. */
const notProvided = {
  video: false,
  dedicated_server: false,
  personal_manager: null,
} as const

/** Converts a row for the public catalogue and project info. */
export const presentPlan = (
  row: PlanRow,
  discount: PeriodTerms,
  config: Pick<Settings, 'recordLimitGb'>,
): RestreamPlan => ({
  ...notProvided,
  plan_restream_id: row.id,
  title: row.title,
  active: row.active === 1,
  count_channel_min: row.channel_min,
  count_channel_max: row.channel_max,
  type: row.type,
  price_rub: row.price_rub,
  price_usd: row.price_usd,
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
