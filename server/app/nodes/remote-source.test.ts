// A remote source on the real service and a node: HLS over HTTP reaches the channel, and its end, its address and its rights hold.
import { execFile } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { remoteSource } from '#contract/areas/ingest/remote-source.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { databaseNow } from '#server/db/fragments.ts'
import { staleAfterMs } from '#server/domain/ingest/health.ts'
import { remoteSourceJob } from '#server/domain/ingest/remote-sources.ts'
import { findRemoteSource } from '#server/domain/ingest/remote-sources-store.ts'
import { listNodesNow } from '#server/domain/ingest/servers.ts'
import { liveStage, type LiveStage } from '#server/app/testing/live-stage.ts'
import { nodeOf } from '#server/app/testing/relay-node.ts'
import type { RelayNode } from '#server/relay/node.ts'
import { folder, hasPrograms, sample } from '#server/relay/testing/programs.ts'
import { newChannel } from '#server/testing/channels.ts'
import { eventually } from '#server/testing/eventually.ts'
import { ageJobs, runJobs } from '#server/testing/jobs.ts'
import { testApp } from '#server/testing/test-app.ts'

const run = promisify(execFile)

let stage: LiveStage
const nodes: RelayNode[] = []
let server: Server | undefined
const dir = folder()

beforeEach(async () => {
  stage = await liveStage()
})
afterEach(async () => {
  for (const one of nodes.splice(0)) await one.close()
  server?.closeAllConnections()
  server?.close()
  await stage.platform.stop()
  await stage.world.close()
  server = undefined
  rmSync(dir, { recursive: true, force: true })
})

const inProject = () => ({ project_id: stage.ann.projectId })
const get = async () => (await stage.world.api(remoteSource.get, inProject(), { as: stage.ann })).body
const start = (url?: string) => stage.world.api(remoteSource.start, { ...inProject(), url }, { as: stage.ann })
const status = async () => (await stage.world.api(broadcasts.status, inProject(), { as: stage.ann })).body

/** Starts a node, and waits until the service knows that it can fetch. */
async function connect(name = 'here'): Promise<void> {
  const { services } = stage.world
  const about = { node: name, city: 'Berlin', country: 'DE', lat: 52.5, long: 13.4, host: '127.0.0.1', pingHost: '' }
  nodes.push(await nodeOf(stage.world, stage.url, { ffmpeg: 'ffmpeg', about }))
  await eventually(async () =>
    (await listNodesNow(services, staleAfterMs)).some(({ node, about: { remote } }) => node === name && remote),
  )
}

/** Starts the jobs and a node. */
async function begin(): Promise<void> {
  stage.world.app.jobs.start()
  await connect()
}

/** Serves a recorded playlist of some 20 seconds. @returns its address */
async function playlist(): Promise<string> {
  const source = await sample(dir, 20)
  await run('ffmpeg', [
    '-v',
    'error',
    '-i',
    source,
    '-c',
    'copy',
    '-f',
    'hls',
    '-hls_list_size',
    '0',
    join(dir, 'x.m3u8'),
  ])
  server = createServer(({ url = '' }, response) => {
    try {
      response.end(readFileSync(join(dir, new URL(url, 'http://files').pathname)))
    } catch {
      response.writeHead(404).end()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/x.m3u8?password=secret`
}

test.skipIf(!hasPrograms)(
  'a server fetches a playlist, and its channel is live until the source is stopped',
  async () => {
    const { world, ann, platform } = stage
    await newChannel(world, ann, { rtmp_url: `rtmp://127.0.0.1:${platform.port}/live` })
    await begin()
    expect((await start(await playlist())).status).toBe(200)
    expect(await eventually(async () => (await get()).state === 'live')).toBe(true)
    expect(await eventually(async () => (await status()).kind === 'live')).toBe(true)
    await eventually(() => platform.arrived.filter(({ packet }) => packet.kind === 'video').length > 60)
    expect((await get()).address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    // Its key is replaced: the source continues by the new one.
    await world.api(streamKeys.rotate, inProject(), { as: ann })
    const before = platform.arrived.length
    await eventually(() => platform.arrived.length > before + 100)
    expect((await world.api(remoteSource.remove, inProject(), { as: ann })).error?.name).toBe('RemoteRunning')
    expect((await world.api(remoteSource.stop, inProject(), { as: ann })).status).toBe(200)
    expect(await eventually(async () => (await status()).kind === 'inactive')).toBe(true)
    expect(await get()).toMatchObject({ is_on: false, state: 'off' })
    expect(JSON.stringify([await get(), world.logged])).not.toContain('password=secret')
  },
)

test.skipIf(!hasPrograms)('names the reason of a failure without the secret, and tries again', async () => {
  const { world } = stage
  await begin()
  await start('rtmp://127.0.0.1:9/live/secret-key')
  expect(await eventually(async () => (await get()).state === 'failed' && (await get()).words)).toContain(
    'ECONNREFUSED',
  )
  expect(JSON.stringify([await get(), world.logged])).not.toContain('secret-key')
  expect(await get()).toMatchObject({ is_on: true })
})

test.skipIf(!hasPrograms)('follows the report of a server that can fetch, and moves when that is gone', async () => {
  const { db, services } = { ...stage.world.app, ...stage.world }
  const work = () => runJobs(services, [remoteSourceJob])
  const at = async () => (await findRemoteSource(db, stage.ann.projectId))?.node
  await start('rtmp://127.0.0.1:9/live/x')
  await work()
  expect(await at()).toBeNull()
  await connect('one')
  await work()
  expect(await at()).toBe('one')
  await connect('two')
  await nodes[0]?.close()
  const { kind } = remoteSourceJob
  const isSoon = sql<boolean>`due < ${databaseNow(db)} + 10000`
  await eventually(async () =>
    db.selectFrom('jobs').select('due').where('kind', '=', kind).where(isSoon).executeTakeFirst(),
  )
  await work()
  // It has three seconds to come back.
  expect(await at()).toBe('one')
  await ageJobs(db, 3_000)
  await work()
  expect(await at()).toBe('two')
})

test('waits for a server that can fetch, and refuses what is no address', async () => {
  expect((await start()).error?.name).toBe('RemoteMissing')
  for (const url of [
    '',
    'file:///etc/passwd',
    'concat:a|b',
    'ftp://example.com/x',
    'srt://example.com',
    'rtmp://',
    "x'\nfile '/etc/passwd",
  ])
    expect((await start(url)).error?.name).toBe('RemoteAddress')
  expect((await start('srt://127.0.0.1:9000?mode=listener')).error?.name).toBe('RemoteAddress')
  expect((await start('rtmp://127.0.0.1/live/x')).status).toBe(200)
  expect(await get()).toMatchObject({ is_on: true, state: 'waiting' })
})

test('refuses private networks, and RTSP, whose redirects ffmpeg follows', async () => {
  const world = await testApp()
  const ann = await world.user()
  const errorOf = async (url: string) =>
    (await world.api(remoteSource.start, { project_id: ann.projectId, url }, { as: ann })).error?.msg
  for (const url of ['http://127.0.0.1/x.m3u8', 'rtmp://10.0.0.1/live/x', 'http://[::1]/x', 'rtsp://example.com/x'])
    expect(await errorOf(url)).toContain('private networks')
  const bob = await world.user('Bob')
  await world.join(bob, ann.projectId, 0)
  const asBob = await world.api(
    remoteSource.start,
    { project_id: ann.projectId, url: 'rtmp://example.com/a/b' },
    { as: bob },
  )
  expect(asBob.status).toBe(403)
  await world.close()
})
