// Adding channels and changing their settings over HTTP: every platform, and what is refused.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { history } from '#contract/areas/projects/history.ts'
import { settings } from '#contract/areas/channels/settings.ts'
import { keyPlatforms, pagePlatforms, platformTypes } from '#contract/platforms/platforms.ts'
import { newChannel, someAddress, someKey, upgrade } from '#server/testing/channels.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
let ann: Person
beforeAll(async () => {
  world = await testApp()
  ann = await world.user('Ann')
  await upgrade(world, ann, 3)
})
afterAll(() => world.close())

let keys = 0
/** Address and key that no other channel has. */
const keyed = () => ({ project_id: ann.projectId, rtmp_url: someAddress, stream_key: `own-${++keys}` })
const get = async (id: number) =>
  (await world.api(channels.get, { project_id: ann.projectId, channel_id: id }, { as: ann })).body

describe('adding', () => {
  test.each(keyPlatforms)('%s by its published route', async (type) => {
    const input = { ...keyed(), name: 'By key' }
    const { status, body } = await world.api(addChannel[type], input, { as: ann })
    expect(status).toBe(201)
    expect(await get(body.channel_id)).toMatchObject({ type, name: 'By key', stream_key: input.stream_key })
  })

  test.each(pagePlatforms)('%s by the address of its page', async (type) => {
    const page = `https://${type}.com/some-channel`
    const { body } = await world.api(addChannel[type], { ...keyed(), channel_url: page }, { as: ann })
    expect(await get(body.channel_id)).toMatchObject({ type, name: 'some-channel', channel_url: page })
  })

  test('an SRT destination, whose secrets are in its parameters', async () => {
    const ingress_url = 'srt://srt.example.com:9000?streamid=me&passphrase=long-enough'
    const { body } = await world.api(
      addChannel.srt,
      { project_id: ann.projectId, name: 'SRT', ingress_url },
      { as: ann },
    )
    const shown = await get(body.channel_id)
    expect(shown).toMatchObject({ type: 'srt', ingress_url, ingress_protocol: 'srt', rtmp: null })
    const listed = await world.api(channels.search, { project_id: ann.projectId, platform: 'srt' }, { as: ann })
    expect(listed.body.results).toMatchObject([{ ingress_url: 'srt://srt.example.com:9000' }])
  })

  test.each(platformTypes.filter((type) => type !== 'srt'))('%s by address and key', async (type) => {
    const { status } = await world.api(addChannel.any, { ...keyed(), type, name: 'Any' }, { as: ann })
    expect(status).toBe(201)
  })

  test('by an account needs one', async () => {
    const ids = { project_id: ann.projectId, channel_id: '1', account_id: '1' }
    expect((await world.api(addChannel.vk, ids, { as: ann })).error?.name).toBe('AccountNotFound')
    expect((await world.api(addChannel.ok, { ...ids, ...keyed() }, { as: ann })).error?.name).toBe('AccountNotFound')
  })

  test.each([
    [{ rtmp_url: 'rtmp://127.0.0.1/live' }, 'rtmp_url', 'address_private'],
    [{ rtmp_url: 'rtmp://[::ffff:10.0.0.1]/live' }, 'rtmp_url', 'address_private'],
    [{ rtmp_url: 'http://example.com/live' }, 'rtmp_url', 'address_protocol'],
    [{ rtmp_url: 'srt://example.com:9000' }, 'rtmp_url', 'address_not_rtmp'],
    [{ rtmp_url: 'rtmp://example.com' }, 'rtmp_url', 'address_application'],
    [{ rtmp_url: 'x'.repeat(1001) }, 'rtmp_url', 'too_big'],
    [{ stream_key: 'two words' }, 'stream_key', 'stream_key'],
    [{ stream_key: 'x'.repeat(1001) }, 'stream_key', 'too_big'],
    [{ name: '   ' }, 'name', 'empty'],
    [{ name: 'x'.repeat(256) }, 'name', 'too_big'],
    [{ channel_url: `java${'script'}:void 0` }, 'channel_url', 'page'],
  ])('%j is refused by name', async (wrong, property, rule) => {
    const input = { ...keyed(), type: 'kick' as const, name: 'Kick', ...wrong }
    const { status, error } = await world.api(addChannel.any, input, { as: ann })
    expect(status).toBe(400)
    expect(error?.validator_error).toMatchObject([{ property, constraints: { [rule]: expect.any(String) } }])
  })

  test('says what is wrong in the language of the caller', async () => {
    const sentence = async (language: string) => {
      const payload = { v: '1', language, ...keyed(), type: 'kick', name: 'Kick', rtmp_url: 'rtmp://10.0.0.1/live' }
      const headers = { authorization: `oauth ${ann.accessToken}` }
      const answer = await world.app.inject({ method: 'POST', url: addChannel.any.path, headers, payload })
      return answer.json().error.validator_error[0].constraints.address_private
    }
    expect(await sentence('ru')).toContain('частной сети')
    expect(await sentence('cn')).toContain('内网')
  })

  test('is for editors of the project', async () => {
    const viewer = await world.user('Viewer')
    await world.join(viewer, ann.projectId, 0)
    const stranger = await world.user('Stranger')
    const input = { ...keyed(), type: 'kick' as const, name: 'Kick' }
    expect((await world.api(addChannel.any, input, { as: viewer })).status).toBe(403)
    expect((await world.api(addChannel.any, input, { as: stranger })).status).toBe(403)
    expect((await world.api(addChannel.any, input)).status).toBe(401)
  })
})

describe('settings', () => {
  const place = (channel_id: number) => ({ project_id: ann.projectId, channel_id })

  test('of a stream are written in snake_case and read in camelCase', async () => {
    const id = await newChannel(world, ann)
    const form = {
      title: 'A stream',
      description: 'About it',
      category_id: '20',
      category_name: 'Gaming',
      playlist_id: 'PL1',
      privacy_video: 'unlisted' as const,
      latency: 'ultraLow' as const,
      audience: 'mark_for_nokids' as const,
      lang: 'ru' as const,
      tags: ['игры', 'live 2'],
      disable_auto_end: true,
    }
    expect((await world.api(settings.setYoutube, { ...place(id), ...form }, { as: ann })).status).toBe(201)
    expect((await get(id)).streamInfo).toEqual({
      title: 'A stream',
      description: 'About it',
      category: { id: '20', name: 'Gaming' },
      playlist: { id: 'PL1' },
      privacyVideo: 'unlisted',
      latency: 'ultraLow',
      audience: 'mark_for_nokids',
      lang: 'ru',
      tags: ['игры', 'live 2'],
      disableAutoEnd: true,
    })
    await world.api(settings.setYoutube, { ...place(id), title: 'Other', description: '' }, { as: ann })
    expect((await get(id)).streamInfo).toEqual({ title: 'Other', description: '' })
    const other = await world.api(settings.setTrovo, { ...place(id), title: 'x' }, { as: ann })
    expect(other.error?.name).toBe('OtherPlatform')
  })

  test('for many channels return the result of each', async () => {
    const bob = await world.user('Bob')
    const add = (type: string) => newChannel(world, bob, { type: type as 'youtube' })
    const [youtube, twitch, kick] = [await add('youtube'), await add('twitch'), await add('kick')]
    const bulk = (title: string, more: object = {}) =>
      world.api(settings.bulkUpdate, { project_id: bob.projectId, title, description: 'All', ...more }, { as: bob })
    const outcomes = async (answer: ReturnType<typeof bulk>) =>
      Object.fromEntries((await answer).body.results.map((one) => [one.channel_id, one.outcome]))
    expect(await outcomes(bulk('Same'))).toEqual({ [youtube]: 'by_key', [twitch]: 'by_key', [kick]: 'no_settings' })
    expect(await outcomes(bulk('x'.repeat(120), { channel_ids: [youtube, twitch] }))).toEqual({
      [youtube]: 'too_long',
      [twitch]: 'by_key',
    })
    const only = { channel_ids: [youtube], description: undefined }
    expect(await outcomes(bulk('Alone', only))).toEqual({ [youtube]: 'by_key' })
    expect(await outcomes(bulk('a < b', { channel_ids: [youtube] }))).toEqual({ [youtube]: 'not_allowed_text' })
    const shown = await world.api(channels.search, { project_id: bob.projectId }, { as: bob })
    expect(shown.body.results.map(({ streamInfo }) => streamInfo)).toEqual([
      { title: 'Alone', description: 'All' },
      { title: 'x'.repeat(120) },
      { title: '' },
    ])
  })

  test('of a name and an address are the owner’s; the key stays when none is given', async () => {
    const id = await newChannel(world, ann)
    const rename = (name: string) => world.api(settings.setName, { ...place(id), name }, { as: ann })
    expect((await rename('我的频道 2')).status).toBe(201)
    const noted = await world.api(history.list, { project_id: ann.projectId, limit: 1 }, { as: ann })
    expect(noted.body.results[0]?.details).toEqual({ was: expect.any(String), name: '我的频道 2' })
    expect((await rename('<b>')).status).toBe(400)
    expect((await rename('ab')).status).toBe(400)
    const move = (url: string, more: object = {}) =>
      world.api(settings.setRtmp, { ...place(id), url, ...more }, { as: ann })
    expect((await move('rtmps://other.example.com/app')).status).toBe(201)
    expect(await get(id)).toMatchObject({
      name: '我的频道 2',
      ingress_url: 'rtmps://other.example.com/app',
      stream_key: expect.stringContaining(someKey),
    })
    await move('rtmps://other.example.com/app', { stream_key: 'new' })
    expect((await get(id)).stream_key).toBe('new')
    expect((await move('rtmp://10.0.0.1/app')).error?.validator_error).toMatchObject([{ property: 'url' }])
    const srt = await world.api(settings.setSrt, { ...place(id), url: 'srt://s.example.com:9000' }, { as: ann })
    expect(srt.error?.name).toBe('OtherPlatform')
  })

  test('of delay and transcoder are the project’s own', async () => {
    const id = await newChannel(world, ann)
    expect((await world.api(channels.setDelay, { ...place(id), delay: 30 }, { as: ann })).status).toBe(200)
    expect((await get(id)).delay).toBe(30)
    expect((await world.api(channels.setDelay, { ...place(id), delay: 1201 }, { as: ann })).status).toBe(400)
    await world.api(channels.setDelay, place(id), { as: ann })
    expect((await get(id)).delay).toBe(0)
    const attach = await world.api(settings.setTranscoder, { ...place(id), transcoder_id: 7 }, { as: ann })
    expect(attach.error?.name).toBe('TranscoderNotFound')
    expect((await world.api(settings.setTranscoder, place(id), { as: ann })).status).toBe(201)
  })

  test('of a token: a channel by key has none, and nothing is wrong with the platforms', async () => {
    const id = await newChannel(world, ann)
    const refreshed = await world.api(settings.updateToken, { ...place(id), role: 'account' }, { as: ann })
    expect(refreshed.error?.name).toBe('NoAccount')
    expect((await world.api(settings.getStatus, {}, { as: ann })).body).toEqual({ message: null })
  })
})

test('the page of a channel is an address of the web, or none', async () => {
  const id = await newChannel(world, ann)
  const set = (channel_url: string) =>
    world.api(settings.setPage, { project_id: ann.projectId, channel_id: id, channel_url }, { as: ann })
  expect((await set(' https://www.twitch.tv/ann ')).status).toBe(201)
  expect((await get(id)).channel_url).toBe('https://www.twitch.tv/ann')
  expect((await set('twitch.tv/ann')).status).toBe(201)
  expect((await get(id)).channel_url).toBe('https://twitch.tv/ann')
  for (const wrong of ['ftp://example.com/ann', 'twitch', 'mailto:ann@example.com', 'twitch.tv/a b'])
    expect((await set(wrong)).status, wrong).toBe(400)
  expect((await set('')).status).toBe(201)
  expect((await get(id)).channel_url).toBe('')
})
