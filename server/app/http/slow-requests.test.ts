// Requests that arrive byte by byte, and peers that keep their end open after the response.
import { once } from 'node:events'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { eventually } from '#server/testing/eventually.ts'
import { peer, watchServer } from '#server/testing/peers.ts'
import { shapeAnswers } from './answers.ts'
import { readConfig } from '#server/app/settings.ts'
import { createServer } from './server.ts'

/** Far below `connectionTimeout`, which would end such a connection otherwise. */
const endMs = 10_000
const timing = { headersMs: 500, requestMs: 1_000, checkMs: 100 }

let server: ReturnType<typeof createServer>
let url: string
beforeEach(async () => {
  server = createServer(readConfig({}), pino({ level: 'silent' }), timing)
  shapeAnswers(server)
  server.post('/', () => ({ done: true }))
  url = await server.listen({ host: '127.0.0.1', port: 0 })
})
afterEach(() => server.close())

const head = 'POST / HTTP/1.1\r\nHost: localhost\r\n'
const withBody = `${head}Content-Type: application/json\r\nContent-Length: 10000\r\n\r\n`

/** Sends the first bytes, then one byte after the other, for ever. */
async function trickle(first: string) {
  const one = await peer(url, first)
  const timer = setInterval(() => one.socket.write(' '), 20)
  onTestFinished(() => clearInterval(timer))
  return one
}

test.each([
  ['headers', `${head}X-Slow: `, /^HTTP\/1.1 408 /],
  ['a body', withBody, /^HTTP\/1.1 408 /],
  ['bytes that are no HTTP', 'nonsense\r\n\r\n', /^HTTP\/1.1 400 /],
  ['bytes after the last response', `${head}Connection: close\r\n\r\n`, /^HTTP\/1.1 200 /],
])('closes a connection that trickles %s', async (_, first, response) => {
  const watch = watchServer()
  const one = await trickle(first)
  await one.ended
  expect(one.text()).toMatch(response)
  await watch.closed()
  expect(watch.faults).toEqual([])
})

test('closes a connection without a request, and sends nothing', async () => {
  const watch = watchServer()
  const one = await peer(url)
  await one.ended
  expect(one.text()).toBe('')
  await watch.closed()
})

test.each([
  ['without a request', ''],
  ['with a response', `${head}Connection: keep-alive\r\n\r\n`],
])('closes a connection %s soon when the service ends', async (_, first) => {
  const one = await peer(url, first)
  if (first !== '') await eventually(() => one.text().includes('done'))
  const since = performance.now()
  await server.close()
  expect(performance.now() - since).toBeLessThan(endMs)
  await one.ended
})

test('answers the request of a connection that was made just before the service ends', async () => {
  const made = once(server.server, 'connection')
  const one = await peer(url)
  await made
  const closed = server.close()
  one.socket.write(`${head}\r\n`)
  await one.ended
  expect(one.text()).toMatch(/^HTTP\/1.1 200 /)
  await closed
})
