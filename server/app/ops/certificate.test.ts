// Orders and renewals of the certificate at Debian's pebble, which rejects nonces, and at an authority that fails.
import { X509Certificate } from 'node:crypto'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { connect, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { certificateKindsOf } from '#server/app/jobs/certificates.ts'
import { openCertificate, readCertificate } from '#server/core/certificate.ts'
import { dayMs, hourMs, movableClock } from '#server/core/clock.ts'
import { listTroubledJobs } from '#server/db/jobs.ts'
import { insertChallenge } from '#server/domain/installation/acme-store.ts'
import { encode, sendEvenly } from '#server/relay/testing/encoder.ts'
import { aacHeader, avcHeader } from '#server/relay/testing/frames.ts'
import { freePort } from '#server/relay/testing/free-port.ts'
import { setUp, times } from '#server/relay/testing/rig.ts'
import { eventually } from '#server/testing/eventually.ts'
import { hasPebble, type Pebble, startPebble } from '#server/app/testing/pebble.ts'
import { presentedAt, type TlsService, tlsService } from '#server/app/testing/tls-service.ts'
import { ageJobs, runJobs } from '#server/testing/jobs.ts'
import type { World } from '#server/testing/test-app.ts'
import { orderCertificate, renewCertificate, wishOf } from './certificate.ts'
import { isRenewalDue, readOrder, writeOrder } from './certificate-files.ts'

const trusted = getCACertificates('default')
let tls: TlsService
let world: World
let folder: string
let files: TlsService['files']

beforeEach(async () => {
  tls = await tlsService()
  ;({ world, folder, files } = tls)
})
afterEach(async () => {
  setDefaultCACertificates(trusted)
  await tls.close()
})

const wish = () => wishOf(['one.example.com', 'two.example.com', '--accept-terms', '--email', 'ann@example.com'])
const configAt = (acmeDirectory: string) => ({ ...world.services.config, acmeDirectory })
const pathOf = (token: string) => `/.well-known/acme-challenge/${token}`

/** Publishes by RTMPS through a relay with the files of the service. */
async function beginByRtmps() {
  const [made, platform] = await setUp(1)
  const certificate = openCertificate(files, () => undefined, 50)
  onTestFinished(() => certificate.close())
  const { port } = await made.relay.listen(0, '127.0.0.1', { certificate })
  const encoder = encode(port, 'good', '127.0.0.1', () =>
    connect({ port, host: '127.0.0.1', rejectUnauthorized: false }),
  )
  expect(await encoder.outcome).toBe('live')
  encoder.send(avcHeader(), aacHeader())
  onTestFinished(sendEvenly(encoder, 200))
  await eventually(() => times(platform).length > 50)
  return {
    presented: () => presentedAt(port),
    /** Waits for another second of frames. @returns the times of all from the first one on, and the connections to the platform */
    async received() {
      const count = times(platform).length
      await eventually(() => times(platform).length > count + 50)
      return { at: times(platform), connections: platform.connections() }
    },
  }
}

test.skipIf(!hasPebble)(
  'orders for two names, renews beside an encoder by RTMPS, and serves on while orders fail',
  async () => {
    const pebble: Pebble = await startPebble(mkdtempSync(join(folder, 'pebble-')), tls.httpPort)
    try {
      setDefaultCACertificates([...trusted, readFileSync(pebble.trust, 'utf8')])
      await world.app.listen()
      const config = configAt(pebble.directory)
      const until = await orderCertificate(config, world.app.db, wish())
      expect(until.getTime()).toBeGreaterThan(Date.now())
      expect(statSync(files.key).mode & 0o077).toBe(0)
      await eventually(
        async () => (await tls.presented())?.includes('DNS:one.example.com, DNS:two.example.com') === true,
      )
      const [first, key] = [await tls.presented(), readFileSync(files.key, 'utf8')]
      expect(await world.app.db.selectFrom('acme_challenges').selectAll().execute()).toEqual([])

      await renewCertificate(config, world.app.db, new Date())
      expect(await tls.presented()).toBe(first)
      const broadcast = await beginByRtmps()
      expect(await broadcast.presented()).toBe(first)
      await renewCertificate(config, world.app.db, new Date(until.getTime() - dayMs))
      await eventually(async () => (await tls.presented()) !== first)
      await eventually(async () => (await broadcast.presented()) === (await tls.presented()))
      expect(readFileSync(files.key, 'utf8')).toBe(key)
      const { at, connections } = await broadcast.received()
      // A frame every 20 ms.
      expect(at).toEqual(at.map((_, number) => (at[0] ?? 0) + number * 20))
      expect(connections).toBe(1)

      const renewed = await tls.presented()
      await pebble.kill()
      const end = readCertificate(files).until
      for (const hour of [24, 12, 0]) {
        const failed = renewCertificate(config, world.app.db, new Date(end - hour * hourMs))
        await expect(failed).rejects.toThrow(/^No certificate from .* stays in use$/)
      }
      expect(await tls.presented()).toBe(renewed)
    } finally {
      await pebble.kill()
    }
  },
)

test('is due at a third of the life, and only for a certificate that was ordered here', async () => {
  const { config } = world.services
  const made = await tls.pair()
  const here = { dataDir: config.dataDir, tls: made }
  const { from, until } = readCertificate(made)
  const atLife = (part: number) => new Date(from + (until - from) * part)
  expect(await isRenewalDue(here, atLife(0.9))).toBe(false)
  await writeOrder(config, { names: ['one.example.com'], email: '', directory: 'https://127.0.0.1:1/' })
  expect(await isRenewalDue(here, atLife(0.6))).toBe(false)
  expect(await isRenewalDue(here, atLife(0.67))).toBe(true)
  expect(await isRenewalDue({ ...here, tls: files }, atLife(0))).toBe(true)
})

test('reports a failed renewal as the failure of its job, with the last line of the command', async () => {
  const { config } = world.services
  expect(certificateKindsOf({ ...config, givenSecret: '', tls: null })).toEqual([])
  await writeOrder(config, { names: ['one.example.com'], email: '', directory: 'https://127.0.0.1:1/' })
  const program = join(folder, 'command.mjs')
  writeFileSync(program, `process.stderr.write('reading\\nNo certificate\\n'); process.exitCode = 1`)
  const [kind] = certificateKindsOf({ ...config, givenSecret: '' }, program)
  const run = kind?.run as unknown as (services: World['services']) => Promise<unknown>
  await expect(run(world.services)).rejects.toThrow('The certificate was not renewed: No certificate')
})

test('an authority that refuses for a day is asked again after 1, 2, 4 and 8 hours; the operator sees it', async () => {
  const made = await tls.pair()
  mkdirSync(dirname(files.cert), { recursive: true })
  for (const part of ['cert', 'key'] as const) copyFileSync(made[part], files[part])
  let [asked, isRefusing] = [0, true]
  const authority = createServer((_, answer) => void (asked++, answer.writeHead(isRefusing ? 429 : 200).end()))
  onTestFinished(() => void authority.close())
  await new Promise<void>((resolve) => authority.listen(0, '127.0.0.1', resolve))
  const directory = `http://127.0.0.1:${(authority.address() as AddressInfo).port}/dir`
  const { config } = world.services
  await writeOrder(config, { names: ['one.example.com'], email: '', directory })
  const program = join(folder, 'command.mjs')
  writeFileSync(
    program,
    `const { status, ok } = await fetch('${directory}')
    if (!ok) { process.stderr.write('No certificate from ${directory}: it answered ' + status); process.exitCode = 1 }`,
  )
  const { from, until } = readCertificate(files)
  const start = new Date(from + (until - from) * 0.7)
  const clock = movableClock(start)
  const kinds = certificateKindsOf({ ...config, givenSecret: '' }, program)
  const { db } = world.app
  const runDue = () => runJobs({ ...world.services, clock }, kinds)
  const waits: number[] = []
  for (let round = 0; round < 5; round++) {
    await runDue()
    expect(asked).toBe(round + 1)
    const { due } = await db
      .selectFrom('jobs')
      .select('due')
      .where('kind', '=', 'installation.certificate')
      .executeTakeFirstOrThrow()
    const wait = Number(due) - Date.now()
    waits.push(Math.round(wait / hourMs))
    await ageJobs(db, wait - 60_000)
    await runDue()
    expect(asked).toBe(round + 1)
    await ageJobs(db, 61_000)
    clock.advance(wait + 1_000)
  }
  expect(waits).toEqual([1, 2, 4, 8, 16])
  expect(clock.now().getTime() - start.getTime()).toBeGreaterThan(dayMs)
  // What Administration → Health lists.
  expect(await listTroubledJobs(db, 10)).toMatchObject([
    { kind: 'installation.certificate', error: expect.stringMatching(/No certificate from .*: it answered 429/) },
  ])
  isRefusing = false
  await runDue()
  expect([asked, await listTroubledJobs(db, 10)]).toEqual([6, []])
  await world.app.listen()
  expect((await tls.presented())?.split(' ')[0]).toBe(new X509Certificate(readFileSync(made.cert)).fingerprint256)
})

test.each([
  ['no name', ['--accept-terms'], /^Name the host/],
  ['terms that are not accepted', ['one.example.com'], /^Read the terms/],
  ['a wildcard', ['*.example.com', '--accept-terms'], /^"\*\.example\.com" is no host name/],
  ['an address', ['203.0.113.7', '--accept-terms'], /is no host name/],
  ['a path', ['../../etc', '--accept-terms'], /is no host name/],
  ['an unknown flag', ['one.example.com', '--terms'], /^Unknown option/],
])('refuses %s in words', (_, words, message) => {
  expect(() => wishOf(words)).toThrow(message)
})

test('an order that fails writes no certificate and no order, and names the authority', async () => {
  const config = configAt(`https://127.0.0.1:${await freePort()}/dir`)
  await expect(orderCertificate(config, world.app.db, wish())).rejects.toThrow(
    /^No certificate from https:\S+: connect ECONNREFUSED/,
  )
  expect(await readOrder(config)).toBe(null)
  expect(() => statSync(files.cert)).toThrow('ENOENT')
})

test('serves answers of running orders at any replica, and nothing else below their path', async () => {
  const until = new Date(Date.now() + hourMs).toISOString()
  await insertChallenge(
    world.app.db,
    { token: 'a_token-1', answer: 'a_token-1.print', until },
    new Date().toISOString(),
  )
  const other = await world.replica()
  for (const app of [world.app, other]) {
    const answer = await app.inject({ method: 'GET', url: pathOf('a_token-1') })
    expect([answer.statusCode, answer.headers['content-type'], answer.body]).toEqual([
      200,
      'text/plain',
      'a_token-1.print',
    ])
  }
  for (const token of ['other', '..%2f..%2fsecret', '%2e%2e%2fsecret', 'a_token-1%00', 'x'.repeat(5_000), "'--"])
    expect((await world.app.inject({ method: 'GET', url: pathOf(token) })).statusCode).toBeOneOf([400, 404, 414])
})
