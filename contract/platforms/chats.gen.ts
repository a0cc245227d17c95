// Generated from contract/platforms/*/facts.ts by scripts/house/registries.ts; do not edit.
import { chat as kick } from '#contract/platforms/kick/facts.ts'
import { chat as telegram } from '#contract/platforms/telegram/facts.ts'
import { chat as trovo } from '#contract/platforms/trovo/facts.ts'
import { chat as twitch } from '#contract/platforms/twitch/facts.ts'
import { chat as vk } from '#contract/platforms/vk/facts.ts'
import { chat as vkvideolive } from '#contract/platforms/vkvideolive/facts.ts'
import { chat as youtube } from '#contract/platforms/youtube/facts.ts'

/** Chats of the platforms that have one. */
export const chatFacts = {
  kick: kick,
  telegram: telegram,
  trovo: trovo,
  twitch: twitch,
  vk: vk,
  vkvideolive: vkvideolive,
  youtube: youtube,
} as const
