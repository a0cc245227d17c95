// Each field of a platform's stream form reaches the platform.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { forms } from '#contract/platforms/forms.gen.ts'
import type { FormPlatform } from '#contract/platforms/platforms.ts'
import { registeredAt } from '#server/testing/providers/connected.ts'
import { type DoublePlatform, type PlatformDouble, platformDouble } from '#server/testing/providers/double.ts'
import { trovoDouble, twitchDouble, youtubeDouble } from '#server/testing/providers/platforms.ts'
import { vkDouble, vkVideoLiveDouble } from '#server/testing/providers/platforms-vk.ts'
import { testApp, type World } from '#server/testing/test-app.ts'
import { providerApi } from '#server/core/platform-api.ts'
import type { StreamSettings } from '#server/core/platform-adapter.ts'
import { adapters } from './adapters.gen.ts'

let double: PlatformDouble
let world: World
let requests: { readonly name: string; readonly query: string; readonly body: Readonly<Record<string, unknown>> }[] = []

const recorded = (platform: DoublePlatform): DoublePlatform => ({
  ...platform,
  routes: Object.fromEntries(
    Object.entries(platform.routes).map(([name, route]) => [
      name,
      {
        ...route,
        answer: (request) => {
          requests.push({ name, query: request.query.toString(), body: request.body })
          return route.answer(request)
        },
      },
    ]),
  ),
})

beforeAll(async () => {
  const platforms = [youtubeDouble, twitchDouble, trovoDouble, vkVideoLiveDouble, vkDouble]
  double = await platformDouble(platforms.map(recorded))
  double.tokens.add('good')
  world = await testApp(registeredAt(double.base))
})
afterAll(async () => {
  await world.close()
  await double.close()
  double.check()
})

/** Sends settings to a platform. @returns the requests that it received */
async function send(type: Exclude<FormPlatform, 'ok'>, settings: StreamSettings) {
  requests = []
  const { describe: describeThere, start } = adapters[type]
  const api = providerApi(world.services, adapters[type], 'good')
  if (start) await start(api, '-321', settings, null)
  else await describeThere?.(api, '100', settings, null)
  return requests
}

const bodyOf = (name: string) => requests.find((request) => request.name === name)?.body

const texts = { title: 'Final', description: 'Tonight', category_id: '20', category_name: 'Chess', lang: 'en' }
const filled = {
  youtube: {
    ...texts,
    playlist_id: 'PL1',
    audience: 'mark_for_kids',
    latency: 'ultraLow',
    privacy_video: 'unlisted',
    image: 'data:image/png;base64,iVBORw0KGgo=',
    tags: ['chess'],
    disable_auto_end: true,
  },
  vk: {
    ...texts,
    category_secondary_id: '2',
    category_secondary_name: 'Blitz',
    playlist_id: '3',
    privacy_comments: 'members',
    privacy_video: 'by_link',
    wall: true,
    disable_auto_end: true,
  },
  vkvideolive: texts,
  twitch: { ...texts, tags: ['chess'], domain: 'live.twitch.tv' },
  trovo: { ...texts, audience: 'CHANNEL_AUDIENCE_TYPE_TEEN' },
} as const

/** Fields that are not sent: names that the form shows, a hidden host, and what is decided when the broadcast ends. */
const kept: Readonly<Record<string, readonly string[]>> = {
  youtube: ['category_name'],
  // The second category replaces the first one.
  vk: ['category_name', 'category_secondary_name', 'category_id', 'disable_auto_end'],
  vkvideolive: [],
  twitch: ['category_name', 'domain'],
  trovo: ['category_name'],
}

const fields = (Object.keys(filled) as (keyof typeof filled)[]).flatMap((type) =>
  Object.keys(forms[type].fields.shape).map((field) => [type, field] as const),
)

test.each(fields.filter(([type, field]) => !kept[type]?.includes(field)))('%s receives %s', async (type, field) => {
  const all: StreamSettings = filled[type]
  const full = await send(type, all)
  expect(Object.keys(all)).toContain(field)
  expect(await send(type, { ...all, [field]: field === 'title' ? 'Other' : undefined })).not.toEqual(full)
})

describe('YouTube', () => {
  const [video, broadcast] = [
    'PUT www.googleapis.com/youtube/v3/videos',
    'PUT www.googleapis.com/youtube/v3/liveBroadcasts',
  ]

  test('receives privacy, audience, latency and automatic stop, and keeps the other properties', async () => {
    await send('youtube', filled.youtube)
    expect(bodyOf(video)).toEqual({
      id: 'planned-1',
      snippet: {
        title: 'Final',
        description: 'Tonight',
        categoryId: '20',
        tags: ['chess'],
        defaultLanguage: 'en',
        defaultAudioLanguage: 'en',
      },
      status: { embeddable: true, privacyStatus: 'unlisted', selfDeclaredMadeForKids: true },
    })
    expect(bodyOf(broadcast)?.['contentDetails']).toEqual({
      monitorStream: { enableMonitorStream: true, broadcastStreamDelayMs: 0 },
      enableAutoStart: true,
      enableAutoStop: false,
      enableDvr: true,
      latencyPreference: 'ultraLow',
    })
  })

  test('receives no update of the broadcast that changes nothing', async () => {
    await send('youtube', { title: 'Final', latency: 'normal', disable_auto_end: false })
    expect(bodyOf(broadcast)).toBeUndefined()
    expect(bodyOf(video)?.['snippet']).toEqual({ title: 'Final', categoryId: '22' })
  })

  test('receives a playlist entry once, and no address of an image', async () => {
    const sent = await send('youtube', { title: 'Final', playlist_id: 'has-it', image: 'https://example.com/a.png' })
    expect(sent.filter(({ name }) => name.startsWith('POST'))).toEqual([])
  })
})
