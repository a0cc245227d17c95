// What a stranger, or a program that is no longer trusted, tries from outside.
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { Centrifuge, UnauthorizedError } from 'centrifuge'
import * as client from 'openid-client'
import { expect, onTestFinished, test } from 'vitest'
import { apiTokens } from '#contract/areas/account/api-tokens.ts'
import { apps } from '#contract/areas/account/apps.ts'
import { appWebhooks } from '#contract/areas/notifications/app-webhooks.ts'
import { members } from '#contract/areas/projects/members.ts'
import { tokens as realtime } from '#contract/areas/realtime/tokens.ts'
import { pictureBytesMax } from '#contract/core/upload.ts'
import { sweep } from '#server/app/jobs/sweep.ts'
import { post } from '#server/delivery/post.ts'
import { back, oauthScene } from '#server/testing/oauth-app.ts'
import { testApp } from '#server/testing/test-app.ts'

const scene = oauthScene()

/** Opens a realtime connection of a token. @returns when it has ended for good, milliseconds of `performance` */
async function follow(token: string): Promise<{ readonly over: Promise<number> }> {
  const project_id = scene.ann.projectId
  const connection = new Centrifuge(`${scene.base.replace('http', 'ws')}/connection/websocket`, {
    getToken: async () => {
      const { status, body } = await scene.world.api(realtime.connect, { project_id }, { as: token })
      if (status !== 200) throw new UnauthorizedError('Refused')
      return body.access_token
    },
    minReconnectDelay: 20,
    maxReconnectDelay: 50,
  })
  onTestFinished(() => connection.disconnect())
  const over = new Promise<number>((resolve) => connection.on('disconnected', () => resolve(performance.now())))
  connection.connect()
  await connection.ready(20_000)
  return { over }
}

test('an open connection is over within a second of its end', async () => {
  const bob = await scene.world.user('Bob')
  const project_id = scene.ann.projectId
  await scene.world.join(bob, project_id, 1)
  const app = await scene.register()
  const connected = await scene.connect(app)
  const ofApp = await follow(connected.tokens.access_token)
  const fields = { name: 'Deck', scopes: ['broadcasts:read' as const], project_id }
  const own = (await scene.world.api(apiTokens.create, fields, { as: scene.ann })).body
  const ofToken = await follow(own.token)
  const ofMember = await follow((await scene.world.api(apiTokens.create, fields, { as: bob })).body.token)
  const byBob = await follow((await scene.connect(app, 'broadcasts:read', bob, project_id)).tokens.access_token)

  const [grant] = (await scene.world.api(apps.connected, {}, { as: scene.ann })).body.results
  const ends = [
    [[ofApp], () => scene.world.api(apps.disconnect, { grant_id: grant?.grant_id ?? 0 }, { as: scene.ann })],
    [[ofToken], () => scene.world.api(apiTokens.revoke, { token_id: own.id }, { as: scene.ann })],
    [[ofMember, byBob], () => scene.world.api(members.delete, { project_id, user_id: bob.id }, { as: scene.ann })],
  ] as const
  for (const [followed, end] of ends) {
    await end()
    const since = performance.now()
    for (const { over } of followed) expect((await over) - since).toBeLessThan(1_000)
  }
})

test('an open connection is over within a second when the authorization server ends its grant', async () => {
  const app = await scene.register()
  const scope = 'broadcasts:read offline_access'
  const [revoked, replayed] = [await scene.connect(app, scope), await scene.connect(app, scope)]
  const { refresh_token: used = '' } = replayed.tokens
  await client.refreshTokenGrant(replayed.config, used)
  const ends = [
    [revoked, () => client.tokenRevocation(revoked.config, revoked.tokens.refresh_token ?? '')],
    [replayed, () => client.refreshTokenGrant(replayed.config, used).catch(() => undefined)],
  ] as const
  for (const [{ tokens }, end] of ends) {
    const { over } = await follow(tokens.access_token)
    await end()
    const since = performance.now()
    expect((await over) - since).toBeLessThan(1_000)
  }
})

test('an app registers no webhook in a private network, and none is called there', async () => {
  const app = await scene.register()
  const { tokens } = await scene.connect(app)
  const project_id = scene.ann.projectId
  const add = async (url: string) =>
    (await scene.world.api(appWebhooks.add, { project_id, url }, { as: tokens.access_token })).error?.name
  for (const url of [
    'http://example.com/hook',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://10.0.0.1/',
    'https://172.16.0.1/',
    'https://192.168.1.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://100.64.0.1/',
    'https://0.0.0.0/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://[fd00::1]/',
    'https://[fe80::1]/',
    'https://user:word@example.com/',
  ])
    expect([url, await add(url)]).toEqual([url, 'AddressNotAllowed'])
  for (const url of ['ftp://example.com/', 'file:///etc/passwd', 'gopher://example.com/', '//example.com/', ''])
    expect([url, await add(url)]).toEqual([url, 'I18nValidationException'])
  expect(await add('https://hooks.example.com/deck')).toBeUndefined()
  // A name is looked up with each message: one that leads inside is not called.
  let calls = 0
  const inside = createServer(() => void (calls += 1)).listen(0, '127.0.0.1')
  onTestFinished(() => void inside.close())
  await once(inside, 'listening')
  const { port } = inside.address() as AddressInfo
  const message = { headers: {}, body: '{}', allowPrivate: false }
  for (const host of ['localhost', 'LOCALHOST.', '127.0.0.1', '[::ffff:127.0.0.1]'])
    expect([host, await post(`https://${host}:${port}/`, message)]).toEqual([host, { is: 'refused' }])
  expect(calls).toBe(0)
})

test('a picture of an app is small and a picture, and its file runs nothing', async () => {
  const { id: app_id } = await (async () => {
    const fields = { name: 'Deck', website: 'https://a.test', redirect_uris: [back], scopes: ['control' as const] }
    return (await scene.world.api(apps.create, fields, { as: scene.ann })).body
  })()
  const magic = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
  const send = (content: Uint8Array<ArrayBuffer>, type = 'image/png', name = 'x.png') =>
    scene.world.api(apps.picture, { app_id, picture: new File([content], name, { type }) }, { as: scene.ann })
  const large = new Uint8Array(pictureBytesMax + 1)
  large.set(magic)
  const refused = await send(large)
  expect([refused.status, refused.error?.name]).toEqual([413, 'PayloadTooLarge'])
  const text = (words: string) => new Uint8Array(new TextEncoder().encode(words))
  for (const words of ['', 'GIF89a', '<svg xmlns="http://www.w3.org/2000/svg"/>', '<!doctype html>', 'RIFFxxxxWEBP'])
    expect([words, (await send(text(words))).error?.name]).toEqual([words, 'PictureFormat'])
  const polyglot = new Uint8Array([...magic, ...text('<script>alert(1)</script>')])
  const { picture } = (await send(polyglot, 'text/html', 'x.html')).body
  const shown = await fetch(`${scene.base}${new URL(picture).pathname}`)
  expect(shown.headers.get('content-type')).toBe('image/png')
  expect(shown.headers.get('x-content-type-options')).toBe('nosniff')
  expect(shown.headers.get('content-security-policy') ?? '').toContain("default-src 'none'")
})

test('floods of devices are refused, and what they left is removed', async () => {
  const app = await scene.register()
  const config = await scene.discover(app)
  for (let at = 0; at < 20; at++) await client.initiateDeviceAuthorization(config, { scope: 'control' })
  const count = async () => (await scene.world.app.db.selectFrom('app_records').select('hash').execute()).length
  expect(await count()).toBe(20)
  scene.world.clock.advance(601_000)
  await sweep(scene.world.services)
  expect(await count()).toBe(0)

  const limited = await testApp({ RATE_LIMITS: 'on' })
  try {
    const { url } = await limited.app.listen()
    const begin = async () =>
      (await fetch(`${url}/oauth/device/auth`, { method: 'POST', body: new URLSearchParams() })).status
    const answers: number[] = []
    while (answers.length < 12) answers.push(...(await Promise.all(Array.from({ length: 55 }, begin))).slice(-1))
    expect([answers[0], answers.at(-1)]).toEqual([400, 429])
    // Codes that are guessed on the page have the limit of pages.
    const guess = () => fetch(`${url}/oauth/device?user_code=BCDF-GHJK`)
    const guesses = await Promise.all(Array.from({ length: 130 }, guess))
    expect(guesses.at(-1)?.status).toBe(429)
  } finally {
    await limited.close()
  }
})
