// Third-party apps: every flow with a client library.
import * as client from 'openid-client'
import { expect, test } from 'vitest'
import { apps } from '#contract/areas/account/apps.ts'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { connectedApps } from '#contract/areas/projects/connected-apps.ts'
import { members } from '#contract/areas/projects/members.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { openBrowser } from '#server/testing/app-browser.ts'
import { back, oauthScene } from '#server/testing/oauth-app.ts'
import { type Person } from '#server/testing/test-app.ts'

const scene = oauthScene()

test('connects an app by code with PKCE: one project, its scopes, ID token, rotated refresh tokens', async () => {
  const app = await scene.register()
  const { config, tokens, landed } = await scene.connect(app)
  expect(landed.url.searchParams.get('project_id')).toBe(String(scene.ann.projectId))
  expect(tokens.claims()?.sub).toBe(String(scene.ann.id))
  expect(tokens).toMatchObject({
    project_id: String(scene.ann.projectId),
    scope: 'openid offline_access broadcasts:read',
  })
  expect(await scene.statusOf(tokens.access_token)).toBe(200)
  expect((await scene.world.api(projects.me, {}, { as: tokens.access_token })).body.scopes).toEqual(['broadcasts:read'])
  const stop = await scene.world.api(
    broadcasts.stop,
    { project_id: scene.ann.projectId, broadcast_id: 1 },
    { as: tokens.access_token },
  )
  expect(stop.error?.name).toBe('ScopeMissing')
  const bob = await scene.world.user('Bob')
  await scene.world.join(scene.ann, bob.projectId, 2)
  expect(await scene.statusOf(tokens.access_token, bob.projectId)).toBe(403)
  expect(await client.fetchUserInfo(config, tokens.access_token, String(scene.ann.id))).toMatchObject({
    sub: String(scene.ann.id),
  })

  const next = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
  expect(await scene.statusOf(next.access_token)).toBe(200)
  await expect(
    client.refreshTokenGrant(config, next.refresh_token ?? '', { scope: 'openid broadcasts:read control' }),
  ).rejects.toMatchObject({ error: 'invalid_scope' })
  // A replay ends everything.
  await expect(client.refreshTokenGrant(config, tokens.refresh_token ?? '')).rejects.toMatchObject({
    error: 'invalid_grant',
  })
  expect([await scene.statusOf(tokens.access_token), await scene.statusOf(next.access_token)]).toEqual([401, 401])
  await expect(client.refreshTokenGrant(config, next.refresh_token ?? '')).rejects.toMatchObject({
    error: 'invalid_grant',
  })
  expect(scene.world.logged.join('')).not.toContain(tokens.access_token)
})

test('answers passport-streamvi: its paths, no scope, no state, form with project_id', async () => {
  const app = await scene.register({ is_public: false })
  const query = new URLSearchParams({ response_type: 'code', client_id: app.client_id, redirect_uri: back })
  const { url } = await scene.consent(new URL(`${scene.base}/cabinet/oauth?${query.toString()}`))
  expect([...url.searchParams.keys()].toSorted()).toEqual(['code', 'iss', 'project_id'])
  const exchange = (secret: string | null) =>
    fetch(`${scene.base}/site/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: app.client_id,
        client_secret: secret ?? '',
        redirect_uri: back,
        code: url.searchParams.get('code') ?? '',
        project_id: '',
      }),
    })
  expect((await exchange('wrong')).status).toBe(401)
  const answer = await exchange(app.client_secret)
  const body = (await answer.json()) as Record<string, string>
  expect([answer.status, body]).toMatchObject([
    200,
    { token_type: 'Bearer', scope: 'broadcasts:read control', project_id: String(scene.ann.projectId) },
  ])
  expect(body['project_external_id']).toMatch(/./)
  const headers = { authorization: `oauth ${body['access_token']}` }
  expect((await scene.world.api(broadcasts.status, { project_id: scene.ann.projectId }, { headers })).status).toBe(200)
})

test('a grant ends with the membership, the app, a click of its person or of an owner', async () => {
  const app = await scene.register()
  const bob = await scene.world.user('Bob')
  await scene.world.join(bob, scene.ann.projectId, 1)
  const first = await scene.connect(app, 'openid offline_access broadcasts:read', bob, scene.ann.projectId)
  expect(await scene.statusOf(first.tokens.access_token)).toBe(200)
  await scene.world.api(members.delete, { project_id: scene.ann.projectId, user_id: bob.id }, { as: scene.ann })
  await scene.world.join(bob, scene.ann.projectId, 1)
  expect(await scene.statusOf(first.tokens.access_token)).toBe(401)
  await expect(client.refreshTokenGrant(first.config, first.tokens.refresh_token ?? '')).rejects.toMatchObject({
    error: 'invalid_grant',
  })

  const grantOf = async (as: Person) =>
    (await scene.world.api(apps.connected, {}, { as })).body.results[0]?.grant_id ?? 0
  const second = await scene.connect(app)
  const grant_id = await grantOf(scene.ann)
  expect((await scene.world.api(apps.disconnect, { grant_id }, { as: bob })).error?.name).toBe('GrantNotFound')
  await scene.world.api(apps.disconnect, { grant_id }, { as: scene.ann })
  expect(await scene.statusOf(second.tokens.access_token)).toBe(401)

  const third = await scene.connect(app, 'broadcasts:read', bob, scene.ann.projectId)
  const listed = (await scene.world.api(connectedApps.list, { project_id: scene.ann.projectId }, { as: scene.ann }))
    .body.results
  expect(listed).toMatchObject([{ name: 'Deck', user: { id: bob.id }, scopes: ['broadcasts:read'] }])
  expect((await scene.world.api(connectedApps.list, { project_id: scene.ann.projectId }, { as: bob })).status).toBe(403)
  await scene.world.api(
    connectedApps.disconnect,
    { project_id: scene.ann.projectId, grant_id: listed[0]?.grant_id ?? 0 },
    { as: scene.ann },
  )
  expect(await scene.statusOf(third.tokens.access_token)).toBe(401)

  const fourth = await scene.connect(app)
  const developer = await scene.world.app.db
    .selectFrom('apps')
    .select('user_id')
    .where('client_id', '=', app.client_id)
    .executeTakeFirstOrThrow()
  await scene.world.app.db
    .updateTable('apps')
    .set({ user_id: scene.ann.id })
    .where('user_id', '=', developer.user_id)
    .execute()
  expect((await scene.world.api(apps.remove, { app_id: app.id }, { as: bob })).error?.name).toBe('AppNotFound')
  await scene.world.api(apps.remove, { app_id: app.id }, { as: scene.ann })
  expect(await scene.statusOf(fourth.tokens.access_token)).toBe(401)
  expect(
    (await openBrowser(scene.base).load(`/oauth/authorize?client_id=${app.client_id}&response_type=code`)).status,
  ).toBe(400)
})

test('a device connects by its code, and a mixed-up client gets nothing', async () => {
  const app = await scene.register()
  const config = await scene.discover(app)
  const begun = await client.initiateDeviceAuthorization(config, { scope: 'openid control' })
  const browser = openBrowser(scene.base)
  const form = await browser.load(begun.verification_uri)
  expect((await browser.submit(form, { user_code: 'WRONG' })).text).toContain('This code is wrong')
  const again = await browser.load(begun.verification_uri)
  const confirm = await browser.submit(again, { user_code: begun.user_code })
  expect(confirm.text).toContain(begun.user_code)
  const signIn = await browser.submit(confirm, {})
  const asked = await browser.submit(signIn, { email: scene.ann.email, password: scene.ann.password })
  const done = await browser.submit(asked, { answer: 'allow', project_id: String(scene.ann.projectId) })
  expect(done.text).toContain('The device is connected')
  const other = await scene.discover(await scene.register({ name: 'Other' }))
  await expect(client.pollDeviceAuthorizationGrant(other, { ...begun, interval: 0.01 })).rejects.toMatchObject({
    error: 'invalid_grant',
  })
  const tokens = await client.pollDeviceAuthorizationGrant(config, { ...begun, interval: 0.01 })
  expect((await scene.world.api(projects.me, {}, { as: tokens.access_token })).body.scopes).toEqual(['control'])
})

test('a device whose user cancels is not connected, and its page says so', async () => {
  const config = await scene.discover(await scene.register())
  const stopped = 'The device was not connected.'
  for (const step of ['code', 'consent']) {
    const begun = await client.initiateDeviceAuthorization(config, { scope: 'control' })
    const browser = openBrowser(scene.base)
    const confirm = await browser.submit(await browser.load(begun.verification_uri), { user_code: begun.user_code })
    if (step === 'code') {
      expect((await browser.submit(confirm, { abort: 'yes' })).text).toContain(stopped)
    } else {
      const signIn = await browser.submit(confirm, {})
      const asked = await browser.submit(signIn, { email: scene.ann.email, password: scene.ann.password })
      expect((await browser.submit(asked, { answer: 'deny' })).text).toContain(stopped)
    }
    await expect(client.pollDeviceAuthorizationGrant(config, { ...begun, interval: 0.01 })).rejects.toMatchObject({
      error: 'access_denied',
    })
  }
})

test('revokes and introspects for the own client only', async () => {
  const app = await scene.register({ is_public: false })
  const { config, tokens } = await scene.connect(app)
  expect(await client.tokenIntrospection(config, tokens.access_token)).toMatchObject({ active: true })
  const other = await scene.discover(await scene.register({ is_public: false, name: 'Other' }))
  expect(await client.tokenIntrospection(other, tokens.access_token)).toEqual({ active: false })
  await client.tokenRevocation(other, tokens.access_token).catch(() => undefined)
  expect(await scene.statusOf(tokens.access_token)).toBe(200)
  await client.tokenRevocation(config, tokens.refresh_token ?? '')
  expect(await scene.statusOf(tokens.access_token)).toBe(401)
})

test('keys change by period, and older ID tokens stay verifiable', async () => {
  const kids = async () => {
    const { keys } = (await (await fetch(`${scene.base}/oauth/jwks`)).json()) as { keys: { kid: string; d?: string }[] }
    expect(keys.filter((key) => 'd' in key)).toEqual([])
    return keys.map(({ kid }) => kid)
  }
  const [signing, ...more] = await kids()
  scene.world.clock.advance(90 * 86_400_000)
  const later = await kids()
  expect([later[0] === signing, later.includes(signing ?? ''), more.includes(later[0] ?? '')]).toEqual([
    false,
    true,
    true,
  ])
})
