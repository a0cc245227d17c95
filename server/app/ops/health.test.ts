// Readiness of the service at the port of browsers.
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { tlsService } from '#server/app/testing/tls-service.ts'
import { testApp } from '#server/testing/test-app.ts'
import { freePort } from '#server/relay/testing/free-port.ts'
import { askHealth } from './health.ts'

test('asks by plain HTTP without a certificate, and names a port that nothing listens on', async () => {
  const world = await testApp({ PORT: String(await freePort()) })
  onTestFinished(world.close)
  const values = { HOST: '0.0.0.0', PORT: String(world.services.config.port) }
  expect(await askHealth(values)).toEqual({ isReady: false, words: 'not ready (ECONNREFUSED)' })
  await world.app.listen()
  expect(await askHealth(values)).toEqual({ isReady: true, words: 'ready' })
})

test('asks by HTTPS, where a certificate that does not load is not ready', async () => {
  const { world, files, port, httpPort, pair, close } = await tlsService()
  onTestFinished(close)
  const values = { TLS_CERT: files.cert, PORT: String(port), HTTP_PORT: String(httpPort) }
  await world.app.listen()
  expect(await askHealth(values)).toEqual({ isReady: true, words: 'ready, without HTTPS: no certificate yet' })
  mkdirSync(dirname(files.cert), { recursive: true })
  writeFileSync(files.cert, 'not a certificate')
  expect(await askHealth(values)).toMatchObject({
    isReady: false,
    words: expect.stringMatching(/^not ready \(HTTPS: E/),
  })
  const made = await pair()
  copyFileSync(made.key, files.key)
  copyFileSync(made.cert, files.cert)
  await expect.poll(() => askHealth(values), { timeout: 30_000 }).toEqual({ isReady: true, words: 'ready' })
})
