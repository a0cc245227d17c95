import { expect, test } from 'vitest'
import type { ChatPlace } from '#server/core/chat.ts'
import { createChatCommands } from './control.ts'
import type { ChatServices, ChatSource } from './port.ts'

const place: ChatPlace = {
  source: 'twitch:1',
  platform: 'twitch',
  externalId: '1',
  page: '',
  accountId: null,
  videoId: null,
}
const logged: unknown[] = []
const services = { log: { warn: (fields: unknown) => logged.push(fields) } } as unknown as ChatServices
async function* open() {
  // Reads nothing: commands need no reader.
}
const commandsOf = (source: Partial<ChatSource>) =>
  createChatCommands(() => services, { twitch: async () => ({ open, ...source }) })

test('calls the platform of the place', async () => {
  const chat = commandsOf({ send: async (ctx, { text }) => ({ id: `${ctx.place.source} ${text}` }) })
  expect(await chat.send(place, { text: 'hi', nonce: 'n' })).toEqual({ id: 'twitch:1 hi' })
})

test('a command that the platform lacks is unsupported, an unexpected failure has an unknown outcome', async () => {
  const chat = commandsOf({ remove: () => Promise.reject(new TypeError('boom')) })
  await expect(chat.restrict(place, 'x', 10)).rejects.toMatchObject({ reason: 'unsupported' })
  await expect(chat.send({ ...place, platform: 'custom' }, { text: '', nonce: '' })).rejects.toMatchObject({
    reason: 'unsupported',
  })
  await expect(chat.remove(place, 'x')).rejects.toMatchObject({ reason: 'unknown' })
  expect(logged).toHaveLength(1)
})
