import type { Facts, Mark, Servers } from '#contract/platforms/facts.ts'

export const facts = {
  id: 25,
  title: 'Bizon 365',
  url: 'https://bizon365.ru',
  kind: 'key',
  published: 'name',
} as const satisfies Facts

export const mark = { letters: 'Bi', ground: 'hsl(44 42% 37%)', ink: '#ffffff' } as const satisfies Mark

export const servers = {
  addresses: [],
  hosts: ['bizon365.ru'],
} as const satisfies Servers
