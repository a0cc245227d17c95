// Every platform that accounts can be connected of.
import type { AccountPlatform } from '#contract/platforms/platforms.ts'
import { kick } from './kick.ts'
import { ok } from './ok.ts'
import type { Provider } from './provider.ts'
import { trovo } from './trovo.ts'
import { twitch } from './twitch.ts'
import { vk, vkId } from './vk.ts'
import { vkvideolive } from './vkvideolive.ts'
import { youtube } from './youtube.ts'

export const providers: Readonly<Record<AccountPlatform, Provider>> = {
  vk,
  'vk-id': vkId,
  ok,
  youtube,
  trovo,
  twitch,
  vkvideolive,
  kick,
}
