// Generated from contract/platforms/*/facts.ts by scripts/house/registries.ts; do not edit.
import { icon as boosty } from './boosty/facts.ts'
import { icon as fb } from './fb/facts.ts'
import { icon as instagram } from './instagram/facts.ts'
import { icon as kick } from './kick/facts.ts'
import { icon as navertv } from './navertv/facts.ts'
import { icon as ok } from './ok/facts.ts'
import { icon as steam } from './steam/facts.ts'
import { icon as telegram } from './telegram/facts.ts'
import { icon as tiktok } from './tiktok/facts.ts'
import { icon as twitch } from './twitch/facts.ts'
import { icon as vk } from './vk/facts.ts'
import { icon as youtube } from './youtube/facts.ts'

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
