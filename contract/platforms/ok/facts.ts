import type { Facts, Mark, Servers } from '#contract/platforms/facts.ts'

export const facts = {
  id: 5,
  title: 'OK',
  url: 'https://ok.ru',
  kind: 'account',
  can: ['set_description', 'viewers', 'messages', 'like'],
  accounts: { ok: { title: 'OK', oauth: 'ok' } },
  places: true,
  article: 'platforms/vk-ok',
} as const satisfies Facts

export const mark = { letters: 'OK', ground: '#cf6a00', ink: '#ffffff' } as const satisfies Mark

export const servers = {
  addresses: [],
  hosts: ['okcdn.ru', 'mycdn.me', 'vkuser.net', 'vkuserlive.com', 'vkuserlive.net', 'vkvideo.ru', 'vk.com', 'ok.ru'],
} as const satisfies Servers

// Simple Icons, CC0.
export const icon =
  'M12 0a6.2 6.2 0 0 0-6.194 6.195 6.2 6.2 0 0 0 6.195 6.192 6.2 6.2 0 0 0 6.193-6.192A6.2 6.2 0 0 0 12.001 0zm0 3.63a2.567 2.567 0 0 1 2.565 2.565 2.568 2.568 0 0 1-2.564 2.564 2.568 2.568 0 0 1-2.565-2.564 2.567 2.567 0 0 1 2.565-2.564zM6.807 12.6a1.814 1.814 0 0 0-.91 3.35 11.611 11.611 0 0 0 3.597 1.49l-3.462 3.463a1.815 1.815 0 0 0 2.567 2.566L12 20.066l3.405 3.403a1.813 1.813 0 0 0 2.564 0c.71-.709.71-1.858 0-2.566l-3.462-3.462a11.593 11.593 0 0 0 3.596-1.49 1.814 1.814 0 1 0-1.932-3.073 7.867 7.867 0 0 1-8.34 0c-.318-.2-.674-.29-1.024-.278z'
