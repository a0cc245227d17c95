// Realtime connections that never authenticate, and clients that do.
import { Centrifuge } from 'centrifuge'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { tokens } from '#contract/areas/realtime/tokens.ts'
import { eventually } from '#server/testing/eventually.ts'
import { type Peer, peer, upgradeRequest, watchServer } from '#server/testing/peers.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

const token = 'a-token-for-prometheus'
let world: World
let ann: Person
let url: string
beforeEach(async () => {
  world = await testApp({ TRUST_PROXY: '127.0.0.1', METRICS_TOKEN: token })
  world.clock.set(new Date())
  ann = await world.user()
  url = (await world.app.listen()).url
})
afterEach(() => world.close())

/** A connection that was opened, from an address that the proxy names. @returns null when it was refused */
async function idle(address: string): Promise<Peer | null> {
  const one = await peer(url, upgradeRequest('/connection/websocket', { 'X-Forwarded-For': address }))
  const status = await eventually(async () => /^HTTP\/1.1 (\d+)/.exec(one.text())?.[1])
  if (status === '503') expect(one.text()).toContain('Retry-After: 1\r\n')
  else expect(status).toBe('101')
  return status === '101' ? one : null
}

async function fill(count: number, addressOf: (index: number) => string): Promise<(Peer | null)[]> {
  const peers: (Peer | null)[] = []
  for (let at = 0; at < count; at += 100)
    peers.push(...(await Promise.all(Array.from({ length: 100 }, (_, index) => idle(addressOf(at + index))))))
  return peers
}

/** Connects as the dashboard does. @returns how often it was disconnected for good */
async function signIn(): Promise<number[]> {
  const socket = `${url.replace('http', 'ws')}/connection/websocket`
  const getToken = async () =>
    (await world.api(tokens.connect, { project_id: ann.projectId }, { as: ann })).body.access_token
  const client = new Centrifuge(socket, { getToken, minReconnectDelay: 100, maxReconnectDelay: 500 })
  onTestFinished(() => client.disconnect())
  const ends: number[] = []
  client.on('disconnected', ({ code }) => ends.push(code))
  client.connect()
  await Promise.race([client.ready(30_000), new Promise((resolve) => client.once('disconnected', resolve))])
  return ends
}

test('lets a signed-in client connect beside 1,000 idle connections', async () => {
  const server = watchServer()
  const peers = await fill(1_000, (index) => `10.0.${index % 50}.1`)
  expect(peers.filter(Boolean)).toHaveLength(1_000)
  // A frame that the protocol forbids, because clients mask theirs: from a connection beyond the limit, and from the first.
  for (const one of [await idle('10.1.0.1'), peers[0]]) {
    one?.socket.write(Buffer.from([0x81, 0x01, 0x41]))
    await one?.ended
  }
  expect(server.faults).toEqual([])
  expect(await signIn()).toEqual([])
})

test('lets a signed-in client connect from an address that is full of idle connections', async () => {
  await fill(200, () => '127.0.0.1')
  expect(await signIn()).toEqual([])
  const headers = { authorization: `Bearer ${token}` }
  const metrics = async () => (await world.app.inject({ url: '/metrics', headers })).body
  const open = async () => Number(/^relaydeck_realtime_connections (\d+)$/m.exec(await metrics())?.[1])
  await expect.poll(open).toBeLessThanOrEqual(101)
})

test('counts connections of other addresses apart', async () => {
  await fill(200, () => '203.0.113.7')
  expect(await idle('203.0.113.8')).not.toBe(null)
})
