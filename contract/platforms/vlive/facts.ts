import type { Facts, Mark, Servers } from '#contract/platforms/facts.ts'

export const facts = {
  id: 28,
  title: 'V Live',
  url: '',
  kind: 'closed',
  published: 'name',
} as const satisfies Facts

export const mark = { letters: 'V', ground: 'hsl(190 42% 37%)', ink: '#ffffff' } as const satisfies Mark

export const servers = {
  addresses: [],
  hosts: [],
} as const satisfies Servers
