import type { Facts, Mark, Servers } from '#contract/platforms/facts.ts'

export const facts = {
  id: 20,
  title: 'Douyu',
  url: 'https://www.douyu.com',
  kind: 'key',
  published: 'name',
} as const satisfies Facts

export const mark = { letters: 'Do', ground: 'hsl(26 42% 37%)', ink: '#ffffff' } as const satisfies Mark

export const servers = {
  addresses: [],
  hosts: ['douyu.com', 'douyucdn.cn'],
} as const satisfies Servers
