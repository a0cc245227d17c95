import type { Facts, Mark, Servers } from '#contract/platforms/facts.ts'

export const facts = {
  id: 22,
  title: 'FC2 Live',
  url: 'https://live.fc2.com',
  kind: 'key',
  published: 'name',
} as const satisfies Facts

export const mark = { letters: 'FC', ground: 'hsl(228 42% 37%)', ink: '#ffffff' } as const satisfies Mark

export const servers = {
  addresses: [],
  hosts: ['fc2.com'],
} as const satisfies Servers
