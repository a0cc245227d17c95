// Generated from contract/platforms/*/form.ts by scripts/house/registries.ts; do not edit.
import { form as ok } from '#contract/platforms/ok/form.ts'
import { form as trovo } from '#contract/platforms/trovo/form.ts'
import { form as twitch } from '#contract/platforms/twitch/form.ts'
import { form as vk } from '#contract/platforms/vk/form.ts'
import { form as vkvideolive } from '#contract/platforms/vkvideolive/form.ts'
import { form as youtube } from '#contract/platforms/youtube/form.ts'

/** Forms of the stream settings of the platforms. */
export const forms = {
  ok: ok,
  trovo: trovo,
  twitch: twitch,
  vk: vk,
  vkvideolive: vkvideolive,
  youtube: youtube,
} as const
