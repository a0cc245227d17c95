// Media connections to the waiting one of several services that share an address.
import { createMediaConnections } from './media-connections.ts'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { until } from './testing/rig.ts'

/** Address at which every third service waits for `id`. */
async function balanced(id: string) {
  const sockets = new WebSocketServer({ noServer: true })
  const server = createServer()
  let tries = 0
  server.on('upgrade', (request, socket, head) => {
    // A client that terminates resets the connection.
    socket.on('error', () => undefined)
    if (request.headers.authorization !== 'Bearer token') return socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n')
    tries++
    if (request.url !== `/relay/media/${id}` || tries % 3 !== 0)
      return socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n')
    sockets.handleUpgrade(request, socket, head, (taken) => sockets.emit('connection', taken))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const client of sockets.clients) client.terminate()
    server.close()
  })
  return { at: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/relay`, sockets, tries: () => tries }
}

test('connects to the waiting service at the requested address', async () => {
  const { at, sockets } = await balanced('one')
  const got: string[] = []
  sockets.on('connection', (socket) => socket.on('message', (bytes: Buffer) => got.push(bytes.toString())))
  const lines = createMediaConnections({ service: 'ws://127.0.0.1:1/relay', token: 'token' })
  onTestFinished(() => lines.close())
  lines.open({ id: 'one', at }, 1, (socket) => (socket.send('hello'), () => undefined))
  await until(() => got.length === 1)
  expect(got).toEqual(['hello'])
})

test('connects by the address of the service when the requested one cannot be reached', async () => {
  const { at, sockets } = await balanced('one')
  const lines = createMediaConnections({ service: at, token: 'token' })
  onTestFinished(() => lines.close())
  let opened = 0
  sockets.on('connection', () => opened++)
  lines.open({ id: 'one', at: 'ws://127.0.0.1:1/relay' }, 1, () => () => undefined)
  expect(await until(() => opened === 1)).toBe(true)
})

test('closes only the connection of a failed start, and a source that starts after the service has closed it', async () => {
  const { at, sockets, tries } = await balanced('one')
  const lines = createMediaConnections({ service: at, token: 'token' })
  onTestFinished(() => lines.close())
  const ends: number[] = []
  sockets.on('connection', (socket) => socket.on('close', (code) => ends.push(code)))
  lines.open({ id: 'one' }, 1, () => {
    throw new Error('The disk is full')
  })
  await until(() => ends.length === 1)
  lines.open({ id: 'one' }, 1, async () => {
    throw new Error('The disk is full')
  })
  await until(() => ends.length === 2)
  let stopped = 0
  sockets.on('connection', (socket) => socket.terminate())
  lines.open({ id: 'one' }, 1, async (socket) => {
    await until(() => socket.readyState === socket.CLOSED)
    return () => void stopped++
  })
  await until(() => stopped === 1)
  expect(tries()).toBe(9)
})

test('does not retry after the node has ended, or with a wrong token', async () => {
  const { at, tries } = await balanced('other')
  const stranger = createMediaConnections({ service: at, token: 'wrong' })
  stranger.open({ id: 'one' }, 1, () => null)
  const lines = createMediaConnections({ service: at, token: 'token' })
  lines.open({ id: 'one' }, 1, () => null)
  await until(() => tries() >= 2)
  lines.close()
  const before = tries()
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(tries() - before).toBeLessThanOrEqual(1)
})
