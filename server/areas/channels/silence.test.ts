// Silence for a channel while the stream has no sound, and its ladder: saved, refused, and desired of the relay.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import type { SilenceChoice } from '#contract/entities/tracks.ts'
import { readDesired } from '#server/domain/broadcasts/desired.ts'
import { newChannel } from '#server/testing/channels.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
beforeAll(async () => {
  world = await testApp()
})
afterAll(() => world.close())

/** Silence that the relay is to send to the channels, in their order. */
const desired = async ({ projectId }: Person) =>
  (await readDesired(world.services, projectId)).state.destinations.map(({ silence = false }) => silence)

test('a channel of YouTube gets silence by itself, another one by choice, and the relay is notified', async () => {
  const ann = await world.user('Ann')
  const add = async (type: 'twitch' | 'youtube', rtmp_url: string) => {
    const input = { project_id: ann.projectId, type, name: 'Mine', rtmp_url, stream_key: 'live_1' }
    return (await world.api(addChannel.any, input, { as: ann })).body.channel_id
  }
  const youtube = await add('youtube', 'rtmp://a.rtmp.youtube.com/live2')
  const twitch = await add('twitch', 'rtmp://live.twitch.tv/app')
  const place = (channel_id: number) => ({ project_id: ann.projectId, channel_id })
  const set = async (id: number, silence: SilenceChoice) =>
    (await world.api(channels.setSilence, { ...place(id), silence }, { as: ann })).status
  const saved = async (id: number) => (await world.api(channels.get, place(id), { as: ann })).body.silence
  const version = async () =>
    world.app.db.selectFrom('project_versions').selectAll().where('project_id', '=', ann.projectId).execute()
  expect([await saved(youtube), await saved(twitch)]).toEqual(['auto', 'auto'])
  expect(await desired(ann)).toEqual([true, false])
  const before = await version()
  expect(await set(youtube, 'never')).toBe(200)
  expect(await version()).not.toEqual(before)
  expect(await set(twitch, 'always')).toBe(200)
  expect([await saved(youtube), await saved(twitch)]).toEqual(['never', 'always'])
  expect(await desired(ann)).toEqual([false, true])
  expect(await set(youtube, 'auto')).toBe(200)
  expect(await set(twitch, 'auto')).toBe(200)
  expect(await desired(ann)).toEqual([true, false])
})

test.each(['', 'silent', true, null])('refuses %j', async (silence) => {
  const ben = await world.user('Ben')
  const channel_id = await newChannel(world, ben)
  const input = { project_id: ben.projectId, channel_id, silence: silence as SilenceChoice }
  expect((await world.api(channels.setSilence, input, { as: ben })).status).toBe(400)
})

test('a ladder that is off is desired, and the relay is notified', async () => {
  const cid = await world.user('Cid')
  const channel_id = await newChannel(world, cid)
  const place = { project_id: cid.projectId, channel_id }
  const desiredLadder = async () => (await readDesired(world.services, cid.projectId)).state.destinations[0]?.ladder
  const version = () =>
    world.app.db.selectFrom('project_versions').selectAll().where('project_id', '=', cid.projectId).execute()
  const saved = async () => (await world.api(channels.get, place, { as: cid })).body.ladder
  expect([await saved(), await desiredLadder()]).toEqual(['same_size', undefined])
  const before = await version()
  expect((await world.api(channels.setLadder, { ...place, ladder: 'off' }, { as: cid })).status).toBe(200)
  expect([await saved(), await desiredLadder()]).toEqual(['off', 'off'])
  expect(await version()).not.toEqual(before)
  expect((await world.api(channels.setLadder, { ...place, ladder: 'same_size' }, { as: cid })).status).toBe(200)
  expect(await desiredLadder()).toBeUndefined()
  for (const ladder of ['any', '', true, null])
    expect((await world.api(channels.setLadder, { ...place, ladder: ladder as 'off' }, { as: cid })).status).toBe(400)
})
