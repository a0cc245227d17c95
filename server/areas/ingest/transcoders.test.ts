// Transcoders over HTTP: settings, channels, status.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { channels } from '#contract/areas/channels/channels.ts'
import { settings } from '#contract/areas/channels/settings.ts'
import { transcoders } from '#contract/areas/ingest/transcoders.ts'
import { fitLine } from '#server/domain/ingest/fit-line.ts'
import { endPlans } from '#server/testing/tariffs.ts'
import { readDesired } from '#server/domain/broadcasts/desired.ts'
import { moreTranscoders, newChannel } from '#server/testing/channels.ts'
import { goOnAir, report } from '#server/testing/nodes.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
let ann: Person
let inMine: { project_id: number }
beforeEach(async () => {
  world = await testApp({ TRANSCODERS_MAX: '2' })
  ann = await world.user()
  inMine = { project_id: ann.projectId }
})
afterEach(() => world.close())

const half = { name: 'Half', videoCodec: 'h264', width: 1280, height: 720, fps: 30, vBitrate: 3000 } as const
const add = async (form: object = {}) =>
  (await world.api(transcoders.add, { ...inMine, ...half, ...form }, { as: ann })).body
const list = async (as = ann) => (await world.api(transcoders.list, inMine, { as })).body
const act = (name: 'stop' | 'start' | 'remove' | 'resetDelay', transcoder_id: number) =>
  world.api(transcoders[name], { ...inMine, transcoder_id }, { as: ann })
const wanted = async () => (await readDesired(world.services, ann.projectId)).state

test('what was chosen is what is listed, and what was left out is as it comes in', async () => {
  const id = await add({ delay: 20 })
  const { results, limit } = await list()
  expect(limit).toBe(2)
  expect(results).toEqual([
    {
      id,
      name: 'Half',
      createdAt: '2026-03-01T10:00:00.000Z',
      width: 1280,
      height: 720,
      fps: 30,
      vBitrate: 3000,
      status: 'active',
      videoCodec: 'h264',
      channels: [],
      delay: 20,
      preset: 'veryfast',
      state: null,
      mode: 'custom',
    },
  ])
})

test('a change says the whole picture; name, preset and delay stay where they are left out', async () => {
  const id = await add({ delay: 20, preset: 'fast' })
  const change = { transcoder_id: id, videoCodec: 'h264', height: 480 } as const
  expect((await world.api(transcoders.update, { ...inMine, ...change }, { as: ann })).status).toBe(201)
  const [row] = (await list()).results
  expect(row).toMatchObject({ name: 'Half', height: 480, delay: 20, preset: 'fast' })
  expect(row).not.toHaveProperty('width')
  await act('resetDelay', id)
  expect((await list()).results).toMatchObject([{ delay: 0 }])
})

test('as many as the settings allow', async () => {
  await moreTranscoders(world, ann, 3)
  await add()
  await add()
  const { error } = await world.api(transcoders.add, { ...inMine, ...half }, { as: ann })
  expect(error).toMatchObject({ name: 'TooManyTranscoders', data: { max: 2 } })
})

test('refuses more transcoders, and larger ones, than the plan allows, and names a plan that does', async () => {
  const refusalOf = async (form: object = {}) =>
    (await world.api(transcoders.add, { ...inMine, ...half, ...form }, { as: ann })).error
  expect(await refusalOf({ width: 1920, height: 1080 })).toMatchObject({
    name: 'PlanLimitReached',
    data: { limit: 'transcoder_resolution', value: '720p', plan_transcoding_id: 2, plan_title: 'Full HD' },
  })
  expect(await refusalOf({ fps: 60 })).toMatchObject({
    data: { limit: 'transcoder_fps', value: 30, plan_title: 'Full HD 60' },
  })
  const id = await add()
  expect(await refusalOf()).toMatchObject({ data: { limit: 'transcoders', value: 1, plan_title: 'Full HD' } })
  await act('stop', id)
  const other = await add()
  expect((await act('start', id)).error).toMatchObject({ data: { limit: 'transcoders' } })
  const change = { ...inMine, transcoder_id: other, videoCodec: 'h264', width: 1920, height: 1080 } as const
  expect((await world.api(transcoders.update, change, { as: ann })).error).toMatchObject({
    data: { limit: 'transcoder_resolution' },
  })
})

test('runs as many as the plan allows on air, and switches the others off after the broadcast', async () => {
  await moreTranscoders(world, ann, 2)
  const [one, two] = [await newChannel(world, ann, { name: 'One' }), await newChannel(world, ann, { name: 'Two' })]
  const [first, second] = [await add({ channelIds: [one] }), await add({ channelIds: [two] })]
  for (const channel_id of [one, two])
    await world.api(channels.setStatus, { ...inMine, channel_id, status: true }, { as: ann })
  world.clock.set(new Date('2026-04-01T09:00:00.000Z'))
  await goOnAir(world.services, ann.projectId)
  const ids = async () => ((await wanted()).transcoders ?? []).map(({ id }) => id)
  const roll = () =>
    endPlans({ ...world, db: world.app.db, fit: (...of) => fitLine(world, ...of), onEnd: () => undefined })
  // The plan has ended; the broadcast holds its allowance for 12 hours.
  world.clock.set(new Date('2026-04-01T21:59:00.000Z'))
  await roll()
  expect(await ids()).toEqual([first, second])
  world.clock.set(new Date('2026-04-01T22:00:00.000Z'))
  ann = await world.signIn(ann)
  expect(await ids()).toEqual([first])
  expect((await list()).results.map(({ state }) => state?.reason)).toEqual([null, 'plan'])
  await roll()
  expect((await list()).results.map(({ status }) => status)).toEqual(['active', 'inactive'])
})

test('for Twitch: what is left out is what it recommends, and more than it takes is refused', async () => {
  await add({ mode: 'twitch', vBitrate: undefined })
  expect((await list()).results).toMatchObject([{ vBitrate: 6000, aBitrate: 160, bFrames: 2 }])
  for (const form of [{ vBitrate: 8000 }, { width: 2560 }, { videoCodec: 'hevc' as const }]) {
    const { error } = await world.api(transcoders.add, { ...inMine, ...half, mode: 'twitch', ...form }, { as: ann })
    expect(error?.name).toBe('TwitchLimit')
  }
})

test('its channels get its output on air; while it is stopped they get nothing, and without it the stream as it comes', async () => {
  const [one, two] = [await newChannel(world, ann, { name: 'One' }), await newChannel(world, ann, { name: 'Two' })]
  const id = await add({ channelIds: [one], delay: 20 })
  expect((await list()).results[0]?.channels).toMatchObject([{ group_id: one, transcoderId: id, live: 0 }])
  const { body } = await world.api(channels.get, { ...inMine, channel_id: one }, { as: ann })
  expect(body.transcoderId).toBe(id)
  expect(await wanted()).toMatchObject({
    destinations: [{ id: one, transcoder: id, delayMs: 20_000 }, { id: two }],
    transcoders: [{ id, codec: 'h264', width: 1280, videoKbps: 3000, audioKbps: null }],
  })
  await act('stop', id)
  expect(await list()).toMatchObject({ results: [{ status: 'inactive' }] })
  expect(await wanted()).toMatchObject({ destinations: [{ id: two }], transcoders: [] })
  await act('start', id)
  expect((await wanted()).destinations).toHaveLength(2)
  await act('remove', id)
  const { destinations, transcoders: none } = await wanted()
  expect(none).toEqual([])
  expect(destinations.map(({ transcoder }) => transcoder)).toEqual([undefined, undefined])
})

test('a channel is attached from its own page as well, but only to a transcoder of the project', async () => {
  await moreTranscoders(world, ann, 2)
  const channel = await newChannel(world, ann)
  const id = await add()
  const attach = (transcoder_id?: number) =>
    world.api(settings.setTranscoder, { ...inMine, channel_id: channel, transcoder_id }, { as: ann })
  expect((await attach(id)).status).toBe(201)
  expect((await list()).results[0]?.channels).toHaveLength(1)
  await attach()
  expect((await list()).results[0]?.channels).toHaveLength(0)
  const bob = await world.user('Bob')
  const theirs = (await world.api(transcoders.add, { project_id: bob.projectId, ...half }, { as: bob })).body
  expect((await attach(theirs)).error?.name).toBe('TranscoderNotFound')
  expect((await act('stop', theirs)).status).toBe(403)
  const foreign = { ...inMine, ...half, channelIds: [await newChannel(world, bob)] }
  expect((await world.api(transcoders.add, foreign, { as: ann })).status).toBe(403)
})

test('the earlier snapshot: no codec, and one channel instead of a list', async () => {
  const channel = await newChannel(world, ann)
  const { body: id } = await world.api(transcoders.add, { ...inMine, name: 'Old', channelIds: channel }, { as: ann })
  const made = (await list()).results.find((one) => one.id === id)
  expect(made).toMatchObject({ videoCodec: 'h264', channels: [{ group_id: channel, photo_default: '' }] })
  const change = (form: object) => world.api(transcoders.update, { ...inMine, transcoder_id: id, ...form }, { as: ann })
  await change({ videoCodec: 'hevc' })
  await change({ name: 'New' })
  expect((await list()).results.find((one) => one.id === id)).toMatchObject({ name: 'New', videoCodec: 'hevc' })
})

test('on air: what its node tells about it', async () => {
  const id = await add({ channelIds: [await newChannel(world, ann)] })
  const since = world.clock.now().getTime()
  const reported = { id, running: true, since, reason: null, kbps: 3100, lagMs: 240, restarts: 1 }
  await goOnAir(world.services, ann.projectId, { transcoders: [reported] })
  expect((await list()).results[0]?.state).toEqual({
    status: 'active',
    bitrate: 3100,
    delay: 0.2,
    start_at: '2026-03-01T10:00:00.000Z',
    source_connected: true,
    transcoder_running: true,
    target_connected: false,
    restarts: 1,
    reason: null,
  })
})

test('returns whether a server can run transcoders', async () => {
  expect((await list()).reason).toBe('no_servers')
  await report(world.services)
  expect(await list()).toMatchObject({ reason: 'no_ffmpeg', codecs: [] })
  world.clock.advance(1000)
  await report(world.services, { ffmpeg: { version: '5.1.9', x264: true, x265: true, srt: true } })
  expect(await list()).toMatchObject({ reason: null, codecs: ['h264'] })
  world.clock.advance(1000)
  // HEVC goes through ffmpeg since 6.1.
  await report(world.services, { ffmpeg: { version: '7.1', x264: true, x265: true, srt: true } })
  expect((await list()).codecs).toEqual(['h264', 'hevc'])
})

test('lets viewers read and editors change, and records the user', async () => {
  const [viewer, editor] = [await world.user('Viewer'), await world.user('Editor')]
  await world.join(viewer, ann.projectId, 0)
  await world.join(editor, ann.projectId, 1)
  expect((await list(viewer)).results).toEqual([])
  expect((await world.api(transcoders.add, { ...inMine, ...half }, { as: viewer })).status).toBe(403)
  const { body: id } = await world.api(transcoders.add, { ...inMine, ...half }, { as: editor })
  await act('stop', id)
  await act('remove', id)
  const rows = await world.app.db
    .selectFrom('project_history')
    .select(['action', 'user_id'])
    .where('project_id', '=', ann.projectId)
    .where('action', 'like', 'transcoder%')
    .orderBy('id')
    .execute()
  expect(rows.map(({ action }) => action)).toEqual(['transcoder_created', 'transcoder_stopped', 'transcoder_removed'])
  expect(rows[0]?.user_id).toBe(editor.id)
})
