// The plan of installations without plans. Bitrates in kbps, storage in GB.
import type { TariffTables } from './tables-tariffs.ts'

/** Plan of every project while the installation has no plans: not for sale; limits of the installation still apply. */
export const everythingPlan: TariffTables['restream_plans'] = {
  id: 7,
  title: 'Everything included',
  type: 'custom',
  active: 0,
  listed: 0,
  sort_index: 70,
  channel_min: null,
  channel_max: 1_000,
  channel_step: null,
  bitrate_min: null,
  bitrate_max: 1_000_000,
  bitrate_step: null,
  resolution: '8K',
  fps: '60',
  create_projects: 1,
  chat: 1,
  video: 1,
  video_storage: null,
  change_subject: 1,
  background_chat: 1,
  dedicated_server: 1,
  personal_manager: 1,
  pull_link_limit: 1_000,
  support_custom_channel: 1,
  custom_video: 1,
}
