// A schedule on the real service and a node: it begins at its time, an encoder breaks in, and the file goes on.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { scheduler } from '#contract/areas/broadcasts/scheduler.ts'
import type { Input } from '#contract/core/operation.ts'
import type { OnAir } from '#contract/entities/on-air.ts'
import { liveStage, type LiveStage } from '#server/app/testing/live-stage.ts'
import { nodeOf } from '#server/app/testing/relay-node.ts'
import { readStreamKey } from '#server/domain/ingest/stream-keys.ts'
import type { RelayNode } from '#server/relay/node.ts'
import { makeMaster } from '#server/relay/testing/films.ts'
import { folder, hasPrograms, publish } from '#server/relay/testing/programs.ts'
import { newChannel } from '#server/testing/channels.ts'
import { eventually } from '#server/testing/eventually.ts'
import { someFilm } from '#server/testing/schedules.ts'

/** Name of the master. */
const file = `${'b'.repeat(32)}.mp4`
let stage: LiveStage
let dir: string
let ticking: NodeJS.Timeout
const nodes: RelayNode[] = []

beforeEach(async () => {
  stage = await liveStage()
  dir = folder()
  // The node has the clock of this machine.
  ticking = setInterval(() => stage.world.clock.set(new Date()), 20)
  stage.world.app.jobs.start()
})
afterEach(async () => {
  clearInterval(ticking)
  for (const node of nodes.splice(0)) await node.close()
  await stage.platform.stop()
  await stage.world.close()
  rmSync(dir, { recursive: true, force: true })
})

const inProject = () => ({ project_id: stage.ann.projectId })
const status = async () => (await stage.world.api(broadcasts.status, inProject(), { as: stage.ann })).body
const create = async (input: Omit<Input<typeof scheduler.create>, 'project_id' | 'channel_ids'>) =>
  (await stage.world.api(scheduler.create, { ...inProject(), channel_ids: [], ...input }, { as: stage.ann })).body.id
const get = async (id: number) => (await stage.world.api(scheduler.get, { ...inProject(), id }, { as: stage.ann })).body
const isKind = (kind: string) => eventually(async () => (await status()).kind === kind)

test.skipIf(!hasPrograms)('begins at its time; live breaks in, and the file returns', async () => {
  const { world, ann, platform, url } = stage
  await newChannel(world, ann, { rtmp_url: `rtmp://127.0.0.1:${platform.port}/live` })
  const film = await masterOf(10)
  const node = await playerOf(url, 'one')
  nodes.push(node)
  const start_at = Math.ceil(Date.now() / 1000) + 8
  const id = await create({ start_at, video: { ids: [film], loop: true } })
  await eventually(async () => (await get(id)).run?.state === 'ready')
  expect((await status()).kind).toBe('inactive')
  await eventually(() => platform.arrived.some(({ packet }) => packet.kind === 'video'))
  expect(Date.now() - start_at * 1000).toBeLessThan(2_000)
  expect(Date.now() - start_at * 1000).toBeGreaterThan(-100)
  await isKind('scheduler')
  const first = (await status()) as OnAir
  expect(first).toMatchObject({ schedulerId: id, video_id: film, encoder: 'scheduler' })
  const { key } = await readStreamKey(world.services, ann.projectId)
  const encoder = publish(join(world.dataDir, 'media', 'masters', file), `rtmp://127.0.0.1:${node.port}/live/${key}`)
  await isKind('live')
  expect((await get(id)).run).toMatchObject({ state: 'live' })
  await encoder.stop()
  await isKind('scheduler')
  const arrived = platform.arrived.length
  await eventually(() => platform.arrived.length > arrived + 100)
  expect(await status()).toMatchObject({
    broadcast_id: first.broadcast_id,
    reconnects: 0,
    restreams: [{ reconnects: 0 }],
  })
  await world.api(scheduler.stop, { ...inProject(), id }, { as: ann })
  await isKind('inactive')
  expect(await get(id)).toMatchObject({ run: null, last: { state: 'stopped' } })
  expect(JSON.stringify(world.logged)).not.toContain(key)
})

test.skipIf(!hasPrograms)('continues at another node at the right place when its own is gone', async () => {
  const { world, ann, platform, url } = stage
  await newChannel(world, ann, { rtmp_url: `rtmp://127.0.0.1:${platform.port}/live` })
  const film = await masterOf(20)
  const names = ['one', 'two'] as const
  for (const name of names) nodes.push(await playerOf(url, name))
  const id = await create({ start_now: true, video: { ids: [film], loop: true } })
  await isKind('scheduler')
  const { server } = (await status()) as OnAir
  const begun = (await get(id)).run?.begin_at
  const gone = Date.now()
  await nodes[server === 'one' ? 0 : 1]?.close()
  const other = server === 'one' ? 'two' : 'one'
  await eventually(async () => ((await status()) as OnAir).server === other)
  const arrived = platform.arrived.length
  await eventually(() => platform.arrived.length > arrived + 30)
  // On a machine that does other work as well.
  expect(Date.now() - gone).toBeLessThan(15_000)
  expect((await get(id)).run).toMatchObject({ state: 'live', begin_at: begun })
})

/** Makes a master in the folder of the service. @returns its film */
async function masterOf(seconds: number): Promise<number> {
  const { world, ann } = stage
  const folderOfMasters = join(world.dataDir, 'media', 'masters')
  mkdirSync(folderOfMasters, { recursive: true })
  await makeMaster(join(folderOfMasters, file), { color: 'red', seconds })
  return someFilm(world, ann.projectId, { file, duration_ms: seconds * 1_000 })
}

const playerOf = (url: string, node: string): Promise<RelayNode> =>
  nodeOf(stage.world, url, {
    ffmpeg: 'ffmpeg',
    films: join(dir, node),
    about: { node, city: 'Berlin', country: 'DE', lat: 52.5, long: 13.4, host: '127.0.0.1', pingHost: '' },
  })
