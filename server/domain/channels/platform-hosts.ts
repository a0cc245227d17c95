// Ingest servers of the platforms. Any other address is custom, for channels of every type, and needs a plan that allows it.
import type { PlatformType } from '#contract/entities/channel.ts'
import { isWithin } from '#contract/entities/hosts.ts'
import type { Settings } from '#server/core/settings.ts'
import type { Destination } from './destinations.ts'

/** Servers of VK and OK, which other services of the same company share. */
const vk = ['okcdn.ru', 'mycdn.me', 'vkuser.net', 'vkuserlive.com', 'vkuserlive.net', 'vkvideo.ru', 'vk.com', 'ok.ru']
const meta = ['facebook.com', 'fbcdn.net', 'instagram.com']

/** Domains of each platform's servers; a domain stands for its subdomains as well. */
const domains: Readonly<Record<PlatformType, readonly string[]>> = {
  youtube: ['youtube.com'],
  twitch: ['twitch.tv', 'contribute.live-video.net', 'ingest.global-contribute.live-video.net'],
  vk,
  vkvideolive: [...vk, 'vkplay.live', 'vkplay.ru'],
  ok: vk,
  trovo: ['trovo.live'],
  // Amazon's domain is no proof: its other customers have servers there.
  kick: ['fa723fc1b171.global-contribute.live-video.net', 'kick.com'],
  rutube: ['rutube.ru'],
  telegram: ['t.me', 'telegram.org'],
  fb: meta,
  instagram: meta,
  tiktok: ['tiktokcdn.com', 'tiktokcdn-us.com', 'tiktokcdn-eu.com', 'tiktok.com'],
  steam: ['steamcontent.com'],
  linkedin: ['linkedin.com', 'licdn.com'],
  goodgame: ['goodgame.ru'],
  boosty: ['boosty.to', ...vk],
  plvideo: ['plvideo.ru'],
  nimotv: ['nimo.tv'],
  navertv: ['naver.com', 'navercorp.com'],
  douyu: ['douyu.com', 'douyucdn.cn'],
  huya: ['huya.com'],
  fc2Live: ['fc2.com'],
  kinescope: ['kinescope.io', 'kinescope.com'],
  getcourse: ['getcourse.ru'],
  bizon: ['bizon365.ru'],
  // Platforms without a public server of their own, and those that are gone.
  tachid: [],
  nonolive: [],
  vlive: [],
  zhanqitv: [],
  custom: [],
  srt: [],
}

type PlatformHostSettings = Pick<Settings, 'platformHosts'>

/** Domains of a platform's servers, with those that the operator added. None for custom destinations. */
export const hostsOf = (type: PlatformType, { platformHosts }: PlatformHostSettings): readonly string[] =>
  type === 'custom' || type === 'srt' ? [] : [...domains[type], ...platformHosts]

/** Returns whether a destination is outside the platform's own servers. */
export const isCustom = (
  type: PlatformType,
  { host }: Pick<Destination, 'host'>,
  config: PlatformHostSettings,
): boolean => !isWithin(host, hostsOf(type, config))
