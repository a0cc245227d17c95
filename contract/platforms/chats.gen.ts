// Generated from contract/platforms/*/facts.ts by scripts/house/registries.ts; do not edit.
import { chat as kick } from './kick/facts.ts'
import { chat as telegram } from './telegram/facts.ts'
import { chat as trovo } from './trovo/facts.ts'
import { chat as twitch } from './twitch/facts.ts'
import { chat as vk } from './vk/facts.ts'
import { chat as vkvideolive } from './vkvideolive/facts.ts'
import { chat as youtube } from './youtube/facts.ts'

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
