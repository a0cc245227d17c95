import type { ChatFacts, Facts, Mark, Servers } from '#contract/platforms/facts.ts'

export const facts = {
  id: 6,
  title: 'Trovo',
  url: 'https://trovo.live',
  kind: 'account',
  can: ['read_chat', 'write_chat', 'viewers', 'messages'],
  settings: true,
  accounts: { trovo: { title: 'Trovo', oauth: 'trovo' } },
  categories: true,
  chatPermission: true,
  article: 'platforms/kick-trovo',
} as const satisfies Facts

export const mark = { letters: 'Tr', ground: 'hsl(158 42% 37%)', ink: '#ffffff' } as const satisfies Mark

export const servers = {
  addresses: [{ title: 'RTMP', url: 'rtmp://livepush.trovo.live/live' }],
  hosts: ['trovo.live'],
  keyUrl: 'https://studio.trovo.live',
} as const satisfies Servers

export const chat = {
  read: 'page+setup',
  setup: 'registration',
  send: ['chat_send_self', 'send_to_my_channel'],
  reply: false,
  remove: ['manage_messages'],
  restrict: { how: 'timeout', max: 604800, scopes: ['manage_messages'] },
  textMax: 300,
  rate: { messages: 10, seconds: 30 },
  popout: 'https://trovo.live/chat/{name}',
  images: ['trovo.live'],
  globalIds: true,
} as const satisfies ChatFacts
