// Chat platforms by type. The code of a platform is imported when its first reader starts.
import type { PlatformType } from '#contract/entities/channel.ts'
import type { ChatSource } from '#server/chat/port.ts'

/** A platform: its code, and the hosts of its images (emoji, badges, avatars) with their subdomains. */
export interface ChatPlatform {
  readonly load: () => Promise<ChatSource>
  readonly images: readonly string[]
}

/** One row per platform. */
export const chatPlatforms: Readonly<Partial<Record<PlatformType, ChatPlatform>>> = {
  kick: { load: () => import('./kick.ts').then(({ kick }) => kick), images: ['kick.com'] },
  trovo: { load: () => import('./trovo.ts').then(({ trovo }) => trovo), images: ['trovo.live'] },
  telegram: { load: () => import('./telegram.ts').then(({ telegram }) => telegram), images: [] },
  vk: { load: () => import('./vk.ts').then(({ vk }) => vk), images: ['vk.com', 'userapi.com', 'vkuserphoto.ru'] },
  twitch: { load: () => import('./twitch.ts').then(({ twitch }) => twitch), images: ['jtvnw.net'] },
  youtube: {
    load: () => import('./youtube.ts').then(({ youtube }) => youtube),
    images: ['ggpht.com', 'googleusercontent.com'],
  },
  vkvideolive: {
    load: () => import('./vkvideolive.ts').then(({ vkvideolive }) => vkvideolive),
    images: ['live.vkvideo.ru', 'live.vkplay.ru'],
  },
}
