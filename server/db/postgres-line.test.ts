// The line against a server that speaks as much of the protocol of PostgreSQL as it needs.
import { createServer, type AddressInfo, Socket } from 'node:net'
import { expect, test, vi } from 'vitest'
import { createLine } from './postgres-line.ts'

const message = (type: string, body: string) => {
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeUInt32BE(4 + Buffer.byteLength(body), 1)
  return Buffer.concat([head, Buffer.from(body)])
}
const ready = message('Z', 'I')

/** Accepts any user, and completes each query. */
async function someServer() {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    socket.once('data', () => {
      socket.write(Buffer.concat([message('R', '\0\0\0\0'), ready]))
      socket.on(
        'data',
        (data) =>
          data.toString('latin1').startsWith('Q') && socket.write(Buffer.concat([message('C', 'LISTEN\0'), ready])),
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `postgres://ann@127.0.0.1:${(server.address() as AddressInfo).port}/x`
  return { sockets, url, close: () => new Promise((resolve) => server.close(resolve)) }
}

test('checks a silent connection within seconds, and reconnects after it ended or broke', async () => {
  const keepAlive = vi.spyOn(Socket.prototype, 'setKeepAlive')
  const { sockets, url, close } = await someServer()
  const states: boolean[] = []
  const line = createLine({ url })
  line.subscribe('jobs', () => undefined)
  line.onConnection((isConnected) => states.push(isConnected))
  line.open(() => undefined)
  await vi.waitFor(() => expect(states).toEqual([false, true]))
  expect(keepAlive).toHaveBeenCalledWith(true, 10_000)
  keepAlive.mockRestore()
  sockets[0]?.end()
  await vi.waitFor(() => expect(states).toEqual([false, true, false, true]), 5_000)
  sockets[1]?.resetAndDestroy()
  await vi.waitFor(() => expect(states).toEqual([false, true, false, true, false, true]), 5_000)
  await line.close()
  await close()
})

test('gives up a connection that a server accepts and does not answer, and tries again', async () => {
  const sockets: Socket[] = []
  const server = createServer((socket) => void sockets.push(socket.on('error', () => undefined)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const faults: unknown[] = []
  const url = `postgres://ann@127.0.0.1:${(server.address() as AddressInfo).port}/x`
  const line = createLine({ url, connectMs: 50 })
  line.open((error) => faults.push(error))
  await vi.waitFor(() => expect(sockets.length).toBeGreaterThan(2), 5_000)
  expect(faults[0]).toMatchObject({ message: expect.stringContaining('timeout') })
  await line.close()
  for (const socket of sockets) socket.destroy()
  await new Promise((resolve) => server.close(resolve))
})

test('gives up a connection whose LISTEN is not answered', async () => {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined))
    socket.once('data', () => socket.write(Buffer.concat([message('R', '\0\0\0\0'), ready])))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `postgres://ann@127.0.0.1:${(server.address() as AddressInfo).port}/x`
  const line = createLine({ url, answerMs: 50 })
  line.subscribe('jobs', () => undefined)
  line.open(() => undefined)
  await vi.waitFor(() => expect(sockets.length).toBeGreaterThan(2), 5_000)
  await line.close()
  for (const socket of sockets) socket.destroy()
  await new Promise((resolve) => server.close(resolve))
})
