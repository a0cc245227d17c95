import type { ChatFacts, Facts, Mark, Servers } from '#contract/platforms/facts.ts'

export const facts = {
  id: 2,
  title: 'Twitch',
  url: 'https://www.twitch.tv',
  kind: 'account',
  can: ['read_chat', 'write_chat', 'viewers', 'messages'],
  settings: true,
  accounts: { twitch: { title: 'Twitch', oauth: 'twitch' } },
  categories: true,
  needs: { gopMs: 2_500 },
  chatPermission: true,
  article: 'platforms/twitch',
} as const satisfies Facts

export const mark = { letters: 'Tw', ground: '#9146ff', ink: '#ffffff' } as const satisfies Mark

export const servers = {
  addresses: [
    { title: 'RTMP, nearest server', url: 'rtmp://live.twitch.tv/app' },
    { title: 'RTMPS, nearest server', url: 'rtmps://live.twitch.tv:443/app' },
  ],
  hosts: ['twitch.tv', 'contribute.live-video.net', 'ingest.global-contribute.live-video.net'],
  keyUrl: 'https://dashboard.twitch.tv/settings/stream',
} as const satisfies Servers

export const chat = {
  read: 'page',
  send: ['user:write:chat'],
  reply: true,
  remove: ['moderator:manage:chat_messages'],
  restrict: { how: 'timeout', max: 1209600, scopes: ['moderator:manage:banned_users'] },
  textMax: 500,
  rate: { messages: 20, seconds: 30 },
  popout: 'https://www.twitch.tv/popout/{name}/chat',
  images: ['jtvnw.net'],
  globalIds: true,
} as const satisfies ChatFacts

// Simple Icons, CC0.
export const icon =
  'M11.571 4.714h1.715v5.143H11.57zm4.715 0H18v5.143h-1.714zM6 0L1.714 4.286v15.428h5.143V24l4.286-4.286h3.428L22.286 12V0zm14.571 11.143l-3.428 3.428h-3.429l-3 3v-3H6.857V1.714h13.714Z'
