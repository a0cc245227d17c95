// A second channel with the address and key of another one.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { settings } from '#contract/areas/channels/settings.ts'
import { newChannel, share, someAddress, someKey, upgrade } from '#server/testing/channels.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
let ann: Person
beforeEach(async () => {
  world = await testApp()
  ann = await world.user('Ann')
})
afterEach(() => world.close())

const twitch = 'rtmp://live.twitch.tv/app'
const add = (as: Person, rtmp_url: string, stream_key: string) =>
  world.api(
    addChannel.any,
    { project_id: as.projectId, type: 'twitch' as const, name: 'Second', rtmp_url, stream_key },
    { as },
  )
const countOf = async (as: Person) =>
  (await world.api(channels.search, { project_id: as.projectId }, { as })).body.total

test.each([
  [twitch, 'live_1'],
  ['RTMP://Live.Twitch.tv:1935/app/', ' live_1 '],
])('%s with %s is refused with the first channel', async (rtmp_url, key) => {
  const first = (await add(ann, twitch, 'live_1')).body.channel_id
  const { status, error } = await add(ann, rtmp_url, key)
  expect([status, error?.name, error?.data]).toEqual([400, 'AlreadyAdded', { channel_id: first, name: 'Second' }])
  expect(JSON.stringify(error)).not.toContain('live_1')
  expect(await countOf(ann)).toBe(1)
})

test.each([
  [twitch, 'live_2'],
  ['rtmps://live.twitch.tv:443/app', 'live_1'],
  [`${twitch}?backup=1`, 'live_1'],
])('%s with %s is another destination', async (rtmp_url, key) => {
  await add(ann, twitch, 'live_1')
  expect((await add(ann, rtmp_url, key)).status).toBe(201)
})

test('published routes and SRT addresses are compared as well', async () => {
  await upgrade(world, ann, 2)
  const own = { project_id: ann.projectId, name: 'One' }
  const keyed = { ...own, rtmp_url: someAddress, stream_key: 'key' }
  const srt = (streamid: string) => ({ ...own, ingress_url: `srt://srt.example.com:9000?streamid=${streamid}` })
  expect((await world.api(addChannel.custom, keyed, { as: ann })).status).toBe(201)
  expect((await world.api(addChannel.boosty, keyed, { as: ann })).error?.name).toBe('AlreadyAdded')
  expect((await world.api(addChannel.srt, srt('me'), { as: ann })).status).toBe(201)
  expect((await world.api(addChannel.srt, srt('you'), { as: ann })).status).toBe(201)
  expect((await world.api(addChannel.srt, srt('me'), { as: ann })).error?.name).toBe('AlreadyAdded')
})

test('a channel does not move to the destination of another one', async () => {
  const first = (await add(ann, twitch, 'live_1')).body.channel_id
  const second = (await add(ann, twitch, 'live_2')).body.channel_id
  const move = (channel_id: number, stream_key?: string) =>
    world.api(
      settings.setRtmp,
      { project_id: ann.projectId, channel_id, url: twitch, ...(stream_key !== undefined && { stream_key }) },
      { as: ann },
    )
  expect((await move(second, 'live_1')).error).toMatchObject({ name: 'AlreadyAdded', data: { channel_id: first } })
  const shown = await world.api(channels.get, { project_id: ann.projectId, channel_id: second }, { as: ann })
  expect(shown.body.stream_key).toBe('live_2')
  // Saving what it has is no second channel.
  expect((await move(second)).status).toBe(201)
  expect((await move(second, 'live_3')).status).toBe(201)
  expect((await move(first, 'live_2')).status).toBe(201)
})

test('two calls at the same time add one channel', async () => {
  const answers = await Promise.all([add(ann, twitch, 'live_1'), add(ann, twitch, 'live_1')])
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 400]))
  expect(await countOf(ann)).toBe(1)
})

test('tells nothing of the keys of other projects, also of channels that they share', async () => {
  const id = await newChannel(world, ann)
  const bob = await world.user('Bob')
  await share(world, id, bob.projectId, 1)
  expect((await add(bob, someAddress, someKey)).status).toBe(201)
})
