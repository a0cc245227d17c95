// First catalogues of restream (migration 0004), transcoding and storage plans (migration 0024), and the plan
// of installations without plans (0023). Monthly prices in minor
// units, bitrates in kbps, storage in GB.
import type { TariffTables } from './tables-tariffs.ts'

type PlanRow = TariffTables['restream_plans']

/** Plan of projects without a bought one (published default of `current`). */
const free: PlanRow = {
  id: 1,
  title: 'Free',
  type: 'free',
  active: 1,
  listed: 1,
  sort_index: 10,
  channel_min: null,
  channel_max: 2,
  channel_step: null,
  bitrate_min: null,
  bitrate_max: 10_000,
  bitrate_step: null,
  price_rub: 0,
  price_usd: 0,
  channel_step_price_rub: 0,
  channel_step_price_usd: 0,
  bitrate_step_price_rub: 0,
  bitrate_step_price_usd: 0,
  resolution: '1080p',
  fps: '60',
  create_projects: 0,
  chat: 1,
  video: 0,
  video_storage: null,
  change_subject: 0,
  background_chat: 0,
  dedicated_server: 0,
  personal_manager: null,
  pull_link_limit: 0,
  support_custom_channel: 0,
  custom_video: 0,
}

const start: PlanRow = {
  ...free,
  id: 2,
  title: 'Start',
  type: 'paid_fix',
  sort_index: 20,
  channel_max: 5,
  bitrate_max: 12_000,
  price_rub: 39_000,
  price_usd: 490,
  change_subject: 1,
  pull_link_limit: 1,
  support_custom_channel: 1,
}

const pro: PlanRow = {
  ...start,
  id: 3,
  title: 'Pro',
  sort_index: 30,
  channel_max: 10,
  bitrate_max: 20_000,
  price_rub: 99_000,
  price_usd: 1_190,
  resolution: '2K',
  create_projects: 1,
  video: 1,
  video_storage: 10,
  background_chat: 1,
  pull_link_limit: 3,
  custom_video: 1,
}

const business: PlanRow = {
  ...pro,
  id: 4,
  title: 'Business',
  sort_index: 40,
  channel_max: 30,
  bitrate_max: 40_000,
  price_rub: 249_000,
  price_usd: 2_990,
  resolution: '4K',
  video_storage: 50,
  dedicated_server: 1,
  personal_manager: 1,
  pull_link_limit: 10,
}

const flexible: PlanRow = {
  ...business,
  id: 5,
  title: 'Flexible',
  type: 'paid_flex',
  sort_index: 50,
  channel_min: 10,
  channel_max: 100,
  channel_step: 5,
  bitrate_min: 10_000,
  bitrate_max: 60_000,
  bitrate_step: 10_000,
  price_rub: 129_000,
  price_usd: 1_590,
  channel_step_price_rub: 20_000,
  channel_step_price_usd: 240,
  bitrate_step_price_rub: 15_000,
  bitrate_step_price_usd: 180,
}

/** A plan for one customer: visible and for sale only to assigned projects. */
const studio: PlanRow = {
  ...business,
  id: 6,
  title: 'Studio',
  type: 'custom',
  listed: 0,
  sort_index: 60,
  channel_max: 100,
  bitrate_max: 100_000,
  price_rub: 499_000,
  price_usd: 5_990,
  resolution: '8K',
  video_storage: 200,
  pull_link_limit: 50,
}

export const firstRestreamPlans: readonly PlanRow[] = [free, start, pro, business, flexible, studio]

/** Plan of every project while the installation has no plans: not for sale; limits of the installation still apply. */
export const everythingPlan: PlanRow = {
  ...studio,
  id: 7,
  title: 'Everything included',
  active: 0,
  sort_index: 70,
  channel_max: 1_000,
  bitrate_max: 1_000_000,
  price_rub: null,
  price_usd: null,
  video_storage: null,
  pull_link_limit: 1_000,
}
type TranscodingRow = TariffTables['transcoding_plans']

/** Transcoding plan of projects without a bought one. Prices of all rows are per flow. */
const freeTranscoding: TranscodingRow = {
  id: 1,
  title: 'Free',
  type: 'free',
  active: 1,
  listed: 1,
  sort_index: 10,
  resolution: '720p',
  fps: '30',
  weight: 1,
  count_max: 1,
  price_rub: 0,
  price_usd: 0,
}

const transcoding = (
  id: number,
  row: Pick<TranscodingRow, 'title' | 'resolution' | 'fps' | 'weight' | 'price_rub' | 'price_usd'>,
): TranscodingRow => ({ ...freeTranscoding, id, type: 'paid_month', sort_index: id * 10, count_max: 50, ...row })

export const firstTranscodingPlans: readonly TranscodingRow[] = [
  freeTranscoding,
  transcoding(2, { title: 'Full HD', resolution: '1080p', fps: '30', weight: 2, price_rub: 39_000, price_usd: 490 }),
  transcoding(3, { title: 'Full HD 60', resolution: '1080p', fps: '60', weight: 4, price_rub: 69_000, price_usd: 890 }),
  transcoding(4, { title: 'Ultra HD', resolution: '4K', fps: '60', weight: 16, price_rub: 249_000, price_usd: 2_990 }),
]

/** Prices are per GB. */
export const firstStoragePlans: readonly TariffTables['storage_plans'][] = [
  {
    id: 1,
    title: 'Recordings',
    active: 1,
    listed: 1,
    sort_index: 10,
    size_min: 10,
    size_max: 1000,
    size_step: 10,
    price_rub: 500,
    price_usd: 6,
  },
]
