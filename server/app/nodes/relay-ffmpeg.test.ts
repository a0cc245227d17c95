// HLS and transcoders from encoder to player, with a real ffmpeg on the node.
import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { auth } from '#contract/areas/account/auth.ts'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { preview } from '#contract/areas/broadcasts/preview.ts'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { pullKeys } from '#contract/areas/ingest/pull-keys.ts'
import { rtmpServers } from '#contract/areas/ingest/rtmp-servers.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { type Transcoder, transcoders } from '#contract/areas/ingest/transcoders.ts'
import type { RelayNode } from '#server/relay/node.ts'
import { decodeAmf } from '#server/relay/rtmp/amf0.ts'
import { faultyPlatform } from '#server/relay/testing/faulty-platform.ts'
import { type Encoder, folder, hasPrograms, publish, sample } from '#server/relay/testing/programs.ts'
import { until } from '#server/relay/testing/rig.ts'
import { upgrade } from '#server/testing/channels.ts'
import { eventually } from '#server/testing/eventually.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'
import { nodeOf } from '#server/app/testing/relay-node.ts'

const run = promisify(execFile)
const dir = folder()
let source: string
let world: World
let ann: Person
let node: RelayNode
let encoder: Encoder | undefined
let url: string

beforeAll(async () => {
  if (hasPrograms) source = await sample(dir, 6)
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

beforeEach(async () => {
  world = await testApp({ ALLOW_PRIVATE_DESTINATIONS: 'on' })
  // Streams need the real clock.
  world.clock.set(new Date())
  ann = await world.user()
  await upgrade(world, ann, 2)
  await world.api(pullKeys.create, { ...inProject(), transport: 'hls' }, { as: ann })
  url = (await world.app.listen()).url
  node = await nodeOf(world, url, { ffmpeg: 'ffmpeg', transcoders: 1 })
})
afterEach(async () => {
  await encoder?.stop()
  await node.close()
  await world.close()
})

const inProject = () => ({ project_id: ann.projectId })
const pulled = async () => (await world.api(pullKeys.list, inProject(), { as: ann })).body.results[0]
const get = (path: string) => fetch(url + path)
/** Requests a file as a player does: repeats the request while the response says to retry. */
async function fetched(path: string): Promise<Response> {
  const answer = await get(path)
  return answer.status === 503 ? fetched(path) : answer
}

async function onAir(): Promise<void> {
  const servers = async () => (await world.api(rtmpServers.list, { ...inProject(), interval: 1 }, { as: ann })).body
  await eventually(async () => (await servers()).results.length > 0)
  const { key } = (await world.api(streamKeys.get, inProject(), { as: ann })).body
  encoder = publish(source, `rtmp://127.0.0.1:${node.port}/live/${key}`, ['-stream_loop', '-1'])
}

test.skipIf(!hasPrograms)(
  'plays the live stream as HLS from the address on the page',

  async () => {
    await onAir()
    const address = await eventually(async () => (await pulled())?.shareUrl || null)
    expect(address).toMatch(/^http:\/\/.*\/pull\/[0-9a-f-]+\/index\.m3u8$/)
    const path = new URL(address).pathname
    // The service knows the broadcast before the database does.
    await eventually(async () => (await world.api(broadcasts.status, inProject(), { as: ann })).body.kind === 'live')
    await until(() => world.services.relay.previewSources(ann.projectId))
    // The first request starts the ffmpeg.
    const first = await fetched(path)
    expect(first.status).toBe(200)
    expect(first.headers.get('access-control-allow-origin')).toBe('*')
    expect(await first.text()).toContain('#EXTM3U')
    const ask = ['-v', 'error', '-read_intervals', '%+3', '-show_entries', 'stream=codec_name,width:packet=flags']
    const { stdout } = await run('ffprobe', [...ask, '-of', 'compact', url + path], { timeout: 100_000 })
    expect(stdout).toContain('codec_name=h264|width=320')
    expect(stdout).toContain('codec_name=aac')
    expect(stdout).toMatch(/packet\|flags=K/)
    await get(path)
    expect(await pulled()).toMatchObject({ status: 'active', viewers: 2 })
    // Only files of the playlist are served, and no other file of the node.
    const folderOf = path.slice(0, path.lastIndexOf('/'))
    for (const name of ['1.ts', 'index.m3u8.tmp', '..%2f..%2fetc%2fpasswd', '%2e%2e'])
      expect((await get(`${folderOf}/${name}`)).status).toBe(404)
    await world.api(pullKeys.remove, { ...inProject(), key: path.split('/')[2] ?? '' }, { as: ann })
    expect((await get(path)).status).toBe(404)
    expect(world.logged.join('')).not.toContain(path.split('/')[2])
  },
)

test.skipIf(!hasPrograms)(
  'serves the preview as HLS: each address needs its ticket, and works while the session exists',

  async () => {
    await onAir()
    const later = await world.signIn(ann)
    const playlist = await eventually(
      async () => (await world.api(preview.get, inProject(), { as: later })).body.hls_path,
    )
    const answer = await fetched(playlist)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/vnd.apple.mpegurl'])
    const name = /^\d+\.ts\?ticket=.+$/m.exec(await answer.text())?.[0]
    const file = playlist.replace(/index.*/, name ?? '')
    const piece = await get(file)
    expect([piece.status, piece.headers.get('content-type')]).toEqual([200, 'video/mp2t'])
    expect(Buffer.from(await piece.arrayBuffer())[0]).toBe(0x47)
    expect((await get(file.replace(/\?.*/, ''))).status).toBe(401)
    expect((await get(playlist.replace(`/${ann.projectId}/`, '/999/'))).status).toBe(401)
    await world.api(auth.logout, { refresh: later.refreshToken })
    expect((await get(playlist)).status).toBe(401)
    expect((await get(file)).status).toBe(401)
  },
)

test('serves nothing for a wrong key or a project that is off air', async () => {
  const wrong = await get('/pull/00000000-0000-0000-0000-000000000000/index.m3u8')
  expect(wrong.status).toBe(404)
  expect(await wrong.json()).toMatchObject({ error: { name: 'NoStream' } })
  const { uuid = '' } = (await pulled()) ?? {}
  const off = await get(`/pull/${uuid}/index.m3u8`)
  expect(await off.json()).toMatchObject({ error: { name: 'NoStream' } })
})

test.skipIf(!hasPrograms)(
  'sends the output of the transcoder to its channel and shows its state',

  async () => {
    const platform = await faultyPlatform()
    onTestFinished(() => platform.stop())
    const rtmp_url = `rtmp://127.0.0.1:${platform.port}/live`
    await world.api(addChannel.boosty, { ...inProject(), name: 'Small', rtmp_url, stream_key: 'key' }, { as: ann })
    const { results } = (await world.api(channels.short, inProject(), { as: ann })).body
    const channelIds = results.map(({ channel_id }) => channel_id)
    const form = { name: 'Half', videoCodec: 'h264', preset: 'ultrafast', width: 160, height: 120, channelIds } as const
    await world.api(transcoders.add, { ...inProject(), ...form }, { as: ann })
    await onAir()
    const list = async () => (await world.api(transcoders.list, inProject(), { as: ann })).body
    let state: Transcoder['state']
    for (let left = 240; left > 0 && !(state?.transcoder_running && state.target_connected && state.bitrate); left--) {
      await new Promise((resolve) => setTimeout(resolve, 250))
      state = (await list()).results[0]?.state
    }
    expect(state).toMatchObject({ status: 'active', source_connected: true, reason: null, restarts: 0 })
    expect((await list()).codecs).toContain('h264')
    const size = await until(() => platform.arrived.find(({ packet }) => packet.isMetadata()))
    const [, facts] = decodeAmf(size.packet.payload).slice(-2)
    expect(facts).toMatchObject({ width: 160, height: 120 })
  },
)
