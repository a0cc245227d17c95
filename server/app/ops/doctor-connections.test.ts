// Findings about clocks, servers of the settings, and certificates.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { dayMs, hourMs } from '#server/core/clock.ts'
import { freePort } from '#server/relay/testing/free-port.ts'
import { hasOpenssl, selfSigned } from '#server/relay/testing/programs.ts'
import { s3Double } from '#server/testing/s3.ts'
import { hasNats, natsServer } from '#server/testing/nats.ts'
import { askServers } from './connections.ts'
import { checkCertificate, connectionFindings } from './doctor-connections.ts'

const off = { natsUrl: '', centrifugo: { url: null, apiKey: '', tokenSecret: '' }, s3: null }

test('names a clock that is off by more than 30 s, and its direction', () => {
  const about = (clockMs: number) => connectionFindings({ clockMs, servers: {} }).map(({ what }) => what)
  expect(about(29_000)).toEqual([])
  expect(about(300_000)).toEqual(['The clock of this machine is 300 s ahead of that of the database'])
  expect(about(-31_000)).toEqual(['The clock of this machine is 31 s behind that of the database'])
})

test.skipIf(!hasNats)('names a NATS server that is away, and no password', async () => {
  const nats = await natsServer()
  onTestFinished(() => nats.kill())
  expect(await askServers({ ...off, natsUrl: nats.url })).toEqual({ NATS_URL: null })
  const away = await askServers({ ...off, natsUrl: `nats://ann:hunter2@127.0.0.1:${await freePort()}` })
  const [finding] = connectionFindings({ clockMs: 0, servers: away })
  expect(finding).toMatchObject({
    level: 'broken',
    what: expect.stringMatching(/^The server of NATS_URL gives no answer: \w/),
  })
  expect(JSON.stringify(away)).not.toContain('hunter2')
})

test('names a Centrifugo that refuses the key', async () => {
  const centrifugo = createServer((request, response) => {
    response.statusCode = request.url === '/api/info' && request.headers['x-api-key'] === 'right' ? 200 : 401
    response.end('{}')
  })
  await new Promise<void>((resolve) => centrifugo.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void centrifugo.close())
  const url = `http://127.0.0.1:${(centrifugo.address() as AddressInfo).port}`
  const asked = async (apiKey: string) => askServers({ ...off, centrifugo: { ...off.centrifugo, url, apiKey } })
  expect(await asked('right')).toEqual({ CENTRIFUGO_URL: null })
  expect(await asked('wrong')).toEqual({ CENTRIFUGO_URL: 'It answered 401' })
})

test('names a bucket that refuses the key, and no secret', async () => {
  const double = await s3Double()
  onTestFinished(double.close)
  const { url: endpoint, region, accessKeyId, secretAccessKey } = double
  const asked = (change = {}) =>
    askServers({ ...off, s3: { endpoint, region, accessKeyId, secretAccessKey, ...change } })
  expect(await asked()).toEqual({ S3_URL: null })
  const refused = await asked({ secretAccessKey: 'wrong-secret' })
  expect(refused['S3_URL']).toMatch(/SignatureDoesNotMatch/)
  expect(JSON.stringify(refused)).not.toContain('wrong-secret')
  expect((await asked({ endpoint: endpoint.replace('relaydeck', 'other') }))['S3_URL']).toBe('There is no such bucket')
})

test.skipIf(!hasOpenssl)('names a certificate that ends, has ended, is cut off or missing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'relaydeck-doctor-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const { cert, key } = await selfSigned(folder)
  const values = { TLS_CERT: cert, TLS_KEY: key }
  const at = (ms: number) => checkCertificate(values, Date.now() + ms).map(({ level, what }) => [level, what])
  // It is valid for two days.
  expect(at(dayMs)).toEqual([])
  expect(at(2 * dayMs - hourMs)).toEqual([['warning', expect.stringContaining(`${cert} ends at `)]])
  expect(at(3 * dayMs)).toEqual([['broken', expect.stringContaining(`${cert} ended at `)]])
  expect(at(-dayMs)).toEqual([['broken', expect.stringContaining(`${cert} begins at `)]])
  truncateSync(cert, 100)
  expect(checkCertificate(values).map(({ what }) => what)).toEqual([
    expect.stringMatching(/^The certificate cannot be used/),
  ])
  expect(checkCertificate({ TLS_CERT: join(folder, 'none'), TLS_KEY: key }).map(({ what }) => what)).toEqual([
    expect.stringMatching(/^There is no certificate yet/),
  ])
  expect(checkCertificate({})).toEqual([])
})
