import type { ChatFacts, Facts, Mark, Servers } from '#contract/platforms/facts.ts'

export const facts = {
  id: 3,
  order: 4,
  title: 'VK Video Live',
  url: 'https://live.vkvideo.ru',
  kind: 'account',
  can: ['read_chat', 'write_chat', 'viewers', 'messages'],
  settings: true,
  accounts: { vkvideolive: { title: 'VK Video Live', oauth: 'vkvideolive' } },
  categories: true,
  chatPermission: true,
  article: 'platforms/vk-ok',
} as const satisfies Facts

export const mark = { letters: 'VL', ground: 'hsl(232 42% 37%)', ink: '#ffffff' } as const satisfies Mark

export const servers = {
  addresses: [],
  hosts: [
    'okcdn.ru',
    'mycdn.me',
    'vkuser.net',
    'vkuserlive.com',
    'vkuserlive.net',
    'vkvideo.ru',
    'vk.com',
    'ok.ru',
    'vkplay.live',
    'vkplay.ru',
  ],
} as const satisfies Servers

export const chat = {
  read: 'page+setup',
  setup: 'registration',
  send: ['chat:message:send'],
  reply: false,
  remove: null,
  restrict: null,
  textMax: 500,
  rate: { messages: 10, seconds: 30 },
  popout: 'https://live.vkvideo.ru/{name}/only-chat',
  images: ['live.vkvideo.ru', 'live.vkplay.ru'],
} as const satisfies ChatFacts
