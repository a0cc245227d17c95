// Connection of a node to the service: a service that does not respond, and the messages of both.
import { createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocketServer } from 'ws'
import recorded from '#contract/relay/recorded-version-2.json' with { type: 'json' }
import { startNode } from './node.ts'
import { encode, handMadeSilentMs } from './testing/encoder.ts'
import { faultyPlatform } from './testing/faulty-platform.ts'
import { aacHeader, avcHeader, stream } from './testing/frames.ts'
import { until } from './testing/rig.ts'

const begin = (port: number, lines: string[] = []) =>
  startNode({
    service: `ws://127.0.0.1:${port}/relay`,
    token: 'a token',
    about: { node: 'here', city: 'Berlin', country: 'DE', lat: 52.5, long: 13.4, host: '127.0.0.1', pingHost: '' },
    listen: { host: '127.0.0.1', port: 0 },
    ffmpeg: '',
    dial: { allowPrivateDestinations: true },
    graceMs: 300,
    silentMs: handMadeSilentMs,
    pingMs: 200,
    owned: false,
    onQuit: () => undefined,
    log: (line) => lines.push(line),
  })

test('reconnects when the service accepts the connection and does not answer the upgrade', async () => {
  const sockets: Socket[] = []
  const mute = createServer((socket) => sockets.push(socket.on('error', () => undefined)))
  await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve))
  const address = mute.address()
  const node = await begin(typeof address === 'object' && address ? address.port : 0)
  onTestFinished(async () => {
    await node.close()
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => mute.close(resolve))
  })
  await until(() => sockets.length > 1)
  expect(sockets.length).toBeGreaterThan(1)
})

interface Message {
  readonly type: string
  readonly request?: number
  readonly seq?: number
  readonly event?: { readonly type: string; readonly epoch?: number }
}

test('sends events, and follows the messages of the service', async () => {
  const platform = await faultyPlatform()
  const received: Message[] = []
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await new Promise((resolve) => server.once('listening', resolve))
  const ofType = (type: string) => recorded.fromService.find((message) => message.type === type) ?? { type }
  const target = { protocol: 'rtmp', host: '127.0.0.1', port: platform.port, app: 'live', key: 'key' }
  server.on('connection', (socket) => {
    const send = (type: string, changes: object = {}) => socket.send(JSON.stringify({ ...ofType(type), ...changes }))
    const responses: Readonly<Record<string, (message: Message) => void>> = {
      hello: () => send('welcome'),
      leases: () => send('leases'),
      admit: ({ request }) =>
        send('admitted', { request, projectId: 7, epoch: 3, held: undefined, destinations: [{ id: 1, target }] }),
      event: ({ seq }) => send('ack', { seq }),
    }
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as Message
      received.push(message)
      responses[message.type]?.(message)
    })
  })
  const address = server.address()
  const lines: string[] = []
  const node = await begin(typeof address === 'object' && address ? address.port : 0, lines)
  onTestFinished(async () => {
    await node.close()
    for (const client of server.clients) client.terminate()
    await Promise.all([platform.stop(), new Promise((resolve) => server.close(resolve))])
  })
  await until(() => received.some(({ type }) => type === 'leases'))
  expect(received[0]).toMatchObject({ type: 'hello', version: 3, node: 'here', projects: [], leases: [] })
  const encoder = encode(node.port, 'good')
  expect(await encoder.outcome).toBe('live')
  encoder.send(avcHeader(), aacHeader(), ...stream(0, 1))
  await until(() => platform.arrived.length > 10)
  const events = () => received.flatMap(({ event }) => event ?? [])
  await until(() => received.some(({ type }) => type === 'samples'))
  expect(events().find(({ type }) => type === 'source-began')).toMatchObject({ projectId: 7, epoch: 3 })
  for (const client of server.clients) client.send(JSON.stringify({ ...ofType('stop'), projectId: 7, hold: undefined }))
  await until(() => events().some(({ type }) => type === 'ended'))
  expect(lines).toEqual([])
})

test('an encoder that begins while the service is killed is live when the service is back', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await new Promise((resolve) => server.once('listening', resolve))
  const admitted = recorded.fromService.find(({ type }) => type === 'admitted')
  let requests = 0
  server.on('connection', (socket) =>
    socket.on('message', (data: Buffer) => {
      const { type, request } = JSON.parse(data.toString()) as Message
      if (type !== 'admit') return
      // It was killed with the first request.
      if (++requests === 1) return socket.terminate()
      socket.send(JSON.stringify({ ...admitted, request, projectId: 7, epoch: 3, held: undefined, destinations: [] }))
    }),
  )
  const address = server.address()
  const node = await begin(typeof address === 'object' && address ? address.port : 0)
  onTestFinished(async () => {
    await node.close()
    for (const client of server.clients) client.terminate()
    await new Promise((resolve) => server.close(resolve))
  })
  await until(() => server.clients.size === 1)
  expect(await encode(node.port, 'good').outcome).toBe('live')
  expect(requests).toBe(2)
})
