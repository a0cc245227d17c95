import type { Facts, Mark, Servers } from '#contract/platforms/facts.ts'

export const facts = {
  id: 31,
  order: 1001,
  title: 'SRT',
  url: '',
  kind: 'other',
  can: ['is_adding', 'edit_name', 'rtmp_url'],
  generic: true,
  article: 'platforms/custom',
} as const satisfies Facts

export const mark = { letters: '', ground: 'hsl(215 14% 42%)', ink: '#ffffff' } as const satisfies Mark

export const servers = {
  addresses: [],
  hosts: [],
} as const satisfies Servers
