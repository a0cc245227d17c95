// Requests to platforms. The doubles refuse requests that the public documentation does not allow.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chatFacts } from '#contract/platforms/chats.gen.ts'
import * as z from 'zod/mini'
import type { AccountPlatform } from '#contract/platforms/platforms.ts'
import { registeredAt } from '#server/testing/providers/connected.ts'
import { type PlatformDouble, platformDouble } from '#server/testing/providers/double.ts'
import { trovoDouble, twitchDouble, youtubeDouble } from '#server/testing/providers/platforms.ts'
import { vkDouble, vkVideoLiveDouble } from '#server/testing/providers/platforms-vk.ts'
import { testApp, type World } from '#server/testing/test-app.ts'
import { providerApi } from '#server/core/platform-api.ts'
import { adapters } from './adapters.gen.ts'
import { chatSources } from './chats.gen.ts'

let double: PlatformDouble
let world: World

beforeAll(async () => {
  double = await platformDouble([youtubeDouble, twitchDouble, trovoDouble, vkVideoLiveDouble, vkDouble])
  double.tokens.add('good')
  world = await testApp(registeredAt(double.base))
})
afterAll(async () => {
  await world.close()
  await double.close()
})

const as = (platform: AccountPlatform, token = 'good') => providerApi(world.services, adapters[platform], token)
const broadcast = { title: 'Final', description: 'Tonight', category_id: '20', lang: 'en', tags: ['chess'] }

test.each<[AccountPlatform, string, string | null]>([
  ['youtube', 'UC123', 'planned-1'],
  ['youtube', 'UC123', null],
  ['twitch', '777', null],
  ['trovo', '100', null],
  ['vkvideolive', 'ann', null],
])('%s takes title and category', async (platform, place, planned) => {
  double.problems.length = 0
  await adapters[platform].describe?.(as(platform), place, broadcast, planned)
  await adapters[platform].describe?.(as(platform), place, { title: 'Only that' }, planned)
  expect(double.problems).toEqual([])
})

test('VK makes a broadcast with an address of its own', async () => {
  const settings = { ...broadcast, privacy_video: 'all', wall: true }
  const ingest = await adapters.vk.start?.(as('vk'), '-321', settings, null)
  const page = { page: 'https://vk.com/video-321_8', videoId: '8' }
  expect(ingest).toEqual({ url: 'rtmp://ovsu.okcdn.ru/input', key: 'vk-key', ...page })
  expect(double.problems).toEqual([])
})

test.each<[AccountPlatform, string, string]>([
  ['youtube', 'gam', '20'],
  ['twitch', 'chat', '509658'],
  ['trovo', 'chit', '10023'],
  ['vkvideolive', 'chess', 'game-1'],
  ['vk', 'games', '1'],
])('%s knows categories', async (platform, query, first) => {
  const found = await adapters[platform].categories?.(as(platform), query)
  expect(found?.[0]?.id).toBe(first)
  expect(double.problems).toEqual([])
})

test.each<[AccountPlatform]>([['twitch'], ['trovo']])('%s has categories to begin with', async (platform) => {
  await adapters[platform].categories?.(as(platform), ' ')
  expect(double.problems).toEqual([])
})

test('returns the message of a platform, and recognises an invalid token', async () => {
  const api = as('youtube')
  const broken = { ...broadcast, title: '' }
  await expect(
    api.call(
      {
        url: 'https://www.googleapis.com/youtube/v3/liveBroadcasts',
        method: 'PUT',
        query: { part: 'snippet' },
        json: { id: 'x', snippet: broken },
      },
      z.object({}),
    ),
  ).rejects.toMatchObject({ name: 'ProviderRefused', message: expect.stringContaining('titleRequired') })
  for (const platform of ['youtube', 'twitch', 'trovo', 'vkvideolive', 'vk'] as const) {
    await expect(adapters[platform].identify(as(platform, 'dead'))).rejects.toMatchObject({ name: 'AccountInvalid' })
  }
})

test('every chat with facts has a reader', async () => {
  expect(Object.keys(chatSources)).toEqual(Object.keys(chatFacts))
  for (const load of Object.values(chatSources)) expect(await load()).toHaveProperty('open')
})
