// Third-party apps: every flow with a client library.
import * as client from 'openid-client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { apps } from '#contract/areas/account/apps.ts'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { connectedApps } from '#contract/areas/projects/connected-apps.ts'
import { members } from '#contract/areas/projects/members.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { openBrowser } from '#server/testing/app-browser.ts'
import { back, oauthSteps } from '#server/testing/oauth-app.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
let ann: Person
let base: string
let steps: ReturnType<typeof oauthSteps>

beforeEach(async () => {
  world = await testApp()
  world.clock.set(new Date())
  ann = await world.user()
  base = (await world.app.listen()).url
  steps = oauthSteps({ world, ann, base })
})
afterEach(() => world.close())

test('connects an app by code with PKCE: one project, its scopes, ID token, rotated refresh tokens', async () => {
  const app = await steps.register()
  const { config, tokens, landed } = await steps.connect(app)
  expect(landed.url.searchParams.get('project_id')).toBe(String(ann.projectId))
  expect(tokens.claims()?.sub).toBe(String(ann.id))
  expect(tokens).toMatchObject({ project_id: String(ann.projectId), scope: 'openid offline_access broadcasts:read' })
  expect(await steps.statusOf(tokens.access_token)).toBe(200)
  expect((await world.api(projects.me, {}, { as: tokens.access_token })).body.scopes).toEqual(['broadcasts:read'])
  const stop = await world.api(
    broadcasts.stop,
    { project_id: ann.projectId, broadcast_id: 1 },
    { as: tokens.access_token },
  )
  expect(stop.error?.name).toBe('ScopeMissing')
  const bob = await world.user('Bob')
  await world.join(ann, bob.projectId, 2)
  expect(await steps.statusOf(tokens.access_token, bob.projectId)).toBe(403)
  expect(await client.fetchUserInfo(config, tokens.access_token, String(ann.id))).toMatchObject({ sub: String(ann.id) })

  const next = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
  expect(await steps.statusOf(next.access_token)).toBe(200)
  await expect(
    client.refreshTokenGrant(config, next.refresh_token ?? '', { scope: 'openid broadcasts:read control' }),
  ).rejects.toMatchObject({ error: 'invalid_scope' })
  // A replay ends everything.
  await expect(client.refreshTokenGrant(config, tokens.refresh_token ?? '')).rejects.toMatchObject({
    error: 'invalid_grant',
  })
  expect([await steps.statusOf(tokens.access_token), await steps.statusOf(next.access_token)]).toEqual([401, 401])
  await expect(client.refreshTokenGrant(config, next.refresh_token ?? '')).rejects.toMatchObject({
    error: 'invalid_grant',
  })
  expect(world.logged.join('')).not.toContain(tokens.access_token)
})

test('answers passport-streamvi: its paths, no scope, no state, form with project_id', async () => {
  const app = await steps.register({ is_public: false })
  const query = new URLSearchParams({ response_type: 'code', client_id: app.client_id, redirect_uri: back })
  const { url } = await steps.consent(new URL(`${base}/cabinet/oauth?${query.toString()}`))
  expect([...url.searchParams.keys()].toSorted()).toEqual(['code', 'iss', 'project_id'])
  const exchange = (secret: string | null) =>
    fetch(`${base}/site/oauth/token`, {
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
    { token_type: 'Bearer', scope: 'broadcasts:read control', project_id: String(ann.projectId) },
  ])
  expect(body['project_external_id']).toMatch(/./)
  const headers = { authorization: `oauth ${body['access_token']}` }
  expect((await world.api(broadcasts.status, { project_id: ann.projectId }, { headers })).status).toBe(200)
})

test('a grant ends with the membership, the app, a click of its person or of an owner', async () => {
  const app = await steps.register()
  const bob = await world.user('Bob')
  await world.join(bob, ann.projectId, 1)
  const first = await steps.connect(app, 'openid offline_access broadcasts:read', bob, ann.projectId)
  expect(await steps.statusOf(first.tokens.access_token)).toBe(200)
  await world.api(members.delete, { project_id: ann.projectId, user_id: bob.id }, { as: ann })
  await world.join(bob, ann.projectId, 1)
  expect(await steps.statusOf(first.tokens.access_token)).toBe(401)
  await expect(client.refreshTokenGrant(first.config, first.tokens.refresh_token ?? '')).rejects.toMatchObject({
    error: 'invalid_grant',
  })

  const grantOf = async (as: Person) => (await world.api(apps.connected, {}, { as })).body.results[0]?.grant_id ?? 0
  const second = await steps.connect(app)
  const grant_id = await grantOf(ann)
  expect((await world.api(apps.disconnect, { grant_id }, { as: bob })).error?.name).toBe('GrantNotFound')
  await world.api(apps.disconnect, { grant_id }, { as: ann })
  expect(await steps.statusOf(second.tokens.access_token)).toBe(401)

  const third = await steps.connect(app, 'broadcasts:read', bob, ann.projectId)
  const listed = (await world.api(connectedApps.list, { project_id: ann.projectId }, { as: ann })).body.results
  expect(listed).toMatchObject([{ name: 'Deck', user: { id: bob.id }, scopes: ['broadcasts:read'] }])
  expect((await world.api(connectedApps.list, { project_id: ann.projectId }, { as: bob })).status).toBe(403)
  await world.api(
    connectedApps.disconnect,
    { project_id: ann.projectId, grant_id: listed[0]?.grant_id ?? 0 },
    { as: ann },
  )
  expect(await steps.statusOf(third.tokens.access_token)).toBe(401)

  const fourth = await steps.connect(app)
  const developer = await world.app.db
    .selectFrom('apps')
    .select('user_id')
    .where('client_id', '=', app.client_id)
    .executeTakeFirstOrThrow()
  await world.app.db.updateTable('apps').set({ user_id: ann.id }).where('user_id', '=', developer.user_id).execute()
  expect((await world.api(apps.remove, { app_id: app.id }, { as: bob })).error?.name).toBe('AppNotFound')
  await world.api(apps.remove, { app_id: app.id }, { as: ann })
  expect(await steps.statusOf(fourth.tokens.access_token)).toBe(401)
  expect((await openBrowser(base).load(`/oauth/authorize?client_id=${app.client_id}&response_type=code`)).status).toBe(
    400,
  )
})

test('a device connects by its code, and a mixed-up client gets nothing', async () => {
  const app = await steps.register()
  const config = await steps.discover(app)
  const begun = await client.initiateDeviceAuthorization(config, { scope: 'openid control' })
  const browser = openBrowser(base)
  const form = await browser.load(begun.verification_uri)
  expect((await browser.submit(form, { user_code: 'WRONG' })).text).toContain('This code is wrong')
  const again = await browser.load(begun.verification_uri)
  const confirm = await browser.submit(again, { user_code: begun.user_code })
  expect(confirm.text).toContain(begun.user_code)
  const signIn = await browser.submit(confirm, {})
  const asked = await browser.submit(signIn, { email: ann.email, password: ann.password })
  const done = await browser.submit(asked, { answer: 'allow', project_id: String(ann.projectId) })
  expect(done.text).toContain('The device is connected')
  const other = await steps.discover(await steps.register({ name: 'Other' }))
  await expect(client.pollDeviceAuthorizationGrant(other, { ...begun, interval: 0.01 })).rejects.toMatchObject({
    error: 'invalid_grant',
  })
  const tokens = await client.pollDeviceAuthorizationGrant(config, { ...begun, interval: 0.01 })
  expect((await world.api(projects.me, {}, { as: tokens.access_token })).body.scopes).toEqual(['control'])
})

test('revokes and introspects for the own client only', async () => {
  const app = await steps.register({ is_public: false })
  const { config, tokens } = await steps.connect(app)
  expect(await client.tokenIntrospection(config, tokens.access_token)).toMatchObject({ active: true })
  const other = await steps.discover(await steps.register({ is_public: false, name: 'Other' }))
  expect(await client.tokenIntrospection(other, tokens.access_token)).toEqual({ active: false })
  await client.tokenRevocation(other, tokens.access_token).catch(() => undefined)
  expect(await steps.statusOf(tokens.access_token)).toBe(200)
  await client.tokenRevocation(config, tokens.refresh_token ?? '')
  expect(await steps.statusOf(tokens.access_token)).toBe(401)
})

test('keys change by period, and older ID tokens stay verifiable', async () => {
  const kids = async () => {
    const { keys } = (await (await fetch(`${base}/oauth/jwks`)).json()) as { keys: { kid: string; d?: string }[] }
    expect(keys.filter((key) => 'd' in key)).toEqual([])
    return keys.map(({ kid }) => kid)
  }
  const [signing, ...more] = await kids()
  world.clock.advance(90 * 86_400_000)
  const later = await kids()
  expect([later[0] === signing, later.includes(signing ?? ''), more.includes(later[0] ?? '')]).toEqual([
    false,
    true,
    true,
  ])
})
