import type { Facts, Mark, Servers } from '#contract/platforms/facts.ts'

export const facts = {
  id: 21,
  title: 'Huya',
  url: 'https://www.huya.com',
  kind: 'key',
  published: 'name',
} as const satisfies Facts

export const mark = { letters: 'Hu', ground: 'hsl(38 42% 37%)', ink: '#ffffff' } as const satisfies Mark

export const servers = {
  addresses: [],
  hosts: ['huya.com'],
} as const satisfies Servers
