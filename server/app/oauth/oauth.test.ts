// Apps of other makers: every flow by a client library, and attacks on each step.
import * as client from 'openid-client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { apps } from '#contract/areas/account/apps.ts'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { connectedApps } from '#contract/areas/projects/connected-apps.ts'
import { members } from '#contract/areas/projects/members.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { payments } from '#contract/areas/billing/payments.ts'
import type { Input, Output } from '#contract/core/operation.ts'
import { openBrowser, type Shown } from '#server/testing/app-browser.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
let ann: Person
let base: string

const back = 'https://app.example.com/back'

beforeEach(async () => {
  world = await testApp()
  world.clock.set(new Date())
  ann = await world.user()
  base = (await world.app.listen()).url
})
afterEach(() => world.close())

type App = Output<typeof apps.create>

async function register(more: Partial<Input<typeof apps.create>> = {}): Promise<App> {
  const developer = await world.user('Developer')
  const fields = { name: 'Deck', website: 'https://app.example.com', redirect_uris: [back] }
  const { body, error } = await world.api(
    apps.create,
    { ...fields, scopes: ['broadcasts:read', 'control'], is_public: true, ...more },
    { as: developer },
  )
  if (error) throw new Error(error.msg)
  return body
}

const authOf = ({ client_secret: secret }: App) => (secret === null ? client.None() : client.ClientSecretPost(secret))

async function discover(app: App): Promise<client.Configuration> {
  return client.discovery(new URL(base), app.client_id, undefined, authOf(app), {
    execute: [client.allowInsecureRequests],
  })
}

/** Opens an address of the authorization, signs in, and answers the consent. @returns where the browser ends */
async function consent(url: URL, answer: 'allow' | 'deny' = 'allow', person = ann, projectId = person.projectId) {
  const browser = openBrowser(base)
  const signIn = await browser.load(url)
  if (!signIn.text.includes('name="password"')) return { ...signIn, asked: signIn }
  const asked = await browser.submit(signIn, { email: person.email, password: person.password })
  expect(asked.text).toContain('name="project_id"')
  return { ...(await browser.submit(asked, { answer, project_id: String(projectId) })), asked }
}

interface Connected {
  readonly app: App
  readonly config: client.Configuration
  readonly tokens: client.TokenEndpointResponse & client.TokenEndpointResponseHelpers
  readonly landed: Shown
  readonly verifier: string
}

/** Connects an app to the project of a person. */
async function connect(
  app: App,
  scope = 'openid offline_access broadcasts:read',
  person = ann,
  projectId = person.projectId,
): Promise<Connected> {
  const config = await discover(app)
  const verifier = client.randomPKCECodeVerifier()
  const isOpenId = scope.includes('openid')
  const nonce: Record<string, string> = isOpenId ? { nonce: 'the-nonce' } : {}
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: back,
    scope,
    state: 'the-state',
    ...nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  const landed = await consent(url, 'allow', person, projectId)
  if (landed.url.searchParams.has('error')) throw new Error(landed.url.href)
  const checks = {
    pkceCodeVerifier: verifier,
    expectedState: 'the-state',
    ...(isOpenId && { expectedNonce: 'the-nonce' }),
  }
  const tokens = await client.authorizationCodeGrant(config, withoutProject(landed.url), checks)
  return { app, config, tokens, landed, verifier }
}

/** The published parameter is no part of the standard. */
function withoutProject(url: URL): URL {
  const copy = new URL(url)
  copy.searchParams.delete('project_id')
  return copy
}

const statusOf = async (token: string, projectId = ann.projectId) =>
  (await world.api(broadcasts.status, { project_id: projectId }, { as: token })).status

test('connects an app by code with PKCE: one project, its scopes, ID token, rotated refresh tokens', async () => {
  const app = await register()
  const { config, tokens, landed } = await connect(app)
  expect(landed.url.searchParams.get('project_id')).toBe(String(ann.projectId))
  expect(tokens.claims()?.sub).toBe(String(ann.id))
  expect(tokens).toMatchObject({ project_id: String(ann.projectId), scope: 'openid offline_access broadcasts:read' })
  expect(await statusOf(tokens.access_token)).toBe(200)
  expect((await world.api(projects.me, {}, { as: tokens.access_token })).body.scopes).toEqual(['broadcasts:read'])
  const stop = await world.api(
    broadcasts.stop,
    { project_id: ann.projectId, broadcast_id: 1 },
    { as: tokens.access_token },
  )
  expect(stop.error?.name).toBe('ScopeMissing')
  const bob = await world.user('Bob')
  await world.join(ann, bob.projectId, 2)
  expect(await statusOf(tokens.access_token, bob.projectId)).toBe(403)
  expect(await client.fetchUserInfo(config, tokens.access_token, String(ann.id))).toMatchObject({ sub: String(ann.id) })

  const next = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
  expect(await statusOf(next.access_token)).toBe(200)
  await expect(
    client.refreshTokenGrant(config, next.refresh_token ?? '', { scope: 'openid broadcasts:read control' }),
  ).rejects.toMatchObject({ error: 'invalid_scope' })
  // A replay ends everything.
  await expect(client.refreshTokenGrant(config, tokens.refresh_token ?? '')).rejects.toMatchObject({
    error: 'invalid_grant',
  })
  expect([await statusOf(tokens.access_token), await statusOf(next.access_token)]).toEqual([401, 401])
  await expect(client.refreshTokenGrant(config, next.refresh_token ?? '')).rejects.toMatchObject({
    error: 'invalid_grant',
  })
  expect(world.logged.join('')).not.toContain(tokens.access_token)
})

test('answers passport-streamvi: its paths, no scope, no state, form with project_id', async () => {
  const app = await register({ is_public: false })
  const query = new URLSearchParams({ response_type: 'code', client_id: app.client_id, redirect_uri: back })
  const { url } = await consent(new URL(`${base}/cabinet/oauth?${query.toString()}`))
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

test('a code works once: a second use ends its tokens, also at the same moment', async () => {
  const app = await register({ is_public: false })
  const query = new URLSearchParams({ response_type: 'code', client_id: app.client_id, redirect_uri: back })
  const exchange = (code: string) =>
    fetch(`${base}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: app.client_id,
        client_secret: app.client_secret ?? '',
        redirect_uri: back,
        code,
      }),
    })
  const codeOf = async () =>
    (await consent(new URL(`${base}/oauth/authorize?${query.toString()}`))).url.searchParams.get('code') ?? ''
  const code = await codeOf()
  const { access_token } = (await (await exchange(code)).json()) as { access_token: string }
  expect(await statusOf(access_token)).toBe(200)
  expect((await exchange(code)).status).toBe(400)
  expect(await statusOf(access_token)).toBe(401)

  const raced = await codeOf()
  const answers = await Promise.all([exchange(raced), exchange(raced), exchange(raced)])
  expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
  for (const answer of answers.filter(({ status }) => status === 200)) {
    const { access_token: token } = (await answer.json()) as { access_token: string }
    expect(await statusOf(token)).toBe(401)
  }
})

test('refuses a public client without PKCE, with the plain method, or with another verifier', async () => {
  const app = await register()
  const config = await discover(app)
  const begin = (more: Record<string, string>) =>
    openBrowser(base).load(
      client.buildAuthorizationUrl(config, { redirect_uri: back, scope: 'broadcasts:read', ...more }),
    )
  for (const more of [
    {},
    { code_challenge: 'a'.repeat(43), code_challenge_method: 'plain' },
    { code_challenge: 'a'.repeat(43) },
  ]) {
    const { url } = await begin(more)
    expect([url.origin, url.searchParams.get('error')]).toEqual(['https://app.example.com', 'invalid_request'])
  }
  const challenge = await client.calculatePKCECodeChallenge(client.randomPKCECodeVerifier())
  const { url } = await consent(
    client.buildAuthorizationUrl(config, {
      redirect_uri: back,
      scope: 'broadcasts:read',
      code_challenge: challenge,
      code_challenge_method: 'S256',
    }),
  )
  for (const pkceCodeVerifier of [client.randomPKCECodeVerifier(), ''])
    await expect(
      client.authorizationCodeGrant(config, withoutProject(url), pkceCodeVerifier === '' ? {} : { pkceCodeVerifier }),
    ).rejects.toMatchObject({ error: 'invalid_grant' })
})

test('redirects to registered addresses only', async () => {
  const app = await register()
  const wrong = [
    'https://app.example.com/back/',
    'https://app.example.com/back?x=1',
    'https://app.example.com/back#x',
    'https://app.example.com/Back',
    'https://app.example.com/back/../back',
    'https://app.example.com/%62ack',
    'https://app.example.com:443/back',
    'https://APP.example.com/back',
    'http://app.example.com/back',
    'https://app.example.com.evil.test/back',
    'https://evil.test/https://app.example.com/back',
    'https://app.example.com@evil.test/back',
    'https://evil.test\\@app.example.com/back',
    '//evil.test/back',
    '/back',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://app.example.com/back\r\nx: y',
    ' https://app.example.com/back',
    'https://app.example.com/back%0d%0a',
    '',
  ]
  const challenge = await client.calculatePKCECodeChallenge(client.randomPKCECodeVerifier())
  for (const redirect_uri of wrong) {
    const query = {
      response_type: 'code',
      client_id: app.client_id,
      redirect_uri,
      code_challenge: challenge,
      code_challenge_method: 'S256',
    }
    const shown = await openBrowser(base).load(`/oauth/authorize?${new URLSearchParams(query).toString()}`)
    expect([redirect_uri, shown.status, shown.url.origin]).toEqual([redirect_uri, 400, base])
    expect(shown.text).toContain('Access not possible')
  }
  const developer = await world.user('Other')
  const fields = { name: 'x', website: 'https://a.test', scopes: ['control'] as ['control'] }
  for (const uri of [
    'http://a.test/x',
    'https://a.test/*',
    'https://u:p@a.test/',
    'https://a.test/#x',
    'javascript:alert(1)',
    'myapp:/x',
    'https:a.test',
    'https://A.test/x',
    'https://a.test/../x',
    'file:///x',
  ])
    expect([
      uri,
      (await world.api(apps.create, { ...fields, redirect_uris: [uri] }, { as: developer })).error?.name,
    ]).toEqual([uri, 'RedirectUriInvalid'])
  for (const uri of ['http://127.0.0.1:9000/x', 'com.example.deck:/back', 'https://a.test'])
    expect((await world.api(apps.create, { ...fields, redirect_uris: [uri] }, { as: developer })).status).toBe(201)
})

test('a grant ends with the membership, the app, a click of its person or of an owner', async () => {
  const app = await register()
  const bob = await world.user('Bob')
  await world.join(bob, ann.projectId, 1)
  const first = await connect(app, 'openid offline_access broadcasts:read', bob, ann.projectId)
  expect(await statusOf(first.tokens.access_token)).toBe(200)
  await world.api(members.delete, { project_id: ann.projectId, user_id: bob.id }, { as: ann })
  await world.join(bob, ann.projectId, 1)
  expect(await statusOf(first.tokens.access_token)).toBe(401)
  await expect(client.refreshTokenGrant(first.config, first.tokens.refresh_token ?? '')).rejects.toMatchObject({
    error: 'invalid_grant',
  })

  const grantOf = async (as: Person) => (await world.api(apps.connected, {}, { as })).body.results[0]?.grant_id ?? 0
  const second = await connect(app)
  const grant_id = await grantOf(ann)
  expect((await world.api(apps.disconnect, { grant_id }, { as: bob })).error?.name).toBe('GrantNotFound')
  await world.api(apps.disconnect, { grant_id }, { as: ann })
  expect(await statusOf(second.tokens.access_token)).toBe(401)

  const third = await connect(app, 'broadcasts:read', bob, ann.projectId)
  const listed = (await world.api(connectedApps.list, { project_id: ann.projectId }, { as: ann })).body.results
  expect(listed).toMatchObject([{ name: 'Deck', user: { id: bob.id }, scopes: ['broadcasts:read'] }])
  expect((await world.api(connectedApps.list, { project_id: ann.projectId }, { as: bob })).status).toBe(403)
  await world.api(
    connectedApps.disconnect,
    { project_id: ann.projectId, grant_id: listed[0]?.grant_id ?? 0 },
    { as: ann },
  )
  expect(await statusOf(third.tokens.access_token)).toBe(401)

  const fourth = await connect(app)
  const developer = await world.app.db
    .selectFrom('apps')
    .select('user_id')
    .where('client_id', '=', app.client_id)
    .executeTakeFirstOrThrow()
  await world.app.db.updateTable('apps').set({ user_id: ann.id }).where('user_id', '=', developer.user_id).execute()
  expect((await world.api(apps.remove, { app_id: app.id }, { as: bob })).error?.name).toBe('AppNotFound')
  await world.api(apps.remove, { app_id: app.id }, { as: ann })
  expect(await statusOf(fourth.tokens.access_token)).toBe(401)
  expect((await openBrowser(base).load(`/oauth/authorize?client_id=${app.client_id}&response_type=code`)).status).toBe(
    400,
  )
})

test('a project that is deleted between consent and code gives no token', async () => {
  const app = await register({ is_public: false })
  const { body: team } = await world.api(projects.create, { name: 'Team', currency: 'usd' }, { as: ann })
  const query = new URLSearchParams({ response_type: 'code', client_id: app.client_id, redirect_uri: back })
  const { url } = await consent(
    new URL(`${base}/oauth/authorize?${query.toString()}`),
    'allow',
    ann,
    team?.internal_id ?? ann.projectId,
  )
  await world.app.db.deleteFrom('project_members').where('user_id', '=', ann.id).execute()
  const config = await discover(app)
  await expect(client.authorizationCodeGrant(config, withoutProject(url))).rejects.toMatchObject({
    error: 'invalid_grant',
  })
})

test('consent cannot be forged, framed or given for another project', async () => {
  const app = await register({ is_public: false })
  const query = new URLSearchParams({ response_type: 'code', client_id: app.client_id, redirect_uri: back, state: 's' })
  const browser = openBrowser(base)
  const signIn = await browser.load(`/oauth/authorize?${query.toString()}`)
  const asked = await browser.submit(signIn, { email: ann.email, password: ann.password })
  expect(asked.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(asked.headers.get('x-frame-options')).toBe('DENY')
  const yes = { answer: 'allow', project_id: String(ann.projectId) }
  // Without the cookie, as from another site; with a wrong token; with the browser's word for it.
  expect((await openBrowser(base).submit(asked, yes)).status).toBe(400)
  expect((await browser.submit(asked, { ...yes, csrf: 'x' })).status).toBe(400)
  expect((await browser.submit(asked, yes, { 'sec-fetch-site': 'cross-site' })).status).toBe(400)
  const bob = await world.user('Bob')
  for (const project_id of [String(bob.projectId), '0', '', 'x'])
    expect((await browser.submit(asked, { answer: 'allow', project_id })).text).toContain('name="project_id"')
  const refused = await browser.submit(asked, { answer: 'deny' })
  expect([refused.url.searchParams.get('error'), refused.url.searchParams.get('state')]).toEqual(['access_denied', 's'])
  expect((await browser.submit(asked, yes)).status).toBe(400)
  const none = await browser.load(`/oauth/authorize?${query.toString()}&prompt=none`)
  expect(none.url.searchParams.get('error')).toBe('login_required')
})

test('a name of an app is text, in three languages', async () => {
  const app = await register({ is_public: false, name: '<script>alert(1)</script>' })
  for (const [ui_locales, words] of [
    ['ru', 'Разрешить'],
    ['zh', '允许'],
    ['en', 'Allow'],
  ] as const) {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: app.client_id,
      redirect_uri: back,
      ui_locales,
    })
    const { asked } = await consent(new URL(`${base}/oauth/authorize?${query.toString()}`))
    expect(asked.text).toContain(words)
    expect(asked.text).not.toContain('<script>')
  }
})

test('an app gets no scope that it did not register, and none of operators', async () => {
  const app = await register({ is_public: false, scopes: ['broadcasts:read'] })
  const ask = (scope: string) => {
    const query = new URLSearchParams({ response_type: 'code', client_id: app.client_id, redirect_uri: back, scope })
    return openBrowser(base).load(`/oauth/authorize?${query.toString()}`)
  }
  for (const scope of ['broadcasts:write', 'broadcasts:read billing:write', 'stream-keys:read'])
    expect([scope, (await ask(scope)).url.searchParams.get('error')]).toEqual([scope, 'invalid_scope'])
  const { tokens } = await connect(app, 'broadcast:read operator:write')
  expect((await world.api(projects.me, {}, { as: tokens.access_token })).body.scopes).toEqual(['broadcasts:read'])
  expect((await world.api(payments.list, { project_id: ann.projectId }, { as: tokens.access_token })).error?.name).toBe(
    'ScopeMissing',
  )
  const developer = await world.user('Other')
  const wanted = { name: 'x', website: 'https://a.test', redirect_uris: [back], scopes: ['operator:read'] }
  expect((await world.api(apps.create, wanted as never, { as: developer })).status).toBe(400)
})

test('a device connects by its code, and a mixed-up client gets nothing', async () => {
  const app = await register()
  const config = await discover(app)
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
  const other = await discover(await register({ name: 'Other' }))
  await expect(client.pollDeviceAuthorizationGrant(other, { ...begun, interval: 0.01 })).rejects.toMatchObject({
    error: 'invalid_grant',
  })
  const tokens = await client.pollDeviceAuthorizationGrant(config, { ...begun, interval: 0.01 })
  expect((await world.api(projects.me, {}, { as: tokens.access_token })).body.scopes).toEqual(['control'])
})

test('revokes and introspects for the own client only', async () => {
  const app = await register({ is_public: false })
  const { config, tokens } = await connect(app)
  expect(await client.tokenIntrospection(config, tokens.access_token)).toMatchObject({ active: true })
  const other = await discover(await register({ is_public: false, name: 'Other' }))
  expect(await client.tokenIntrospection(other, tokens.access_token)).toEqual({ active: false })
  await client.tokenRevocation(other, tokens.access_token).catch(() => undefined)
  expect(await statusOf(tokens.access_token)).toBe(200)
  await client.tokenRevocation(config, tokens.refresh_token ?? '')
  expect(await statusOf(tokens.access_token)).toBe(401)
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

test('refuses floods of a network', async () => {
  const limited = await testApp({ RATE_LIMITS: 'on' })
  try {
    const { url } = await limited.app.listen()
    const answers = []
    for (let at = 0; at < 125; at++) answers.push((await fetch(`${url}/oauth/authorize`)).status)
    expect([answers[0], answers.at(-1)]).toEqual([400, 429])
  } finally {
    await limited.close()
  }
})
