// Ingest servers through the real edge: only what nodes have reported, summed up, judged, and gone when they are silent.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { pullServers } from '#contract/areas/ingest/pull-servers.ts'
import { rtmpServers } from '#contract/areas/ingest/rtmp-servers.ts'
import { ValidationError } from '#server/core/errors.ts'
import { forgetOldReports, reportNode } from '#server/domain/ingest/nodes.ts'
import { report, someNode } from '#server/testing/nodes.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
let me: Person
beforeEach(async () => {
  world = await testApp({ ACCESS_TTL: '86400' })
  me = await world.user()
})
afterEach(() => world.close())

const list = async (interval?: 1 | 24) =>
  (await world.api(rtmpServers.list, { project_id: me.projectId, ...(interval && { interval }) }, { as: me })).body
const minute = 60_000

test('before a node has reported, every list is empty and says why', async () => {
  expect(await list()).toEqual({ results: [], reason: 'none_reported' })
  expect((await world.api(rtmpServers.state, {}, { as: me })).body).toEqual({ results: [], reason: 'none_reported' })
  expect((await world.api(rtmpServers.baseList, {}, { as: me })).body.reason).toBe('none_reported')
  expect((await world.api(pullServers.list, {}, { as: me })).body).toEqual({ results: [], reason: 'none_reported' })
  expect((await world.api(rtmpServers.locations, {})).body).toEqual({ results: [] })
  expect((await world.api(rtmpServers.up, {})).body).toEqual({
    up: false,
    reason: 'none_reported',
    servers: { total: 0, good: 0, problem: 0, bad: 0 },
    date_report: null,
  })
})

test('names the ports of the own relay while another program uses one of them and no server reports', async () => {
  let ports: readonly number[] | null = [1935, 1936]
  Object.assign(world.services.relay, { takenPorts: () => ports })
  const taken = { results: [], reason: 'port_taken', ports: [1935, 1936] }
  expect(await list()).toEqual(taken)
  expect((await world.api(pullServers.list, {}, { as: me })).body).toEqual(taken)
  expect((await world.api(rtmpServers.up, {})).body).toMatchObject({ up: false, reason: 'port_taken' })
  await report(world.services)
  expect(await list()).toMatchObject({ results: [{ city: 'Frankfurt' }], reason: null })
  // A server that stopped reporting cannot receive streams: the cause stays the port.
  world.clock.advance(2 * minute)
  expect(await list()).toEqual(taken)
  ports = null
  expect(await list()).toMatchObject({ results: [{ city: 'Frankfurt', serverStatus: 'bad' }], reason: null })
})

test('says that a server is full until it reports otherwise', async () => {
  await report(world.services, { full: true })
  expect((await list()).results).toMatchObject([{ full: true }])
  world.clock.advance(minute)
  await report(world.services)
  expect((await list()).results).toMatchObject([{ full: false }])
})

test('a node that reported is in the list, with what each version of it has', async () => {
  await report(world.services)
  const { results, reason } = await list()
  expect(reason).toBeNull()
  expect(results).toEqual([
    {
      id: 1,
      pool_id: 1,
      index: 0,
      city: 'Frankfurt',
      country: { name: 'Germany', code: 'DE', id: 276 },
      silent: false,
      full: false,
      ffmpeg: false,
      bonding: false,
      url: 'fra.example.com',
      urls: {
        rtmp: { value: 'rtmp://fra.example.com:1935/live', mask: 'rtmp://fra.example.com:1935/live/{{key}}' },
        srt: { value: 'srt://fra.example.com:8093', mask: 'srt://fra.example.com:8093?streamid={{key}}' },
      },
      pingHost: 'fra.example.com',
      options: { allowDedicatedServer: false },
      network: { avg: 20, max: 20 },
      cpu: { avg: 30, max: 30 },
      ram: { avg: 40, max: 40 },
      quality: 100,
      serverStatus: 'good',
      platforms: [{ id: 4, title: 'YouTube', quality: 100, status: 'good', reconnect: 0 }],
    },
  ])
  expect((await world.api(rtmpServers.state, {}, { as: me })).body.results).toMatchObject([{ lat: 50.11, long: 8.68 }])
  expect((await world.api(rtmpServers.locations, {})).body.results).toEqual([
    { name: 'Frankfurt, Germany', host: 'fra.example.com', url: 'rtmp://fra.example.com:1935/live' },
  ])
  expect((await world.api(pullServers.list, {}, { as: me })).body.results).toMatchObject([
    { city: 'Frankfurt', url: { hls: 'https://fra.example.com/pull/{{key}}/index.m3u8' }, targetKey: 'pull:1' },
  ])
})

test('a node that listens on every address is named by the host that the caller reached the service by', async () => {
  const addresses = {
    rtmp: 'rtmp://0.0.0.0:1935/live',
    srt: 'srt://[::]:9710',
    rtmps: 'rtmps://0.0.0.0.example.com/live',
  }
  const pull = { rtmp: 'rtmp://0.0.0.0:1935/pull/{{key}}', srt: 'srt://0.0.0.0:9710?streamid=#!::r={{key}}' }
  await world.close()
  world = await testApp({ PUBLIC_URL: 'https://live.example.com' })
  me = await world.user()
  await report(world.services, { ...addresses, pull })
  const [server] = (await list()).results
  expect(server).toMatchObject({
    url: 'live.example.com',
    urls: { rtmp: { value: 'rtmp://live.example.com:1935/live' } },
  })
  expect(server?.urls).toMatchObject({
    srt: { value: 'srt://live.example.com:9710' },
    rtmps: { value: addresses.rtmps },
  })
  const { results } = (await world.api(pullServers.list, {}, { as: me })).body
  expect(results[0]?.url.rtmp).toBe('rtmp://live.example.com:1935/pull/{{key}}')
})

test('returns averages and peaks of loads over the requested interval', async () => {
  const load = (cpu: number) => ({ load: { ...someNode.load, cpu } })
  await report(world.services, load(90), 120 * minute)
  await report(world.services, load(10), 30 * minute)
  await report(world.services, load(20))
  expect((await list(1)).results[0]?.cpu).toEqual({ avg: 15, max: 20 })
  expect((await list(24)).results[0]?.cpu).toEqual({ avg: 40, max: 90 })
})

test('a report counts once, and one that is late does not make the node what it was', async () => {
  const time = world.clock.now().toISOString()
  const sent = { ...someNode, time }
  expect(await reportNode(world.services, sent)).toBe(true)
  expect(await reportNode(world.services, { ...sent, load: { ...someNode.load, cpu: 100 } })).toBe(false)
  expect(await report(world.services, { city: 'Elsewhere', load: { ...someNode.load, cpu: 60 } }, 10 * minute)).toBe(
    true,
  )
  expect((await list()).results).toMatchObject([{ city: 'Frankfurt', cpu: { avg: 45, max: 60 } }])
})

test('the best server comes first; one that misses reports is bad, then gone', async () => {
  await report(world.services, { node: 'busy', city: 'Busy', load: { ...someNode.load, cpu: 70 } })
  await report(world.services, { node: 'idle', city: 'Idle' })
  expect((await list()).results.map(({ city, index, serverStatus }) => [city, index, serverStatus])).toEqual([
    ['Idle', 0, 'good'],
    ['Busy', 1, 'problem'],
  ])
  world.clock.advance(2 * minute)
  await report(world.services, { node: 'busy', city: 'Busy' })
  expect((await list()).results.map(({ city, serverStatus }) => [city, serverStatus])).toEqual([
    ['Busy', 'good'],
    ['Idle', 'bad'],
  ])
  expect((await world.api(rtmpServers.up, {})).body).toMatchObject({
    up: true,
    servers: { total: 2, good: 1, problem: 0, bad: 1 },
  })
  world.clock.advance(9 * minute)
  expect((await list()).results.map(({ city }) => city)).toEqual(['Busy'])
  world.clock.advance(2 * minute)
  expect(await list()).toEqual({ results: [], reason: 'all_silent' })
})

test('a graph has sixty stretches, and nothing where nothing was reported', async () => {
  await report(world.services, { load: { ...someNode.load, cpu: 10 } }, 10 * minute)
  await report(world.services, { load: { ...someNode.load, cpu: 30 } })
  await report(world.services, { node: 'fra-2', load: { ...someNode.load, cpu: 50 } })
  const { body } = await world.api(rtmpServers.graph, { type: 'cpu' }, { as: me })
  const [germany] = body.countries
  expect(germany).toMatchObject({ countryName: 'Germany', cities: [{ cityName: 'Frankfurt' }] })
  const points = germany?.cities[0]?.chartData ?? []
  expect(body.timeLine).toHaveLength(60)
  expect(body.timeLine[1]! - body.timeLine[0]!).toBe(60)
  expect(points.slice(-12)).toEqual([null, 10, ...Array.from({ length: 9 }, () => null), 40])
  const day = await world.api(rtmpServers.graph, { type: 'deliveredPackages', interval: 24 }, { as: me })
  expect(day.body.countries[0]?.cities[0]?.chartData.at(-1)).toBe(100)
})

test('derives the SRT latency from the round-trip time', async () => {
  await report(world.services)
  const ask = async (input: { dst_ip: string; rtt?: number; profile?: 'low' | 'safe' }) =>
    (await world.api(rtmpServers.srtLatency, input, { as: me })).body
  expect(await ask({ dst_ip: 'fra.example.com', rtt: 50 })).toMatchObject({ latency: 200, found: true, stale: false })
  expect(await ask({ dst_ip: 'fra.example.com', rtt: 50, profile: 'safe' })).toMatchObject({ latency: 300 })
  expect(await ask({ dst_ip: 'fra.example.com', rtt: 5 })).toMatchObject({ latency: 120 })
  expect(await ask({ dst_ip: 'fra.example.com' })).toMatchObject({ latency: null, found: true })
  expect(await ask({ dst_ip: 'nowhere', rtt: 50 })).toMatchObject({ latency: null, found: false })
})

test('a node with a clock that is ahead is taken as it is now', async () => {
  expect(await report(world.services, {}, -5 * minute)).toBe(true)
  expect((await list()).results).toMatchObject([{ city: 'Frankfurt', cpu: { avg: 30, max: 30 } }])
  world.clock.advance(2 * minute)
  expect((await list()).results).toMatchObject([{ serverStatus: 'bad' }])
})

test('a node beside the service is as far away as the service; others without a way to measure have none', async () => {
  await report(world.services, { pingHost: '', beside: true, country: 'ZZ' })
  await report(world.services, { node: 'far', pingHost: '' })
  const { results } = await list()
  expect(results.map(({ pingHost, country }) => [pingHost, country.name])).toEqual([
    ['localhost', ''],
    ['', 'Germany'],
  ])
})

test('a report that is none is refused; old ones are forgotten', async () => {
  const wrong = [
    { node: 'A B' },
    { country: 'Germany' },
    { rtmp: 'http://x' },
    { load: { ...someNode.load, cpu: 101 } },
  ]
  for (const change of wrong) await expect(report(world.services, change)).rejects.toThrow(ValidationError)
  expect(await report(world.services, {}, 30 * 60 * minute)).toBe(false)
  expect((await list()).reason).toBe('none_reported')
  await report(world.services)
  world.clock.advance(26 * 60 * minute)
  await forgetOldReports(world.services)
  expect(await world.app.db.selectFrom('ingest_reports').selectAll().execute()).toEqual([])
})
