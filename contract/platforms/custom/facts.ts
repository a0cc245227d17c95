import type { Facts, Mark, Servers } from '#contract/platforms/facts.ts'

export const facts = {
  id: 30,
  order: 1000,
  title: 'RTMP',
  url: '',
  kind: 'key',
  published: 'name',
  generic: true,
  article: 'platforms/custom',
} as const satisfies Facts

export const mark = { letters: '', ground: 'hsl(215 14% 42%)', ink: '#ffffff' } as const satisfies Mark

export const servers = {
  addresses: [],
  hosts: [],
} as const satisfies Servers
