import type { Facts, Mark, Servers } from '#contract/platforms/facts.ts'

export const facts = {
  id: 16,
  title: 'Boosty',
  url: 'https://boosty.to',
  kind: 'key',
  published: 'name',
} as const satisfies Facts

export const mark = { letters: 'Bo', ground: '#f15f2c', ink: '#ffffff' } as const satisfies Mark

export const servers = {
  addresses: [],
  hosts: [
    'boosty.to',
    'okcdn.ru',
    'mycdn.me',
    'vkuser.net',
    'vkuserlive.com',
    'vkuserlive.net',
    'vkvideo.ru',
    'vk.com',
    'ok.ru',
  ],
} as const satisfies Servers

// Simple Icons, CC0.
export const icon =
  'M2.661 14.337 6.801 0h6.362L11.88 4.444l-.038.077-3.378 11.733h3.15c-1.321 3.289-2.35 5.867-3.086 7.733-5.816-.063-7.442-4.228-6.02-9.155M8.554 24l7.67-11.035h-3.25l2.83-7.073c4.852.508 7.137 4.33 5.791 8.952C20.16 19.81 14.344 24 8.68 24h-.127z'
