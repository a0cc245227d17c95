// Tracks that a project chose for a channel: saved, refused, and desired of the relay.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { channels } from '#contract/areas/channels/channels.ts'
import { mainTracks, type TrackChoice } from '#contract/entities/tracks.ts'
import { readDesired } from '#server/domain/broadcasts/desired.ts'
import { newChannel } from '#server/testing/channels.ts'
import { testApp, type World } from '#server/testing/test-app.ts'

let world: World
beforeAll(async () => {
  world = await testApp()
})
afterAll(() => world.close())

test('a chosen pair is saved and desired, and the main one is as no choice', async () => {
  const ann = await world.user('Ann')
  const channel_id = await newChannel(world, ann)
  const place = { project_id: ann.projectId, channel_id }
  const set = async (tracks: TrackChoice) =>
    (await world.api(channels.setTracks, { ...place, ...tracks }, { as: ann })).status
  const desired = async () => (await readDesired(world.services, ann.projectId)).state.destinations[0]
  const versions = () =>
    world.app.db.selectFrom('project_versions').selectAll().where('project_id', '=', ann.projectId).execute()
  const saved = async () => (await world.api(channels.get, place, { as: ann })).body.tracks
  expect(await saved()).toEqual(mainTracks)
  expect(await desired()).not.toHaveProperty('tracks')
  const before = await versions()
  const choice: TrackChoice = { video: 'portrait', audio: '1', missing: 'main' }
  expect(await set(choice)).toBe(200)
  expect(await saved()).toEqual(choice)
  expect(await desired()).toMatchObject({ id: channel_id, tracks: choice })
  // The relay is notified of it.
  expect(await versions()).not.toEqual(before)
  expect(await set({ ...mainTracks, missing: 'main' })).toBe(200)
  expect(await desired()).not.toHaveProperty('tracks')
})

test.each([{ video: '8' }, { video: 'silent' }, { audio: 'portrait' }, { audio: 1 }, { missing: 'stop' }])(
  'refuses %j',
  async (change) => {
    const ben = await world.user('Ben')
    const channel_id = await newChannel(world, ben)
    const input = { project_id: ben.projectId, channel_id, ...mainTracks, ...change } as typeof mainTracks & {
      project_id: number
      channel_id: number
    }
    expect((await world.api(channels.setTracks, input, { as: ben })).status).toBe(400)
  },
)
