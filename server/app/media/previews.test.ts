// A slow viewer beside a fast one.
import type { Message } from '#server/relay/rtmp/message.ts'
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { flvHeader, FlvReader, writeTag } from '#server/relay/media/flv.ts'
import { avcHeader, keyframe } from '#server/relay/testing/frames.ts'
import { until } from '#server/relay/testing/rig.ts'
import { createPreviews, type Previews } from './previews.ts'

let node: WebSocketServer
let server: Server
let previews: Previews
let opened: number
let responses: Map<string | undefined, ServerResponse>
/** The stream that the node writes. */
let line: WebSocket | undefined

beforeEach(async () => {
  node = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  node.on('connection', (socket) => (line = socket))
  opened = 0
  responses = new Map()
  previews = createPreviews({
    open() {
      opened++
      const socket = new WebSocket(`ws://127.0.0.1:${(node.address() as AddressInfo).port}`)
      return new Promise((resolve) => {
        socket.once('open', () => {
          socket.pause()
          resolve(socket)
        })
      })
    },
    mayWatch: () => Promise.resolve(true),
    timing: { checkMs: 50, tooSlowMs: 200 },
  })
  server = createServer(({ url }, response) => {
    responses.set(url, response)
    void previews.watch({ projectId: 1, sessionId: 1 }, response, () => {
      response.writeHead(200)
      response.flushHeaders()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(() => {
  previews.close()
  server.closeAllConnections()
  server.close()
  node.close()
})

const look = (path: string) =>
  new Promise<IncomingMessage>((resolve) => {
    get(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, { agent: false }, resolve)
  })

test('closes a viewer that does not read, and drops no frame of the others', async () => {
  const slow = await look('/slow')
  const quick = await look('/quick')
  await until(() => line)
  line?.send(Buffer.concat([flvHeader({ audio: false, video: true }), writeTag(avcHeader()), writeTag(keyframe(0))]))
  slow.on('error', () => undefined).pause()
  const reader = new FlvReader()
  const got: Message[] = []
  quick.on('data', (bytes: Buffer) => got.push(...reader.read(bytes)))
  // Far more than a system keeps for a connection, and than may wait here.
  const most = 400
  let last = 0
  while (last < most && !responses.get('/slow')?.destroyed) {
    line?.send(writeTag(keyframe(++last * 40, 100_000)))
    await new Promise((resolve) => setTimeout(resolve, 5))
    for (const { writableLength } of responses.values()) expect(writableLength).toBeLessThan(3 * 1024 * 1024)
  }
  await until(() => responses.get('/slow')?.destroyed)
  await until(() => got.length === last + 2)
  expect(responses.get('/quick')?.destroyed).toBe(false)
  const sent = got.filter(({ payload }) => payload[1] === 1).map(({ timestamp }) => timestamp)
  expect(sent).toEqual(sent.map((_, index) => index * 40))
  expect(opened).toBe(1)
})
