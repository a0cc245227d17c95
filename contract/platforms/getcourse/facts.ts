import type { Facts, Mark, Servers } from '#contract/platforms/facts.ts'

export const facts = {
  id: 24,
  title: 'GetCourse',
  url: 'https://getcourse.ru',
  kind: 'key',
  published: 'name',
} as const satisfies Facts

export const mark = { letters: 'Gc', ground: 'hsl(166 42% 37%)', ink: '#ffffff' } as const satisfies Mark

export const servers = {
  addresses: [],
  hosts: ['getcourse.ru'],
} as const satisfies Servers
