// Generated from server/platforms/*/platform.ts by scripts/house/registries.ts; do not edit.
import { kick } from './kick/platform.ts'
import { ok } from './ok/platform.ts'
import { trovo } from './trovo/platform.ts'
import { twitch } from './twitch/platform.ts'
import { vk, vkId } from './vk/platform.ts'
import { vkvideolive } from './vkvideolive/platform.ts'
import { youtube } from './youtube/platform.ts'

/** APIs of the platforms, by the kind of their accounts. */
export const adapters = {
  kick: kick,
  ok: ok,
  trovo: trovo,
  twitch: twitch,
  vk: vk,
  'vk-id': vkId,
  vkvideolive: vkvideolive,
  youtube: youtube,
} as const
