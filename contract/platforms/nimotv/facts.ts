import type { Facts, Mark, Servers } from '#contract/platforms/facts.ts'

export const facts = {
  id: 18,
  title: 'Nimo TV',
  url: 'https://www.nimo.tv',
  kind: 'key',
  published: 'name',
} as const satisfies Facts

export const mark = { letters: 'Ni', ground: 'hsl(174 42% 37%)', ink: '#ffffff' } as const satisfies Mark

export const servers = {
  addresses: [{ title: 'RTMP', url: 'rtmp://txpush.rtmp.nimo.tv/live' }],
  hosts: ['nimo.tv'],
} as const satisfies Servers
