// Vendors' own clients at the doubles of Twitch, which proves that the doubles speak the wire.
import { ApiClient } from '@twurple/api'
import { ChatClient } from '@twurple/chat'
// @ts-expect-error -- the package has no types, and its types package describes an older version
import { Client } from 'tmi.js'
import { expect, test } from 'vitest'
import { twitchChatDouble } from '#server/testing/chat/twitch.ts'
import { eventually } from '#server/testing/eventually.ts'

test('tmi.js reads and writes', async () => {
  const double = await twitchChatDouble()
  const client = new Client({
    connection: { server: '127.0.0.1', port: double.port, secure: false, reconnect: false },
    identity: { username: 'ann', password: 'oauth:access-1' },
    channels: ['ann'],
    logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
  })
  const seen: string[] = []
  client.on(
    'message',
    (_: unknown, tags: Readonly<Record<string, string>>, text: string) =>
      void seen.push(`${tags['display-name']}: ${text}`),
  )
  client.on(
    'messagedeleted',
    (_: unknown, __: unknown, ___: unknown, tags: Readonly<Record<string, string>>) =>
      void seen.push(`deleted ${tags['target-msg-id']}`),
  )
  await client.connect()
  await eventually(() => double.irc.joined().length === 1)
  const id = double.irc.say('ann', 'hello')
  double.irc.clearMessage('ann', id)
  await eventually(() => seen.length === 2)
  expect(seen).toEqual(['Bob: hello', `deleted ${id}`])
  void client.say('ann', 'written').catch(() => undefined)
  await eventually(() => double.irc.received.length === 1)
  expect(double.irc.received).toMatchObject([{ channel: '#ann', text: 'written', nick: 'ann' }])
  await client.disconnect()
  await double.close()
  expect(double.irc.problems).toEqual([])
})

test('Twurple’s chat client reads', async () => {
  const double = await twitchChatDouble()
  const hostName = `127.0.0.1:${double.port}/irc`
  const client = new ChatClient({ channels: ['ann'], hostName, ssl: false, logger: { minLevel: 'critical' } })
  const seen: string[] = []
  client.onMessage((_, user, text) => void seen.push(`${user}: ${text}`))
  client.connect()
  await eventually(() => double.irc.joined().length === 1)
  double.irc.say('ann', 'hello')
  await eventually(() => seen.length === 1)
  expect(seen).toEqual(['bob: hello'])
  client.quit()
  await double.close()
})

test('Twurple’s API client sends, deletes and bans', async () => {
  const double = await twitchChatDouble()
  const before = process.env['TWURPLE_MOCK_API_PORT']
  process.env['TWURPLE_MOCK_API_PORT'] = String(double.port)
  try {
    const access = { accessToken: 'access-1', refreshToken: null, scope: [], expiresIn: null, obtainmentTimestamp: 0 }
    const getAnyAccessToken = async () => ({ ...access, userId: '777' })
    const authProvider = {
      clientId: 'twitch-id',
      getCurrentScopesForUser: () => [],
      getAccessTokenForUser: getAnyAccessToken,
      getAnyAccessToken,
    }
    const api = new ApiClient({ authProvider, logger: { minLevel: 'critical' } })
    await api.asUser('777', async (user) => {
      expect((await user.chat.sendChatMessage('777', 'hello')).isSent).toBe(true)
      await user.moderation.deleteChatMessages('777', 'm1')
      await user.moderation.banUser('777', { user: '5', duration: 60, reason: '' }).catch(() => undefined)
    })
    expect(double.eventSub.acts.map(({ name }) => name)).toEqual([
      'POST chat/messages',
      'DELETE moderation/chat',
      'POST moderation/bans',
    ])
  } finally {
    if (before === undefined) delete process.env['TWURPLE_MOCK_API_PORT']
    else process.env['TWURPLE_MOCK_API_PORT'] = before
    await double.close()
  }
})
