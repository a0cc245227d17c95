import type { Facts, Mark, Servers } from '#contract/platforms/facts.ts'

export const facts = {
  id: 27,
  title: 'Nonolive',
  url: '',
  kind: 'closed',
  published: 'name',
} as const satisfies Facts

export const mark = { letters: 'No', ground: 'hsl(326 42% 37%)', ink: '#ffffff' } as const satisfies Mark

export const servers = {
  addresses: [],
  hosts: [],
} as const satisfies Servers
