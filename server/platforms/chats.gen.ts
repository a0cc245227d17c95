// Generated from server/platforms/*/chat.ts by scripts/house/registries.ts; do not edit.

/** Chats of the platforms. */
export const chatSources = {
  kick: async () => (await import('./kick/chat.ts')).chat,
  telegram: async () => (await import('./telegram/chat.ts')).chat,
  trovo: async () => (await import('./trovo/chat.ts')).chat,
  twitch: async () => (await import('./twitch/chat.ts')).chat,
  vk: async () => (await import('./vk/chat.ts')).chat,
  vkvideolive: async () => (await import('./vkvideolive/chat.ts')).chat,
  youtube: async () => (await import('./youtube/chat.ts')).chat,
} as const
