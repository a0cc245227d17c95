// Accounts on platforms, as a person with a dashboard gets them; platforms answer as their documentation says.
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { platforms } from '#contract/areas/channels/platforms.ts'
import { settings } from '#contract/areas/channels/settings.ts'
import type { AccountPlatform } from '#contract/platforms/platforms.ts'
import { begin, comeBack, connect, registeredAt, ticketIn } from '#server/testing/providers/connected.ts'
import { type PlatformDouble, platformDouble } from '#server/testing/providers/double.ts'
import { trovoDouble, twitchDouble, youtubeDouble } from '#server/testing/providers/platforms.ts'
import { okDouble, vkDouble, vkVideoLiveDouble } from '#server/testing/providers/platforms-vk.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let double: PlatformDouble
let world: World
let ann: Person

const all = () => [youtubeDouble, twitchDouble, trovoDouble, vkVideoLiveDouble, vkDouble, okDouble]
const doubles: PlatformDouble[] = []

beforeEach(async () => {
  double = await platformDouble(all())
  doubles.push(double)
  double.tokens.add('access-1')
  world = await testApp(registeredAt(double.base))
  ann = await world.user()
})
afterEach(async () => {
  double.check()
  await world.close()
})
afterAll(() => Promise.all(doubles.map((one) => one.close())))

const accountsOf = async (person: Person) => (await world.api(platforms.accounts, {}, { as: person })).body.results

test.each<[AccountPlatform, string, string, string]>([
  ['youtube', 'Ann on air', 'rtmps://a.rtmps.youtube.com/live2', 'youtube-key'],
  ['twitch', 'Ann', 'rtmp://live.twitch.tv/app', 'twitch-key'],
  ['trovo', 'Ann', 'rtmp://livepush.trovo.live/live', 'trovo-key'],
  ['vkvideolive', 'Ann', 'rtmp://vp-push.example.com/input', 'vkvl-key'],
])('connecting %s makes a channel that is ready to stream', async (platform, name, address, key) => {
  const { body, status } = await connect(world, ann, platform)
  expect(status).toBe(201)
  expect(body).toMatchObject({ project_id: ann.projectId, platform, account: { name }, active: true })

  const input = { project_id: ann.projectId, channel_id: body.channel_id ?? 0 }
  const { body: channel } = await world.api(channels.get, input, { as: ann })
  expect(channel).toMatchObject({ name, type: platform, ingress_url: address, stream_key: key })
  expect(channel).toMatchObject({ account: { name }, tokens: { account: { status: 'valid' } } })
  expect(await accountsOf(ann)).toMatchObject([{ platform, name, status: 1, channels: 1 }])

  // Once more: the same account and the same channel.
  const again = await connect(world, ann, platform)
  expect(again.body.channel_id).toBe(body.channel_id)
  expect(await accountsOf(ann)).toHaveLength(1)
})

test('connecting with chat requests its scopes, and an account shows whether they were granted', async () => {
  const input = { project_id: ann.projectId, platform: 'vkvideolive' as const, chat: true }
  const { body } = await world.api(platforms.connect, input, { as: ann })
  const { searchParams } = new URL(body.url)
  expect(searchParams.get('scope')).toContain('chat:message:send')
  const { ticket } = await comeBack(world, 'vkvideolive', { state: searchParams.get('state') ?? '', code: 'good' })
  await world.api(platforms.finish, { state: ticket }, { as: ann })
  await connect(world, ann, 'twitch')
  await connect(world, ann, 'youtube')
  const found = (await accountsOf(ann)).map(({ platform, chat }) => [platform, chat])
  expect(found).toEqual([
    ['vkvideolive', 1],
    ['twitch', 0],
    ['youtube', undefined],
  ])
})

test('a platform names the settings that make its accounts connectable', async () => {
  const notReady = async (env: Readonly<Record<string, string>>) => {
    const other = await testApp(env)
    const { results } = (await other.api(platforms.list, {})).body
    await other.close()
    return results.filter(({ missing_settings }) => missing_settings !== undefined)
  }
  const missing = (await notReady({})).flatMap((platform) => platform.missing_settings ?? [])
  expect(missing).toEqual(expect.arrayContaining(['TWITCH_CLIENT_ID', 'OK_PUBLIC_KEY', 'TELEGRAM_BOT_TOKEN']))
  expect(await notReady(Object.fromEntries(missing.map((name) => [name, '123:abc'])))).toEqual([])
})

test('a channel that was added with the key of the account gets the account', async () => {
  const input = { project_id: ann.projectId, type: 'twitch' as const, name: 'Mine' }
  const destination = { rtmp_url: 'rtmp://live.twitch.tv/app', stream_key: 'twitch-key' }
  const { channel_id } = (await world.api(addChannel.any, { ...input, ...destination }, { as: ann })).body
  expect((await connect(world, ann, 'twitch')).body.channel_id).toBe(channel_id)
  const { results } = (await world.api(channels.search, { project_id: ann.projectId }, { as: ann })).body
  expect(results).toMatchObject([
    { name: 'Mine', account: { name: expect.any(String) }, channel_url: expect.stringContaining('twitch.tv/') },
  ])
})

test('the browser goes back to the dashboard with nothing but a ticket, after the #', async () => {
  const state = await begin(world, ann, 'twitch')
  const { status, location } = await comeBack(world, 'twitch', { state, code: 'a secret', scope: 'x' })
  expect(status).toBe(302)
  expect(location).toMatch(new RegExp(`/p/${ann.projectId}/channels/accounts#connect=[\\w-]{20,}$`))
  expect(location).not.toContain('secret')
  expect(location).not.toContain(state)
})

test('the browser goes to the dashboard when it loads the return address again, or with an unknown state', async () => {
  const state = await begin(world, ann, 'twitch')
  const answer = { state, code: 'good' }
  expect((await comeBack(world, 'twitch', answer)).ticket).not.toBe('')
  for (const again of [answer, { state: 'unknown', code: 'x' }, {}]) {
    const { status, location } = await comeBack(world, 'twitch', again)
    expect([status, new URL(location).pathname]).toEqual([302, '/connect/expired'])
  }
})

test('accepts an authorization only from the user that started it', async () => {
  const eve = await world.user('Eve')
  const state = await begin(world, eve, 'twitch')
  const { ticket } = await comeBack(world, 'twitch', { state, code: 'of Ann' })
  const finish = async (known: string, as: Person) =>
    (await world.api(platforms.finish, { state: known }, { as })).error?.name
  expect(await finish(ticket, ann)).toBe('AuthorizationExpired')
  // Eve knows the state only, and cannot use Ann's authorization.
  expect(await finish(state, eve)).toBe('AuthorizationExpired')
  expect(await accountsOf(ann)).toEqual([])
})

test('nothing is connected without an answer, for another platform, twice, or after the right was lost', async () => {
  const refused = async (state: string) => (await world.api(platforms.finish, { state }, { as: ann })).error?.name
  expect(await refused(await begin(world, ann, 'twitch'))).toBe('AuthorizationExpired')
  const other = await begin(world, ann, 'twitch')
  expect((await comeBack(world, 'trovo', { state: other, code: 'x' })).location).toMatch(/\/connect\/expired$/)
  const no = await begin(world, ann, 'twitch')
  const { ticket: declined } = await comeBack(world, 'twitch', { state: no, error: 'access_denied' })
  expect(await refused(declined)).toBe('AuthorizationDeclined')
  expect(await refused(declined)).toBe('AuthorizationExpired')
  const lost = await begin(world, ann, 'twitch')
  const { ticket } = await comeBack(world, 'twitch', { state: lost, code: 'x' })
  await world.app.db.deleteFrom('project_members').where('user_id', '=', ann.id).execute()
  expect(await refused(ticket)).toBe('Forbidden')
})

test('a token that ended is renewed once, however many ask at the same time', async () => {
  await connect(world, ann, 'twitch')
  double.tokens.clear()
  double.tokens.add('access-2')
  double.calls.length = 0
  const ask = () => world.api(platforms.category, { type: 'twitch', q: 'chat' }, { as: ann })
  const answers = await Promise.all([ask(), ask(), ask(), ask()])
  expect(answers.map(({ body }) => body.results[0]?.name)).toEqual(Array.from({ length: 4 }, () => 'Just Chatting'))
  expect(double.calls.filter((call) => call.includes('oauth2/token'))).toHaveLength(1)
})

test('a token is renewed before it ends, and an account whose refresh is dead says so', async () => {
  await connect(world, ann, 'twitch')
  world.clock.advance(3_590_000)
  double.tokens.add('access-2')
  ann = await world.signIn(ann)
  expect((await world.api(platforms.category, { type: 'twitch' }, { as: ann })).error).toBeUndefined()

  double.tokens.clear()
  const { error } = await world.api(platforms.category, { type: 'twitch' }, { as: ann })
  expect(error?.name).toBe('AccountInvalid')
  expect(await accountsOf(ann)).toMatchObject([{ status: 0 }])
})

test('leaves the account unchanged while the platform is unreachable', async () => {
  await connect(world, ann, 'twitch')
  await double.close()
  const { error } = await world.api(platforms.category, { type: 'twitch' }, { as: ann })
  expect(error?.name).toBe('ProviderUnavailable')
  expect(await accountsOf(ann)).toMatchObject([{ status: 1 }])
})

test('adds channels of VK one by one, with an address per broadcast', async () => {
  const { body } = await connect(world, ann, 'vk')
  expect(body.channel_id).toBeNull()
  const { id } = body.account
  const search = { project_id: ann.projectId, platform: 'vk' as const, ids: [id], request_id: 'x' }
  const places = await world.api(platforms.accountChannels, search, { as: ann })
  expect(places.body).toMatchObject({ totalItems: 2, totalPages: 1, currentPage: 1 })
  expect(places.body.results.map((place) => [place.id, place.name, place.connectedId])).toEqual([
    ['9', 'Ann Example', null],
    ['-321', 'Chess club', null],
  ])
  const input = { project_id: ann.projectId, account_id: String(id), channel_id: '-321' }
  const added = await world.api(addChannel.vk, input, { as: ann })
  expect(added.status).toBe(201)
  const channel = { project_id: ann.projectId, channel_id: added.body.channel_id }
  expect((await world.api(channels.get, channel, { as: ann })).body).toMatchObject({
    name: 'Chess club',
    id: '-321',
    ingress_url: null,
    stream_key: null,
  })
  expect((await world.api(addChannel.vk, input, { as: ann })).error?.name).toBe('AlreadyAdded')
  const stranger = await world.user('Eve')
  const stolen = { ...input, project_id: stranger.projectId }
  expect((await world.api(addChannel.vk, stolen, { as: stranger })).error?.name).toBe('AccountNotFound')
  const nowhere = { ...input, channel_id: '-1' }
  expect((await world.api(addChannel.vk, nowhere, { as: ann })).error?.name).toBe('PlaceNotFound')

  const community = { ...channel, account_id: String(id) }
  const { body: asked } = await world.api(platforms.connectCommunity, community, { as: ann })
  const state = new URL(asked.url).searchParams.get('state') ?? ''
  expect(new URL(asked.url).searchParams.get('group_ids')).toBe('321')
  const back = await world.app.inject({ url: platforms.callbackCommunity.path, query: { state, code: 'community' } })
  await world.api(platforms.finish, { state: ticketIn(back.headers['location']) }, { as: ann })
  expect((await world.api(channels.get, channel, { as: ann })).body.tokens.group.status).toBe('valid')
})

test('lists groups of OK that the account manages, and adds them with the entered address and key', async () => {
  const { body } = await connect(world, ann, 'ok')
  const { id } = body.account
  const search = { project_id: ann.projectId, platform: 'ok' as const, ids: [id], request_id: 'x', q: 'ch' }
  const { body: places } = await world.api(platforms.accountChannels, search, { as: ann })
  expect(places.results.map(({ name }) => name)).toEqual(['Chess'])
  const pasted = { rtmp_url: 'rtmp://ok.example.com/live', stream_key: 'ok-key' }
  const input = { project_id: ann.projectId, account_id: String(id), channel_id: '66', ...pasted }
  const foreign = { ...input, rtmp_url: 'rtmp://media.example.org/live' }
  expect((await world.api(addChannel.ok, foreign, { as: ann })).error?.data).toMatchObject({ limit: 'custom_channels' })
  const added = await world.api(addChannel.ok, input, { as: ann })
  expect(added.body.success).toBe(true)
})

test('update-token fetches new tokens and the key; a channel by key has none', async () => {
  const { body } = await connect(world, ann, 'twitch')
  double.tokens.add('access-2')
  const channel = { project_id: ann.projectId, channel_id: body.channel_id ?? 0, role: 'account' as const }
  double.calls.length = 0
  expect((await world.api(settings.updateToken, channel, { as: ann })).body.success).toBe(true)
  expect(double.calls).toEqual(['POST id.twitch.tv/oauth2/token', 'GET api.twitch.tv/helix/streams/key'])
})

test('sends settings to the platform, for one channel and for many', async () => {
  const { body } = await connect(world, ann, 'twitch')
  const place = { project_id: ann.projectId, channel_id: body.channel_id ?? 0 }
  double.calls.length = 0
  const set = await world.api(settings.setTwitch, { ...place, title: 'Final', domain: 'live.twitch.tv' }, { as: ann })
  expect(set.status).toBe(201)
  const bulk = () => world.api(settings.bulkUpdate, { ...place, title: 'Tonight', description: '' }, { as: ann })
  expect((await bulk()).body.results).toEqual([{ channel_id: place.channel_id, outcome: 'updated' }])
  expect(double.calls).toEqual(Array.from({ length: 2 }, () => 'PATCH api.twitch.tv/helix/channels'))

  double.tokens.clear()
  expect((await bulk()).body.results).toEqual([{ channel_id: place.channel_id, outcome: 'platform_refused' }])
  expect((await world.api(channels.get, place, { as: ann })).body.streamInfo?.title).toBe('Tonight')
})

test('removing an account gives its tokens back; its channels stay, without it', async () => {
  const { body } = await connect(world, ann, 'twitch')
  const eve = await world.user('Eve')
  const input = { platform: 'twitch' as const, id: String(body.account.id) }
  expect((await world.api(platforms.accountRemove, input, { as: eve })).error?.name).toBe('AccountNotFound')
  expect((await world.api(platforms.accountRemove, input, { as: ann })).status).toBe(201)
  expect(double.calls).toContain('POST id.twitch.tv/oauth2/revoke')
  expect(await accountsOf(ann)).toEqual([])
  const channel = { project_id: ann.projectId, channel_id: body.channel_id ?? 0 }
  expect((await world.api(channels.get, channel, { as: ann })).body.account).toBeNull()
})

test('an account that was signed out waits until it is connected again', async () => {
  const { body } = await connect(world, ann, 'twitch')
  await world.api(platforms.logout, { platform: 'twitch', id: String(body.account.id) }, { as: ann })
  expect(await accountsOf(ann)).toMatchObject([{ status: 0, channels: 1 }])
  expect((await world.api(platforms.category, { type: 'twitch' }, { as: ann })).error?.name).toBe('AccountNotFound')
  await connect(world, ann, 'twitch')
  expect(await accountsOf(ann)).toMatchObject([{ status: 1, channels: 1 }])
})

test('the list of platforms says where accounts can be connected', async () => {
  const ready = (await world.api(platforms.list, {})).body.results.filter(({ oauth_ready }) => oauth_ready === 1)
  expect(ready.map(({ type }) => type).toSorted()).toEqual([
    'kick',
    'ok',
    'trovo',
    'twitch',
    'vk',
    'vkvideolive',
    'youtube',
  ])
  const bare = await testApp()
  const person = await bare.user()
  const { body } = await bare.api(platforms.list, {})
  expect(body.results.filter(({ oauth_ready }) => oauth_ready === 1)).toEqual([])
  expect(body.results.find(({ type }) => type === 'telegram')?.bot_ready).toBe(0)
  const asked = { project_id: person.projectId, platform: 'youtube' as const }
  expect((await bare.api(platforms.connect, asked, { as: person })).error?.name).toBe('ProviderNotConfigured')
  await bare.close()
})

test('tokens are nowhere to be read: not in the database, not in the log, not in an answer', async () => {
  await connect(world, ann, 'twitch')
  const rows = await world.app.db.selectFrom('platform_accounts').selectAll().execute()
  const seen = [JSON.stringify(rows), world.logged.join(''), JSON.stringify(await accountsOf(ann))].join('')
  expect(seen).not.toMatch(/access-1|refresh-1|twitch-secret/)
})
