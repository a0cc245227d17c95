// Orders and renewals of the certificate at Debian's pebble, which rejects nonces, and at an authority that fails.
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { certificateKindsOf } from '#server/app/jobs/certificates.ts'
import { readCertificate } from '#server/core/certificate.ts'
import { dayMs, hourMs } from '#server/core/clock.ts'
import { insertChallenge } from '#server/domain/installation/acme-store.ts'
import { freePort } from '#server/relay/testing/free-port.ts'
import { eventually } from '#server/testing/eventually.ts'
import { hasPebble, type Pebble, startPebble } from '#server/app/testing/pebble.ts'
import { type TlsService, tlsService } from '#server/app/testing/tls-service.ts'
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

test.skipIf(!hasPebble)('orders for two names, renews with the same key, and serves on while orders fail', async () => {
  const pebble: Pebble = await startPebble(mkdtempSync(join(folder, 'pebble-')), tls.httpPort)
  try {
    setDefaultCACertificates([...trusted, readFileSync(pebble.trust, 'utf8')])
    await world.app.listen()
    const config = configAt(pebble.directory)
    const until = await orderCertificate(config, world.app.db, wish())
    expect(until.getTime()).toBeGreaterThan(Date.now())
    expect(statSync(files.key).mode & 0o077).toBe(0)
    await eventually(async () => (await tls.presented())?.includes('DNS:one.example.com, DNS:two.example.com') === true)
    const [first, key] = [await tls.presented(), readFileSync(files.key, 'utf8')]
    expect(await world.app.db.selectFrom('acme_challenges').selectAll().execute()).toEqual([])

    await renewCertificate(config, world.app.db, new Date())
    expect(await tls.presented()).toBe(first)
    await renewCertificate(config, world.app.db, new Date(until.getTime() - dayMs))
    await eventually(async () => (await tls.presented()) !== first)
    expect(readFileSync(files.key, 'utf8')).toBe(key)

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
})

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
