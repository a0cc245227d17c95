import type { ChatFacts, Facts, Mark, Servers } from '#contract/platforms/facts.ts'

export const facts = {
  id: 4,
  order: 1,
  title: 'YouTube',
  url: 'https://www.youtube.com',
  kind: 'account',
  can: ['read_chat', 'write_chat', 'set_description', 'planned', 'viewers', 'messages', 'like'],
  settings: true,
  accounts: { youtube: { title: 'YouTube', oauth: 'google' } },
  categories: true,
  healing: true,
  needs: { gopMs: 2_500, audioKbps: 64 },
  article: 'platforms/youtube',
} as const satisfies Facts

export const mark = { letters: 'YT', ground: '#ff0000', ink: '#ffffff' } as const satisfies Mark

export const servers = {
  addresses: [
    { title: 'RTMPS', url: 'rtmps://a.rtmps.youtube.com:443/live2' },
    { title: 'RTMPS, backup', url: 'rtmps://b.rtmps.youtube.com:443/live2?backup=1' },
    { title: 'RTMP', url: 'rtmp://a.rtmp.youtube.com/live2' },
    { title: 'RTMP, backup', url: 'rtmp://b.rtmp.youtube.com/live2?backup=1' },
  ],
  hosts: ['youtube.com'],
  keyUrl: 'https://www.youtube.com/live_dashboard',
} as const satisfies Servers

export const chat = {
  read: 'page+key',
  setup: 'key',
  send: [],
  reply: false,
  remove: [],
  restrict: { how: 'timeout', max: 86400, scopes: [] },
  textMax: 200,
  rate: { messages: 10, seconds: 30 },
  popout: null,
  images: ['ggpht.com', 'googleusercontent.com'],
  globalIds: true,
  byId: true,
  quota: true,
} as const satisfies ChatFacts

// Simple Icons, CC0.
export const icon =
  'M23.498 6.186a3.016 3.016 0 0 0-2.122-2.136C19.505 3.545 12 3.545 12 3.545s-7.505 0-9.377.505A3.017 3.017 0 0 0 .502 6.186C0 8.07 0 12 0 12s0 3.93.502 5.814a3.016 3.016 0 0 0 2.122 2.136c1.871.505 9.376.505 9.376.505s7.505 0 9.377-.505a3.015 3.015 0 0 0 2.122-2.136C24 15.93 24 12 24 12s0-3.93-.502-5.814zM9.545 15.568V8.432L15.818 12l-6.273 3.568z'
