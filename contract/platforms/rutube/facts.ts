import type { Facts, Mark, Servers } from '#contract/platforms/facts.ts'

export const facts = {
  id: 8,
  title: 'Rutube',
  url: 'https://rutube.ru',
  kind: 'key',
  can: ['url_stream'],
  published: 'page',
} as const satisfies Facts

export const mark = { letters: 'Ru', ground: 'hsl(196 42% 37%)', ink: '#ffffff' } as const satisfies Mark

export const servers = {
  addresses: [],
  hosts: ['rutube.ru'],
} as const satisfies Servers
