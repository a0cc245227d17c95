// HTTPS by the service itself: redirects, reloads, hostile files, and what plain HTTP still serves.
import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { Agent, get, request } from 'node:https'
import { connect as connectPlain } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect } from 'node:tls'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { readConfig } from '#server/app/settings.ts'
import { freePort } from '#server/relay/testing/free-port.ts'
import { selfSigned } from '#server/relay/testing/programs.ts'
import { eventually } from '#server/testing/eventually.ts'
import { testApp, type World } from '#server/testing/test-app.ts'

let world: World
let folder: string
let files: { readonly cert: string; readonly key: string }
let port: number
let plain: string

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'relaydeck-https-'))
  files = { cert: join(folder, 'live.pem'), key: join(folder, 'live.key') }
  port = await freePort()
  const httpPort = await freePort()
  plain = `http://127.0.0.1:${httpPort}`
  world = await testApp({
    TLS_CERT: files.cert,
    TLS_KEY: files.key,
    PORT: String(port),
    HTTP_PORT: String(httpPort),
  })
})
afterEach(async () => {
  await world.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Makes a self-signed pair in a folder of its own. */
const pair = () => selfSigned(mkdtempSync(join(folder, 'pair-')))

async function install(): Promise<void> {
  const made = await pair()
  copyFileSync(made.key, files.key)
  copyFileSync(made.cert, files.cert)
}

/** Fingerprint of the certificate that the port presents; null: the handshake fails. */
const shown = (): Promise<string | null> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().fingerprint256)
      socket.destroy()
    })
    socket.on('error', () => resolve(null)).on('close', () => resolve(null))
  })

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
  expect(await shown()).toBe(null)
  expect((await fetch(`${plain}/healthz`)).status).toBe(200)
  await install()
  await eventually(async () => (await shown()) !== null)
  const { body } = await world.app.inject({ method: 'GET', url: '/metrics' })
  const [, until = ''] = /^relaydeck_certificate_until_time_seconds (\S+)$/m.exec(body) ?? []
  expect(Number(until) * 1000).toBeGreaterThan(Date.now())
})

test.each(['garbage', 'half of a file', 'the key of another certificate', 'no file'] as const)(
  'keeps the certificate in use when it finds %s, and takes the next good one',
  async (fault) => {
    await install()
    await world.app.listen()
    const before = await shown()
    expect(before).not.toBe(null)
    const other = await pair()
    const known = warnings().length
    if (fault === 'garbage') writeFileSync(files.cert, '\0\u{1F4A5}not a certificate')
    if (fault === 'half of a file') truncateSync(files.cert, Math.floor(readFileSync(files.cert).length / 2))
    if (fault === 'the key of another certificate') copyFileSync(other.key, files.key)
    if (fault === 'no file') rmSync(files.cert)
    await eventually(() => warnings().length > known)
    expect(warnings().at(-1)).toContain('cannot be read')
    expect(await shown()).toBe(before)
    await install()
    await eventually(async () => (await shown()) !== before)
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
  await eventually(async () => (await shown()) === null)
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
