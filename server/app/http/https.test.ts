// HTTPS by the service itself: redirects, reloads, hostile files, and what plain HTTP still serves.
import { copyFileSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { Agent, get, request } from 'node:https'
import { connect as connectPlain } from 'node:net'
import { dirname } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { readConfig } from '#server/app/settings.ts'
import { eventually } from '#server/testing/eventually.ts'
import { type TlsService, tlsService } from '#server/app/testing/tls-service.ts'
import type { World } from '#server/testing/test-app.ts'

let tls: TlsService
let world: World
let files: TlsService['files']
let port: number
let plain: string

beforeEach(async () => {
  tls = await tlsService()
  ;({ world, files, port } = tls)
  plain = `http://127.0.0.1:${tls.httpPort}`
})
afterEach(() => tls.close())

async function install(): Promise<void> {
  const made = await tls.pair()
  mkdirSync(dirname(files.cert), { recursive: true })
  copyFileSync(made.key, files.key)
  copyFileSync(made.cert, files.cert)
}

/** Requests a path over TLS. @returns status and body */
function secure(path: string): Promise<{ readonly status: number | undefined; readonly body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number | undefined; body: string }>()
  const agent = new Agent({ rejectUnauthorized: false })
  get(`https://127.0.0.1:${port}${path}`, { agent }, async (answer) =>
    resolve({ status: answer.statusCode, body: await text(answer) }),
  ).on('error', reject)
  return promise
}

const warnings = () => world.logged.filter((line) => line.includes('HTTPS: '))

test('serves HTTPS, and redirects plain HTTP to it with method and query', async () => {
  await install()
  expect((await world.app.listen()).url).toBe(`https://127.0.0.1:${port}`)
  expect(await secure('/healthz')).toEqual({ status: 200, body: '{"status":"ok"}' })
  const answer = await fetch(`${plain}/method/profile/info/get?a=1`, { method: 'POST', redirect: 'manual' })
  expect(answer.status).toBe(308)
  expect(answer.headers.get('location')).toBe(`https://127.0.0.1:${port}/method/profile/info/get?a=1`)
})

test('serves probes over plain HTTP, metrics and the relay to this machine only', async () => {
  await install()
  await world.app.listen()
  const statusOf = async (path: string, headers = {}) =>
    (await fetch(`${plain}${path}`, { redirect: 'manual', headers })).status
  expect(await statusOf('/readyz')).toBe(200)
  expect(await statusOf('/metrics')).toBe(200)
  expect(await statusOf('/metrics', { 'x-forwarded-for': '203.0.113.7' })).toBe(308)
  expect(await upgradeOf('/relay')).toBe(401)
  expect(await upgradeOf('/relay', { 'x-forwarded-for': '203.0.113.7' })).toBe(403)
})

/** Status of a refused WebSocket over plain HTTP. */
const upgradeOf = (path: string, headers = {}): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`${plain.replace('http', 'ws')}${path}`, { headers })
    socket.on('unexpected-response', (_, answer) => resolve(answer.statusCode)).on('error', reject)
  })

test('starts without a certificate, and serves the first one without a restart', async () => {
  await world.app.listen()
  expect(await tls.presented()).toBe(null)
  expect((await fetch(`${plain}/healthz`)).status).toBe(200)
  await install()
  await eventually(async () => (await tls.presented()) !== null)
  const { body } = await world.app.inject({ method: 'GET', url: '/metrics' })
  const [, until = ''] = /^relaydeck_certificate_until_time_seconds (\S+)$/m.exec(body) ?? []
  expect(Number(until) * 1000).toBeGreaterThan(Date.now())
})

test.each(['garbage', 'half of a file', 'the key of another certificate', 'no file'] as const)(
  'keeps the certificate in use when it finds %s, and takes the next good one',
  async (fault) => {
    await install()
    await world.app.listen()
    const before = await tls.presented()
    expect(before).not.toBe(null)
    const other = await tls.pair()
    const known = warnings().length
    if (fault === 'garbage') writeFileSync(files.cert, '\0\u{1F4A5}not a certificate')
    if (fault === 'half of a file') truncateSync(files.cert, Math.floor(readFileSync(files.cert).length / 2))
    if (fault === 'the key of another certificate') copyFileSync(other.key, files.key)
    if (fault === 'no file') rmSync(files.cert)
    await eventually(() => warnings().length > known)
    expect(warnings().at(-1)).toContain('cannot be read')
    expect(await tls.presented()).toBe(before)
    await install()
    await eventually(async () => (await tls.presented()) !== before)
    expect(world.logged.join('')).not.toContain('PRIVATE')
  },
)

test('finishes a request over TLS that is running when it closes', async () => {
  await install()
  await world.app.listen()
  const sending = request(`https://127.0.0.1:${port}/method/auth/refresh-access`, {
    method: 'POST',
    agent: new Agent({ rejectUnauthorized: false, keepAlive: true }),
    // The service answers `100 Continue` when it has read the head.
    headers: { 'content-type': 'application/json', 'content-length': 2, expect: '100-continue' },
  })
  const answered = new Promise<number | undefined>((resolve, reject) =>
    sending.on('response', (answer) => resolve(answer.resume().statusCode)).on('error', reject),
  )
  await new Promise((resolve) => sending.once('continue', resolve).flushHeaders())
  const closed = world.app.close()
  await eventually(async () => (await tls.presented()) === null)
  sending.end('{}')
  expect(await answered).toBe(400)
  await closed
})

test('survives clients that send no TLS, or cut the handshake', async () => {
  await install()
  await world.app.listen()
  for (const bytes of ['GET / HTTP/1.1\r\n\r\n', '\x16\x03\x01\x02\x00', '']) {
    const socket = connectPlain(port, '127.0.0.1')
    const gone = new Promise((resolve) => socket.on('error', () => undefined).on('close', resolve))
    socket.on('connect', () => (bytes === '' ? socket.resetAndDestroy() : socket.end(bytes)))
    await gone
  }
  expect((await secure('/healthz')).status).toBe(200)
})

test('names a certificate without a key as the fault of the configuration', () => {
  expect(() => readConfig({ TLS_CERT: 'a.pem' })).toThrow(/TLS_CERT and TLS_KEY must be set together/)
})
