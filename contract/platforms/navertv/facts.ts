import type { Facts, Mark, Servers } from '#contract/platforms/facts.ts'

export const facts = {
  id: 19,
  title: 'Naver TV',
  url: 'https://tv.naver.com',
  kind: 'key',
  published: 'name',
} as const satisfies Facts

export const mark = { letters: 'Na', ground: '#008f42', ink: '#ffffff' } as const satisfies Mark

export const servers = {
  addresses: [],
  hosts: ['naver.com', 'navercorp.com'],
} as const satisfies Servers

// Simple Icons, CC0.
export const icon = 'M16.273 12.845 7.376 0H0v24h7.726V11.156L16.624 24H24V0h-7.727v12.845Z'
