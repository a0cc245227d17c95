import type { Facts, Mark, Servers } from '#contract/platforms/facts.ts'

export const facts = {
  id: 15,
  title: 'GoodGame',
  url: 'https://goodgame.ru',
  kind: 'key',
  published: 'name',
} as const satisfies Facts

export const mark = { letters: 'GG', ground: 'hsl(250 42% 37%)', ink: '#ffffff' } as const satisfies Mark

export const servers = {
  addresses: [{ title: 'RTMP, Moscow', url: 'rtmp://msk.goodgame.ru:1940/live' }],
  hosts: ['goodgame.ru'],
} as const satisfies Servers
