// Planned streams, playlists and chats of Telegram of a channel.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { planned } from '#contract/areas/channels/planned.ts'
import { telegramChat } from '#contract/areas/channels/telegram-chat.ts'
import { newChannel } from '#server/testing/channels.ts'
import { connect, registeredAt } from '#server/testing/providers/connected.ts'
import { type PlatformDouble, platformDouble } from '#server/testing/providers/double.ts'
import { youtubeDouble } from '#server/testing/providers/platforms.ts'
import { telegramDouble, withBot } from '#server/testing/providers/telegram.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

const telegram = telegramDouble()
let double: PlatformDouble
let world: World
let ann: Person
let place: { project_id: number; channel_id: number }

beforeAll(async () => {
  double = await platformDouble([youtubeDouble, telegram.platform])
  double.tokens.add('access-1').add('123:bot')
  world = await testApp({ ...registeredAt(double.base), ...withBot })
  ann = await world.user()
  const { body } = await connect(world, ann, 'youtube')
  place = { project_id: ann.projectId, channel_id: body.channel_id ?? 0 }
})
afterAll(async () => {
  double.check()
  await world.close()
  await double.close()
})

test('a planned stream is chosen from those of the platform, and let go', async () => {
  const { body } = await world.api(planned.get, place, { as: ann })
  expect(body).toMatchObject({ selected: null, results: [{ planned: { id: 'planned-1', title: 'Sunday show' } }] })
  const chosen = await world.api(planned.set, { ...place, id: 'planned-1' }, { as: ann })
  expect(chosen).toMatchObject({ status: 201, body: { planned: { date: '2026-03-08T18:00:00.000Z' } } })
  expect((await world.api(planned.get, place, { as: ann })).body.selected).toBe('planned-1')
  expect((await world.api(planned.set, { ...place, id: 'gone' }, { as: ann })).error?.name).toBe('PlannedNotFound')
  await world.api(planned.set, place, { as: ann })
  expect((await world.api(planned.get, place, { as: ann })).body.selected).toBeNull()
})

test('playlists come from the platform; a channel by key has none to ask with', async () => {
  const { body } = await world.api(planned.playlists, place, { as: ann })
  expect(body.results).toEqual([{ id: 'PL1', name: 'Shows' }])
  const byKey = { project_id: ann.projectId, channel_id: await newChannel(world, ann) }
  expect((await world.api(planned.playlists, byKey, { as: ann })).error?.name).toBe('NoAccount')
})

test('a chat of Telegram is connected by a code, and its posts can be chosen from', async () => {
  const { body } = await world.api(telegramChat.init, place, { as: ann })
  expect(body.bot).toBe('relaydeck_bot')
  expect((await world.api(telegramChat.settings, place, { as: ann })).body).toEqual({ connected: false, data: null })
  expect((await world.api(telegramChat.posts, place, { as: ann })).error?.name).toBe('ChatNotConnected')

  await telegram.post({ message_id: 1, text: body.code })
  // Published: `post` is optional, and not nullable.
  const { body: empty } = await world.api(telegramChat.settings, place, { as: ann })
  expect(empty.data).toEqual({ filter_mode: 0, chat: expect.objectContaining({ name: 'Ann on air' }) as unknown })
  expect(telegramChat.settings.output.safeParse({ ...empty, data: { ...empty.data, post: null } }).success).toBe(false)
  await telegram.post({ message_id: 2, text: 'Tonight at eight' })
  await telegram.post({ message_id: 3, caption: 'A picture', photo: [{}] })
  await telegram.post({ message_id: 4, pinned_message: { message_id: 2 } })
  const { body: connected } = await world.api(telegramChat.settings, place, { as: ann })
  expect(connected).toMatchObject({
    connected: true,
    data: { filter_mode: 0, chat: { name: 'Ann on air', domain: 'annlive' }, post: { message_id: 3 } },
  })
  const { body: posts } = await world.api(telegramChat.posts, place, { as: ann })
  expect(posts.results.map(({ message_id }) => message_id)).toEqual([3, 2])
  const pinned = await world.api(telegramChat.postByFilter, { ...place, filter_mode: 1 }, { as: ann })
  expect(pinned.body).toMatchObject({ message_id: 2, text: 'Tonight at eight' })

  const choose = (choice: object) =>
    world.api(telegramChat.setSettings, { ...place, filter_mode: 2, ...choice }, { as: ann })
  expect((await choose({ message_id: 2 })).status).toBe(201)
  expect((await choose({ message_id: 77 })).error?.name).toBe('PostNotFound')
  expect((await choose({ filter_mode: 3, link: 'https://t.me/annlive' })).error?.name).toBe('I18nValidationException')
  await choose({ filter_mode: 3, link: 'https://t.me/annlive/3' })
  expect((await world.api(telegramChat.settings, place, { as: ann })).body.data?.post?.message_id).toBe(3)
  await world.api(telegramChat.setTelegram, { ...place, select: 1 }, { as: ann })
  expect((await world.api(telegramChat.settings, place, { as: ann })).body.data?.filter_mode).toBe(1)

  await world.api(telegramChat.disconnect, place, { as: ann })
  expect((await world.api(telegramChat.settings, place, { as: ann })).body.connected).toBe(false)
})

test('without a bot Telegram says so', async () => {
  const bare = await testApp()
  const person = await bare.user()
  const input = { project_id: person.projectId, channel_id: await newChannel(bare, person) }
  expect((await bare.api(telegramChat.init, input, { as: person })).error?.name).toBe('ProviderNotConfigured')
  await bare.close()
})
