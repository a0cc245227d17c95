import type { Facts, Mark, Servers } from '#contract/platforms/facts.ts'

export const facts = {
  id: 23,
  title: 'Kinescope',
  url: 'https://kinescope.com',
  kind: 'key',
  published: 'name',
} as const satisfies Facts

export const mark = { letters: 'Kn', ground: 'hsl(286 42% 37%)', ink: '#ffffff' } as const satisfies Mark

export const servers = {
  addresses: [],
  hosts: ['kinescope.io', 'kinescope.com'],
} as const satisfies Servers
