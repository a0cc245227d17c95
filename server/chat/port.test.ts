import { expect, test } from 'vitest'
import { ChatSendError } from '#server/core/chat-errors.ts'
import { chatPageName, chatSourceKey } from '#server/core/chat.ts'
import { ChatLost, ChatRefused, QuotaGone } from './port.ts'

test('one key per chat, from the channel id or else from the page', () => {
  const page = 'https://www.twitch.tv/Some_One/?referrer=x'
  expect(chatSourceKey({ platform: 'twitch', externalId: '44', page })).toBe('twitch:44')
  expect(chatSourceKey({ platform: 'twitch', externalId: '', page })).toBe('twitch:@some_one')
  expect(chatSourceKey({ platform: 'youtube', externalId: '', page: 'https://youtube.com/@Name' })).toBe(
    'youtube:@name',
  )
  expect(chatSourceKey({ platform: 'twitch', externalId: '', page: '' })).toBeNull()
  expect(chatPageName('https://www.twitch.tv/')).toBeNull()
  const youtube = (path: string) => chatPageName(`https://www.youtube.com/${path}`)
  expect(
    ['@Name/live', 'channel/UC1/streams', 'c/Some', 'watch?v=AbCdEfGhIjK', 'live/AbCdEfGhIjK'].map(youtube),
  ).toEqual(['name', 'uc1', 'some', 'abcdefghijk', 'abcdefghijk'])
  expect(['', 'watch?v=1', 'feed/trending', 'live'].map(youtube)).toEqual([null, null, null, null])
})

test('errors carry what the supervisor needs', () => {
  const until = new Date('2026-11-23T08:00:00Z')
  expect(new QuotaGone(until).until).toBe(until)
  expect(new ChatRefused('scope', 'The token lacks user:read:chat').reason).toBe('scope')
  expect(new ChatLost('closed').isGap).toBe(true)
  expect(new ChatSendError('too_fast', 'Slow down', 5).data).toEqual({ reason: 'too_fast', retry_after: 5 })
})
