// Generated from contract/platforms/*/form.ts by scripts/house/registries.ts; do not edit.
import { form as ok } from './ok/form.ts'
import { form as trovo } from './trovo/form.ts'
import { form as twitch } from './twitch/form.ts'
import { form as vk } from './vk/form.ts'
import { form as vkvideolive } from './vkvideolive/form.ts'
import { form as youtube } from './youtube/form.ts'

/** Forms of the stream settings of the platforms. */
export const forms = {
  ok: ok,
  trovo: trovo,
  twitch: twitch,
  vk: vk,
  vkvideolive: vkvideolive,
  youtube: youtube,
} as const
