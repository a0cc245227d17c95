// Statistics of the encoder as NOALBS reads them: a real node and encoder, strict types, silence, keys and replicas.
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { createBus } from '#server/core/bus.ts'
import { encoderOf, nodeOf } from '#server/app/testing/relay-node.ts'
import { sendEvenly } from '#server/relay/testing/encoder.ts'
import { aacHeader, avcHeader } from '#server/relay/testing/frames.ts'
import { eventually } from '#server/testing/eventually.ts'
import { someIngest } from '#server/testing/nodes.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'
import { createEncoderFigures, figuresOf } from './encoder-figures.ts'

/** `Stat` of NOALBS: integers of 32 bits where it has integers, and every field is needed. */
const integer = z.int().check(z.minimum(0), z.maximum(2 ** 31 - 1))
const Stat = z.strictObject({
  bitrate: integer,
  bytesRcvDrop: integer,
  bytesRcvLoss: integer,
  mbpsBandwidth: z.number(),
  mbpsRecvRate: z.number(),
  msRcvBuf: integer,
  pktRcvDrop: integer,
  pktRcvLoss: integer,
  rtt: z.number(),
  uptime: integer,
})
const Stats = z.strictObject({ publishers: z.strictObject({ live: z.optional(Stat) }), status: z.literal('ok') })

let world: World
let ann: Person
beforeEach(async () => {
  world = await testApp({ RATE_LIMITS: 'on' })
  world.clock.set(new Date())
  ann = await world.user()
})
afterEach(() => world.close())

const project = () => ({ project_id: ann.projectId })
const pathOf = async () => new URL((await world.api(streamKeys.stats, project(), { as: ann })).body.url).pathname
const get = (url: string) => world.app.inject({ method: 'GET', url })
const live = async (url: string) => Stats.parse((await get(url)).json()).publishers.live

test('returns the figures of an encoder that sends, and none before and after it', async () => {
  const path = await pathOf()
  expect((await get(path)).statusCode).toBe(200)
  expect(await live(path)).toBeUndefined()
  const { url } = await world.app.listen()
  const node = await nodeOf(world, url)
  const encoder = await encoderOf(world, ann, node)
  encoder.send(avcHeader(0), aacHeader(0))
  const stop = sendEvenly(encoder, 4_000)
  const figures = await eventually(async () => {
    const now = await live(path)
    return now && now.bitrate > 1_000 && now.uptime >= 1 ? now : null
  })
  expect(figures.mbpsRecvRate).toBeCloseTo(figures.bitrate / 1000, 1)
  stop()
  encoder.end()
  await eventually(async () => (await live(path)) === undefined)
  await node.close()
})

test.each([
  ['a missing encoder', { ...someIngest, link: null }, 0],
  ['an encoder without a frame for more than two seconds', { quietMs: 2_100 }, 0],
  ['a sample that is older than five seconds', { quietMs: 0 }, 5_100],
])('leaves out %s', (_, change, ageMs) => {
  const figures = { rttMs: 40.26, lost: 3, dropped: 1, lostBytes: 3_948, droppedBytes: 1_316, bufferMs: 120.4 }
  const link = { ...figures, ageMs: 61_000, quietMs: 1_900 }
  const sent = { ingest: { ...someIngest, kbps: 2.5, link } }
  expect(Stat.parse(figuresOf(sent, 900))).toMatchObject({
    bitrate: 3,
    rtt: 40.3,
    uptime: 61,
    msRcvBuf: 120,
    pktRcvLoss: 3,
    bytesRcvDrop: 1_316,
  })
  const ingest = 'link' in change ? change : { ...sent.ingest, link: { ...link, ...change } }
  expect(figuresOf({ ingest }, ageMs)).toBeNull()
})

test('a replaced or unknown key finds nothing, and no log has a key', async () => {
  const old = await pathOf()
  const { status, body } = await world.api(streamKeys.rotateStats, project(), { as: ann })
  expect(status).toBe(201)
  expect(new URL(body.url).pathname).toBe(await pathOf())
  expect(body.url).not.toContain(old)
  expect((await get(new URL(body.url).pathname)).statusCode).toBe(200)
  expect((await get(old)).statusCode).toBe(404)
  const { key } = (await world.api(streamKeys.get, project(), { as: ann })).body
  expect((await get(`/stats/${key}`)).statusCode).toBe(404)
  for (const path of [old, body.url]) expect(world.logged.join()).not.toContain(path.split('/').at(-1))
})

test('editors have an address of their project, viewers have none', async () => {
  const [ben, eve] = [await world.user('Ben'), await world.user('Eve')]
  await world.join(ben, ann.projectId, 1)
  await world.join(eve, ann.projectId, 0)
  expect((await world.api(streamKeys.stats, project(), { as: ben })).body.url).toMatch(/\/stats\/[0-9a-f]{32}$/)
  expect((await world.api(streamKeys.stats, project(), { as: eve })).status).toBe(403)
  expect((await world.api(streamKeys.rotateStats, project(), { as: eve })).status).toBe(403)
})

test('answers ten requests a second of a key and thirty wrong keys a minute, and refuses the rest', async () => {
  const path = await pathOf()
  const statuses = async (url: string, count: number) => {
    const all = await Promise.all(Array.from({ length: count }, () => get(url)))
    return all.map(({ statusCode }) => statusCode)
  }
  expect(new Set(await statuses(path, 600))).toEqual(new Set([200]))
  expect(await statuses(path, 1)).toEqual([429])
  expect((await statuses('/stats/wrong', 31)).filter((status) => status === 404)).toHaveLength(30)
})

test('a replica without the node requests the figures from the replica that has it', async () => {
  const bus = createBus(null, (error) => {
    throw error
  })
  const figures = figuresOf({ ingest: someIngest }, 0)
  const isElsewhere = () => true
  createEncoderFigures(bus, { here: (id) => (id === 1 ? figures : undefined), isElsewhere })
  const read = createEncoderFigures(bus, { here: () => undefined, isElsewhere })
  expect(await read(1)).toEqual(figures)
  expect(figures?.bitrate).toBe(someIngest.kbps)
  expect(await read(2)).toBeNull()
})
