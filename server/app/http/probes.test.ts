// Access to metrics.
import { mkdirSync, rmSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { eventually } from '#server/testing/eventually.ts'
import { testApp, type World } from '#server/testing/test-app.ts'

let world: World
afterEach(() => world.close())

const read = async (headers: Record<string, string>, remoteAddress = '127.0.0.1') =>
  (await world.app.inject({ url: '/metrics', headers, remoteAddress })).statusCode

test('without a token allows this machine only, and no proxied client', async () => {
  world = await testApp()
  expect(await read({})).toBe(200)
  expect(await read({}, '::1')).toBe(200)
  expect(await read({}, '203.0.113.7')).toBe(403)
  expect(await read({ 'x-forwarded-for': '127.0.0.1' })).toBe(403)
  expect(await read({ forwarded: 'for=127.0.0.1' })).toBe(403)
})

test.each([{ PUBLIC_URL: 'https://live.example.com' }, { TRUST_PROXY: '10.0.0.1' }])(
  'refuses a request from this machine without a token where a proxy is configured: %o',
  async (env) => {
    world = await testApp(env)
    expect(await read({})).toBe(403)
    await world.close()
    world = await testApp({ ...env, METRICS_TOKEN: 'a-token-for-prometheus' })
    expect(await read({})).toBe(403)
    expect(await read({ authorization: 'Bearer a-token-for-prometheus' })).toBe(200)
  },
)

test('with a token requires it from every client', async () => {
  const token = 'a-token-for-prometheus'
  world = await testApp({ METRICS_TOKEN: token })
  expect(await read({ authorization: `Bearer ${token}` }, '203.0.113.7')).toBe(200)
  expect(await read({})).toBe(403)
  expect(await read({ authorization: `Bearer ${token}x` })).toBe(403)
  expect(await read({ authorization: `oauth ${token}` })).toBe(403)
})

test('is not ready while DATA_DIR is missing', async () => {
  world = await testApp()
  const ready = async () => (await world.app.inject('/readyz')).statusCode
  expect(await ready()).toBe(200)
  rmSync(world.dataDir, { recursive: true })
  await eventually(async () => (await ready()) === 503)
  expect(world.logged.join('')).toContain('DATA_DIR or the database in it is missing')
  mkdirSync(world.dataDir)
  await eventually(async () => (await ready()) === 200)
})
