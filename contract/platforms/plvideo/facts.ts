import type { Facts, Mark, Servers } from '#contract/platforms/facts.ts'

export const facts = {
  id: 17,
  title: 'Platforma',
  url: 'https://plvideo.ru',
  kind: 'key',
  published: 'name',
} as const satisfies Facts

export const mark = { letters: 'Pl', ground: 'hsl(262 42% 37%)', ink: '#ffffff' } as const satisfies Mark

export const servers = {
  addresses: [],
  hosts: ['plvideo.ru'],
} as const satisfies Servers
