import type { ChatFacts, Facts, Mark, Servers } from '#contract/platforms/facts.ts'

export const facts = {
  id: 7,
  title: 'Kick',
  url: 'https://kick.com',
  kind: 'key',
  can: ['oauth', 'read_chat', 'write_chat', 'url_stream', 'viewers', 'messages'],
  published: 'page',
  accounts: { kick: { title: 'Kick', oauth: 'kick' } },
  chatPermission: true,
  article: 'platforms/kick-trovo',
} as const satisfies Facts

export const mark = { letters: 'Ki', ground: '#53fc19', ink: '#000000' } as const satisfies Mark

export const servers = {
  addresses: [{ title: 'RTMPS', url: 'rtmps://fa723fc1b171.global-contribute.live-video.net:443/app' }],
  hosts: ['fa723fc1b171.global-contribute.live-video.net', 'kick.com'],
  keyUrl: 'https://kick.com/settings/stream',
} as const satisfies Servers

export const chat = {
  read: 'page+setup',
  setup: 'registration+url',
  send: ['chat:write'],
  reply: true,
  remove: ['moderation:chat_message:manage'],
  restrict: { how: 'timeout', max: 604800, scopes: ['moderation:ban'] },
  textMax: 500,
  rate: { messages: 10, seconds: 30 },
  popout: 'https://kick.com/popout/{name}/chat',
  images: ['kick.com'],
  globalIds: true,
} as const satisfies ChatFacts

// Simple Icons, CC0.
export const icon =
  'M1.333 0h8v5.333H12V2.667h2.667V0h8v8H20v2.667h-2.667v2.666H20V16h2.667v8h-8v-2.667H12v-2.666H9.333V24h-8Z'
