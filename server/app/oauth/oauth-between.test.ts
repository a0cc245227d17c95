// Third-party apps: what changes between two steps of a connection, and tokens in places where they do not belong.
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import * as client from 'openid-client'
import { expect, test } from 'vitest'
import { apps } from '#contract/areas/account/apps.ts'
import { members } from '#contract/areas/projects/members.ts'
import { openBrowser, type Shown } from '#server/testing/app-browser.ts'
import { type App, back, oauthScene } from '#server/testing/oauth-app.ts'
import type { Person } from '#server/testing/test-app.ts'

const scene = oauthScene()
const invalidGrant = { error: 'invalid_grant' }

/** An app whose developer can change it. */
async function registerAs(developer: Person, more: object = {}): Promise<App> {
  const fields = { name: 'Deck', website: 'https://app.example.com', redirect_uris: [back], is_public: false }
  const input = { ...fields, scopes: ['broadcasts:read' as const], ...more }
  return (await scene.world.api(apps.create, input, { as: developer })).body
}

const urlOf = ({ client_id }: App, more: Readonly<Record<string, string>> = {}) =>
  new URL(
    `${scene.base}/oauth/authorize?${new URLSearchParams({ response_type: 'code', client_id, redirect_uri: back, ...more }).toString()}`,
  )

async function codeOf(app: App, person = scene.ann, projectId = person.projectId) {
  const { url } = await scene.consent(urlOf(app), 'allow', person, projectId)
  return scene.withoutProject(url)
}

/** A form of the consent, which its browser has open. */
async function openConsent(app: App): Promise<{ readonly asked: Shown; readonly allow: () => Promise<Shown> }> {
  const browser = openBrowser(scene.base)
  const signIn = await browser.load(urlOf(app))
  const asked = await browser.submit(signIn, { email: scene.ann.email, password: scene.ann.password })
  const yes = { answer: 'allow', project_id: String(scene.ann.projectId) }
  return { asked, allow: () => browser.submit(asked, yes) }
}

test('a member who is removed between consent and code, or while a device waits, connects nothing', async () => {
  const bob = await scene.world.user('Bob')
  const project_id = scene.ann.projectId
  const app = await registerAs(scene.ann)
  const config = await scene.discover(app)
  const remove = () => scene.world.api(members.delete, { project_id, user_id: bob.id }, { as: scene.ann })
  await scene.world.join(bob, project_id, 1)
  const landed = await codeOf(app, bob, project_id)
  await remove()
  // Joining again does not revive what ended.
  await scene.world.join(bob, project_id, 1)
  await expect(client.authorizationCodeGrant(config, landed)).rejects.toMatchObject(invalidGrant)

  const begun = await client.initiateDeviceAuthorization(config, { scope: 'broadcasts:read' })
  const browser = openBrowser(scene.base)
  const confirm = await browser.submit(await browser.load(begun.verification_uri), { user_code: begun.user_code })
  const asked = await browser.submit(await browser.submit(confirm, {}), { email: bob.email, password: bob.password })
  const done = await browser.submit(asked, { answer: 'allow', project_id: String(project_id) })
  expect(done.text).toContain('The device is connected')
  await remove()
  await expect(client.pollDeviceAuthorizationGrant(config, { ...begun, interval: 0.01 })).rejects.toMatchObject(
    invalidGrant,
  )
})

test('an app that is deleted, moved or given another secret between the steps gets nothing', async () => {
  const fields = { name: 'Deck', website: 'https://app.example.com', scopes: ['broadcasts:read' as const] }
  const as = scene.ann
  const app = await registerAs(as)
  const config = await scene.discover(app)
  const landed = await codeOf(app)
  const { body } = await scene.world.api(apps.secret, { app_id: app.id }, { as })
  await expect(client.authorizationCodeGrant(config, landed)).rejects.toMatchObject({ error: 'invalid_client' })
  const current = await scene.discover({ ...app, client_secret: body.client_secret })
  expect((await client.authorizationCodeGrant(current, landed)).access_token).toMatch(/./)

  const moved = await openConsent(app)
  const elsewhere = { ...fields, app_id: app.id, redirect_uris: ['https://new.example.com/back'] }
  await scene.world.api(apps.update, elsewhere, { as })
  const answer = await moved.allow()
  expect([answer.status, answer.url.origin]).toEqual([400, scene.base])

  await scene.world.api(apps.update, { ...elsewhere, redirect_uris: [back] }, { as })
  const open = await openConsent(app)
  const late = await codeOf(app)
  await scene.world.api(apps.remove, { app_id: app.id }, { as })
  expect((await open.allow()).status).toBe(400)
  await expect(client.authorizationCodeGrant(current, late)).rejects.toMatchObject({ error: 'invalid_client' })
})

test('a code is late after a minute, and a consent after a quarter of an hour', async () => {
  const app = await registerAs(scene.ann)
  const config = await scene.discover(app)
  const { allow } = await openConsent(app)
  const landed = await codeOf(app)
  scene.world.clock.advance(61_000)
  await expect(client.authorizationCodeGrant(config, landed)).rejects.toMatchObject(invalidGrant)
  scene.world.clock.advance(15 * 60_000)
  const late = await allow()
  expect([late.status, late.url.origin]).toEqual([400, scene.base])
})

test('every page of a connection is stored nowhere, framed by nobody, and runs no script of others', async () => {
  const app = await registerAs(scene.ann)
  const config = await scene.discover(app)
  const { asked } = await openConsent(app)
  const begun = await client.initiateDeviceAuthorization(config, { scope: 'broadcasts:read' })
  const browser = openBrowser(scene.base)
  // The form has the code of the address, and works without a script.
  const device = await browser.load(begun.verification_uri_complete ?? '')
  expect(device.text).toContain(`value="${begun.user_code}"`)
  expect(device.text).not.toContain('<script')
  const forged = await openBrowser(scene.base).load('/oauth/device?user_code="><script>alert(1)</script>')
  expect(forged.text).not.toContain('<script')
  const confirm = await browser.submit(device, { user_code: begun.user_code })
  const signIn = await browser.submit(confirm, {})
  const consent = await browser.submit(signIn, { email: scene.ann.email, password: scene.ann.password })
  const done = await browser.submit(consent, { answer: 'allow', project_id: String(scene.ann.projectId) })
  const failed = await openBrowser(scene.base).load('/oauth/authorize?client_id=nobody')
  const expired = await openBrowser(scene.base).load('/oauth/consent/nothing')
  for (const [name, { headers }] of Object.entries({
    asked,
    device,
    confirm,
    signIn,
    consent,
    done,
    failed,
    expired,
  })) {
    const policy = headers.get('content-security-policy') ?? ''
    expect([name, policy.includes("default-src 'none'"), policy.includes("frame-ancestors 'none'")]).toEqual([
      name,
      true,
      true,
    ])
    const plain = ['x-frame-options', 'cache-control', 'referrer-policy', 'x-content-type-options']
    expect([name, ...plain.map((header) => headers.get(header))]).toEqual([
      name,
      'DENY',
      'no-store',
      'no-referrer',
      'nosniff',
    ])
  }
})

test('an app in a browser of another origin exchanges and refreshes; a forged host names nothing', async () => {
  const app = await scene.register()
  const { tokens } = await scene.connect(app)
  const answer = await fetch(`${scene.base}/oauth/token`, {
    method: 'POST',
    headers: { origin: 'https://app.example.com' },
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: app.client_id,
      refresh_token: tokens.refresh_token ?? '',
    }),
  })
  expect(answer.status).toBe(200)
  expect(['*', 'https://app.example.com']).toContain(answer.headers.get('access-control-allow-origin'))
  expect(answer.headers.get('access-control-allow-credentials')).toBeNull()

  const headers = {
    host: 'evil.test',
    'x-forwarded-host': 'evil.test',
    'x-forwarded-proto': 'https',
    forwarded: 'host=evil.test',
  }
  for (const path of ['/.well-known/openid-configuration', urlOf(app).pathname + urlOf(app).search]) {
    const sent = request(new URL(path, scene.base), { headers }).end()
    const [received] = (await once(sent, 'response')) as [IncomingMessage]
    let text = String(received.headers.location ?? '')
    for await (const piece of received) text += String(piece)
    expect([path, text.includes('evil.test')]).toEqual([path, false])
  }
})

test('no other token of a connection calls the API, and no token of another kind is an app', async () => {
  const app = await registerAs(scene.ann)
  const { config, tokens, landed } = await scene.connect(app, 'openid offline_access broadcasts:read')
  const code = landed.url.searchParams.get('code') ?? ''
  for (const [name, token = ''] of Object.entries({ refresh: tokens.refresh_token, id: tokens.id_token, code }))
    expect([name, await scene.statusOf(token)]).toEqual([name, 401])
  const inUrl = `${scene.base}/method/broadcast/status?v=1&language=en&project_id=${scene.ann.projectId}`
  expect((await fetch(`${inUrl}&access_token=${tokens.access_token}`)).status).toBe(401)
  for (const token of [scene.ann.accessToken, scene.ann.refreshToken, tokens.access_token]) {
    await expect(client.refreshTokenGrant(config, token)).rejects.toMatchObject(invalidGrant)
    if (token === tokens.access_token) continue
    const about = await client.tokenIntrospection(config, token).catch(({ error }: { error: string }) => error)
    expect(['unsupported_token_type', { active: false }]).toContainEqual(about)
    await client.tokenRevocation(config, token).catch(() => undefined)
  }
  expect(await scene.statusOf(scene.ann.accessToken)).toBe(200)
})
