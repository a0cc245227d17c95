// The connection test against servers that behave, misbehave, and are not there.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { probe } from './destination-probe.ts'
import { type Destination, readAddress } from './destinations.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const allowed = { allowPrivateDestinations: true }

function destination(url: string): Destination {
  const read = readAddress(url, allowed)
  if ('fault' in read) throw new Error(read.fault)
  return read
}

/** A server on a port of its own. @returns the port */
async function listen(answer: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined))
    answer(socket)
  })
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

/** S0, S1 and S2, a few bytes at a time, once C0 and C1 are there. */
function greet(socket: Socket): void {
  let received = 0
  socket.on('data', (chunk) => {
    received += chunk.length
    if (received !== 1537) return
    const bytes = Buffer.alloc(3073, 1)
    bytes[0] = 3
    socket.write(bytes.subarray(0, 1))
    setImmediate(() => socket.write(bytes.subarray(1)))
  })
}

test('reports a server that completes the handshake as reachable, with its latency', async () => {
  const port = await listen(greet)
  const { reason, latency } = await probe(destination(`rtmp://127.0.0.1:${port}/live`), allowed, patienceMs)
  expect(reason).toBe('ok')
  expect(latency).toBeGreaterThanOrEqual(0)
})

/** More than a busy machine takes. */
const patienceMs = 30_000

test.each([
  [
    'speaks another protocol',
    (socket: Socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'),
    'wrong_protocol',
    patienceMs,
  ],
  ['hangs up', (socket: Socket) => socket.destroy(), 'closed', patienceMs],
  ['breaks off its greeting', (socket: Socket) => socket.end(Buffer.from([3, 0, 0])), 'closed', patienceMs],
  ['says nothing', () => undefined, 'timed_out', 300],
])('a server that %s', async (_, answer, reason, withinMs) => {
  const port = await listen(answer)
  expect((await probe(destination(`rtmp://127.0.0.1:${port}/live`), allowed, withinMs)).reason).toBe(reason)
})

test('reports a server without TLS at an `rtmps` address', async () => {
  const port = await listen((socket) => socket.write('no TLS at all'))
  const answer = await probe(destination(`rtmps://127.0.0.1:${port}/live`), allowed, patienceMs)
  expect(answer).toMatchObject({ reason: 'tls_failed', latency: expect.any(Number) })
})

test.each(['rtmp', 'rtmps'])('nobody listens for %s', async (protocol) => {
  // Systems do not assign ports below 1024 automatically.
  const answer = await probe(destination(`${protocol}://127.0.0.1:9/live`), allowed)
  expect(answer).toEqual({ reason: 'refused', latency: null })
})

test('a name that is none', async () => {
  const answer = await probe(destination('rtmp://nobody.invalid/live'), allowed)
  expect(answer.reason).toMatch(/dns_failed|timed_out/)
})

test.each(['rtmp', 'rtmps', 'srt'])('a private address is not even tried over %s', async (protocol) => {
  const target = destination(`${protocol}://127.0.0.1:9/live`)
  const answer = await probe(target, { allowPrivateDestinations: false })
  expect(answer).toEqual({ reason: 'forbidden_address', latency: null })
})

test('reports an SRT listener as reachable, and a silent or foreign port as not', async () => {
  const listener = createSocket('udp4')
  closing.push(() => listener.close())
  listener.on('message', (bytes, from) => {
    // Version 5 and a cookie instead of the caller's version 4.
    const answer = Buffer.from(bytes)
    answer.writeUInt32BE(5, 16)
    answer.writeUInt32BE(99, 44)
    listener.send(answer, from.port, from.address)
  })
  await once(listener.bind(0, '127.0.0.1'), 'listening')
  const target = destination(`srt://127.0.0.1:${listener.address().port}`)
  expect(await probe(target, allowed, patienceMs)).toEqual({ reason: 'ok', latency: expect.any(Number) })

  listener.removeAllListeners('message')
  expect(await probe(target, allowed, 300)).toEqual({ reason: 'timed_out', latency: null })
  listener.on('message', (_, from) => listener.send('hello', from.port, from.address))
  expect((await probe(target, allowed, patienceMs)).reason).toBe('wrong_protocol')
})
