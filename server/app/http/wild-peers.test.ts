// Resets, half-closed connections and broken frames at random moments against everything that the service listens for.
import type { FromNode } from '#contract/relay/from-node.ts'
import { FromService } from '#contract/relay/from-service.ts'
import { protocolVersions, readMessage } from '#contract/relay/protocol.ts'
import { Centrifuge } from 'centrifuge'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { preview } from '#contract/areas/broadcasts/preview.ts'
import { chat } from '#contract/areas/chat/chat.ts'
import { pullKeys } from '#contract/areas/ingest/pull-keys.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { tokens } from '#contract/areas/realtime/tokens.ts'
import { derivedKey } from '#server/core/secrets.ts'
import { publish } from '#server/domain/realtime/realtime.ts'
import { eventually } from '#server/testing/eventually.ts'
import { upgradeRequest, watchServer } from '#server/testing/peers.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'
import { binaryFrame, misbehave, randomOf, textFrame } from '#server/testing/wild-peer.ts'

const peersAtOnce = 12
const rounds = 12
const random = randomOf(20_261_122)

type Conversation = readonly (string | Buffer)[]

/** A project on air at a node that misbehaves on every media request of the service. */
async function wildNode(world: World, url: string, ann: Person, peerFor: (talk: Conversation) => Promise<void>) {
  const authorization = `Bearer ${derivedKey(world.services.config.secret, 'relay node').toString('base64url')}`
  const inProject = { project_id: ann.projectId }
  const { key } = (await world.api(streamKeys.get, inProject, { as: ann })).body
  const line = new WebSocket(`${url.replace('http', 'ws')}/relay`, { headers: { authorization } })
  onTestFinished(() => line.terminate())
  const send = (message: FromNode) => line.send(JSON.stringify(message))
  const asked: Promise<void>[] = []
  let isAdmitted = false
  line.on('message', (data: Buffer) => {
    const message = readMessage(FromService, data.toString('utf8'))
    if (message?.type === 'welcome')
      send({ type: 'admit', request: 1, key, app: 'live', encoder: 'OBS', address: '192.0.2.1' })
    if (message?.type === 'admitted') {
      isAdmitted = true
      const { projectId, epoch } = message
      const began = { type: 'source-began', projectId, epoch, at: Date.now(), encoder: 'OBS', address: '192.0.2.1' }
      send({ type: 'event', seq: 1, event: began as (FromNode & { type: 'event' })['event'] })
    }
    if (message?.type === 'preview' || message?.type === 'hls') {
      const frames = [
        textFrame('index.m3u8'),
        binaryFrame(Buffer.from('#EXTM3U\n')),
        binaryFrame(Buffer.from('FLV\x01')),
      ]
      asked.push(peerFor([upgradeRequest(`/relay/media/${message.id}`, { authorization }), ...frames]))
    }
  })
  line.on('open', () => send({ type: 'hello', version: protocolVersions.latest, node: 'wild', projects: [] }))
  await eventually(async () => isAdmitted)
  return { authorization, asked, isOpen: () => line.readyState === WebSocket.OPEN }
}

/** A request without a body. */
const http = (line: string, ...headers: string[]) =>
  `${[`${line} HTTP/1.1`, 'Host: localhost', ...headers].join('\r\n')}\r\n\r\n`

/** Conversations with everything that listens. */
async function conversationsOf(world: World, ann: Person, authorization: string): Promise<Conversation[]> {
  const inProject = { project_id: ann.projectId }
  const { key } = (await world.api(chat.key, inProject, { as: ann })).body
  await world.api(pullKeys.create, { ...inProject, transport: 'hls' }, { as: ann })
  const pull = (await world.api(pullKeys.list, inProject, { as: ann })).body.results[0]?.uuid
  const { ticket } = (await world.api(preview.get, inProject, { as: ann })).body
  const token = (await world.api(tokens.connect, inProject, { as: ann })).body.access_token
  const json = 'Content-Type: application/json'
  const chunked = [json, 'Transfer-Encoding: chunked']
  const hello: FromNode = { type: 'hello', version: protocolVersions.latest, node: 'other', projects: [] }
  return [
    [http('GET /healthz'), http('GET /readyz'), http('GET /')],
    [http('CONNECT example.com:443')],
    [http('GET /', 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk')],
    [http('POST /method/auth/refresh-access', ...chunked), '5\r\n{"app\r\n', '5\r\n":"si\r\n', '0\r\n\r\n'],
    [http('POST /method/auth/refresh-access', json, 'Content-Length: 100', 'Expect: 100-continue'), '{"app":"site"'],
    [http(`GET /method/broadcast/longpoll?v=1&language=en&wait=25&key=${key}`)],
    [http(`GET /method/auth/me?v=1&language=en`, `Authorization: oauth ${ann.accessToken}`)],
    [http(`GET /preview/${ann.projectId}.flv`, `Authorization: Preview ${ticket}`)],
    [http(`GET /pull/${pull}/index.m3u8`)],
    [upgradeRequest('/nowhere'), textFrame('x')],
    [upgradeRequest('/relay/media/nothing', { authorization }), textFrame('x')],
    [upgradeRequest('/connection/websocket'), textFrame({ id: 1, connect: {} })],
    [
      upgradeRequest('/connection/websocket'),
      textFrame({ id: 1, connect: { token } }),
      textFrame({ id: 2, subscribe: { channel: `project#${ann.projectId}` } }),
      textFrame({ id: 3, history: { channel: `project#${ann.projectId}` } }),
      textFrame('{}'),
    ],
    [upgradeRequest('/relay', { authorization }), textFrame(hello), textFrame({ type: 'report', report: {} })],
    [upgradeRequest('/relay', { authorization }), textFrame({ type: 'held', projectId: 1, gone: true })],
  ]
}

test('survives peers that misbehave at random moments', async () => {
  const world = await testApp({ ALLOW_PRIVATE_DESTINATIONS: 'on' })
  onTestFinished(() => world.close())
  world.clock.set(new Date())
  const ann = await world.user()
  const { url } = await world.app.listen()
  const server = watchServer()
  const ports = new Set<number>()
  const peerFor = (talk: Conversation) => misbehave(url, talk, random, (port) => void ports.add(port))
  const node = await wildNode(world, url, ann, peerFor)
  const conversations = await conversationsOf(world, ann, node.authorization)

  // A client that keeps to the protocol.
  const getToken = async () =>
    (await world.api(tokens.connect, { project_id: ann.projectId }, { as: ann })).body.access_token
  const client = new Centrifuge(`${url.replace('http', 'ws')}/connection/websocket`, { getToken })
  onTestFinished(() => client.disconnect())
  const subscription = client.newSubscription(`project#${ann.projectId}`)
  const left: number[] = []
  client.on('connecting', ({ code }) => left.push(code))
  client.connect()
  subscription.subscribe()
  await subscription.ready(30_000)

  const queue = Array.from({ length: rounds }, () => conversations).flat()
  const work = async () => {
    for (let next = queue.pop(); next; next = queue.pop()) await peerFor(next)
  }
  await Promise.all(Array.from({ length: peersAtOnce }, work))
  await Promise.all(node.asked)

  expect(server.faults).toEqual([])
  expect(node.asked.length).toBeGreaterThan(0)
  // The service has closed all of their connections.
  const open = () => [...server.open].filter(({ remotePort = 0 }) => ports.has(remotePort))
  await expect.poll(() => open().length).toBe(0)
  // Other clients are not affected.
  const received = new Promise((resolve) => subscription.on('publication', ({ data }) => resolve(data)))
  publish(world.services, { type: 'project', id: ann.projectId }, { event: 'project-update', payload: {} })
  expect(await received).toEqual({ event: 'project-update', payload: {} })
  expect(left).toEqual([0])
  expect(node.isOpen()).toBe(true)
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  expect(world.logged.filter((line) => line.includes('"msg":"Failed"'))).toEqual([])
})
