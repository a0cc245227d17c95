import type { Facts, Mark, Servers } from '#contract/platforms/facts.ts'

export const facts = {
  id: 14,
  title: 'LinkedIn',
  url: 'https://www.linkedin.com',
  kind: 'key',
  published: 'name',
} as const satisfies Facts

export const mark = { letters: 'Li', ground: 'hsl(204 42% 37%)', ink: '#ffffff' } as const satisfies Mark

export const servers = {
  addresses: [],
  hosts: ['linkedin.com', 'licdn.com'],
} as const satisfies Servers
