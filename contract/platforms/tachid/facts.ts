import type { Facts, Mark, Servers } from '#contract/platforms/facts.ts'

export const facts = {
  id: 26,
  title: 'Tachid',
  url: '',
  kind: 'key',
  published: 'name',
} as const satisfies Facts

export const mark = { letters: 'Ta', ground: 'hsl(300 42% 37%)', ink: '#ffffff' } as const satisfies Mark

export const servers = {
  addresses: [],
  hosts: [],
} as const satisfies Servers
