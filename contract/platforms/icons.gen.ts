// Generated from contract/platforms/*/facts.ts by scripts/house/registries.ts; do not edit.
import { icon as boosty } from '#contract/platforms/boosty/facts.ts'
import { icon as fb } from '#contract/platforms/fb/facts.ts'
import { icon as instagram } from '#contract/platforms/instagram/facts.ts'
import { icon as kick } from '#contract/platforms/kick/facts.ts'
import { icon as navertv } from '#contract/platforms/navertv/facts.ts'
import { icon as ok } from '#contract/platforms/ok/facts.ts'
import { icon as steam } from '#contract/platforms/steam/facts.ts'
import { icon as telegram } from '#contract/platforms/telegram/facts.ts'
import { icon as tiktok } from '#contract/platforms/tiktok/facts.ts'
import { icon as twitch } from '#contract/platforms/twitch/facts.ts'
import { icon as vk } from '#contract/platforms/vk/facts.ts'
import { icon as youtube } from '#contract/platforms/youtube/facts.ts'

/** Brand marks, SVG paths of 24 units. Platforms without one show letters. */
export const icons = {
  boosty: boosty,
  fb: fb,
  instagram: instagram,
  kick: kick,
  navertv: navertv,
  ok: ok,
  steam: steam,
  telegram: telegram,
  tiktok: tiktok,
  twitch: twitch,
  vk: vk,
  youtube: youtube,
} as const
