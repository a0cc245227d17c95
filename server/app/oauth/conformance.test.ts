// Conformance by a strict client: oauth4webapi checks each response of each flow against the standards, and verifies signatures itself.
import * as oauth from 'oauth4webapi'
import { expect, test } from 'vitest'
import { openBrowser } from '#server/testing/app-browser.ts'
import { type App, back, oauthScene } from '#server/testing/oauth-app.ts'

const scene = oauthScene({ RATE_LIMITS: 'on' })
const insecure = { [oauth.allowInsecureRequests]: true } as const
const allScopes = 'openid profile email offline_access broadcasts:read'
const periodMs = 90 * 86_400_000

type Server = oauth.AuthorizationServer

async function discover(algorithm: 'oidc' | 'oauth2' = 'oidc'): Promise<Server> {
  const issuer = new URL(scene.base)
  return oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { ...insecure, algorithm }))
}

const clientOf = ({ client_id }: App): oauth.Client => ({ client_id })
const authOf = ({ client_secret: secret }: App) => (secret === null ? oauth.None() : oauth.ClientSecretPost(secret))

interface Asked {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** Sends the person to the server. @returns where the browser ends, and what the client remembers */
async function authorize(
  as: Server,
  app: App,
  more: Readonly<Record<string, string>> = {},
  answer: 'allow' | 'deny' = 'allow',
) {
  const asked: Asked = {
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    verifier: oauth.generateRandomCodeVerifier(),
  }
  const url = new URL(as.authorization_endpoint ?? '')
  url.search = new URLSearchParams({
    client_id: app.client_id,
    redirect_uri: back,
    response_type: 'code',
    scope: allScopes,
    state: asked.state,
    nonce: asked.nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(asked.verifier),
    code_challenge_method: 'S256',
    ...more,
  }).toString()
  return { ...asked, landed: (await scene.consent(url, answer)).url }
}

/** Exchanges the code of a landing, and verifies the ID token with its keys. */
async function exchange(
  as: Server,
  app: App,
  { landed, state, nonce, verifier }: Awaited<ReturnType<typeof authorize>>,
  auth = authOf(app),
) {
  const client = clientOf(app)
  const parameters = oauth.validateAuthResponse(as, client, landed, state)
  const response = await oauth.authorizationCodeGrantRequest(as, client, auth, parameters, back, verifier, insecure)
  const checks = { expectedNonce: nonce, requireIdToken: true }
  const tokens = await oauth.processAuthorizationCodeResponse(as, client, response, checks)
  await oauth.validateApplicationLevelSignature(as, response, insecure)
  return { tokens, response, claims: oauth.getValidatedIdTokenClaims(tokens) }
}

async function refresh(as: Server, app: App, token = '', scope?: string) {
  const client = clientOf(app)
  const more = { ...insecure, ...(scope !== undefined && { additionalParameters: { scope } }) }
  const response = await oauth.refreshTokenGrantRequest(as, client, authOf(app), token, more)
  const tokens = await oauth.processRefreshTokenResponse(as, client, response)
  await oauth.validateApplicationLevelSignature(as, response, insecure)
  return tokens
}

const refused = (error: string, status = 400) => ({ name: 'ResponseBodyError', error, status })

test('describes itself for OpenID Connect and for OAuth 2, and offers nothing beside', async () => {
  const [oidc, oauth2] = [await discover(), await discover('oauth2')]
  expect(oauth2).toEqual(oidc)
  expect(oidc).toMatchObject({
    issuer: scene.base,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    id_token_signing_alg_values_supported: ['ES256'],
    subject_types_supported: ['public'],
    response_modes_supported: ['query'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    authorization_response_iss_parameter_supported: true,
    grant_types_supported: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
  })
  for (const absent of ['registration_endpoint', 'pushed_authorization_request_endpoint', 'end_session_endpoint'])
    expect(oidc[absent as keyof Server]).toBeUndefined()
  const places = Object.entries(oidc).filter(([name]) => /_(endpoint|uri)$/.test(name))
  expect(places.length).toBeGreaterThan(6)
  for (const [name, place] of places)
    expect([name, place]).toEqual([name, expect.stringContaining(`${scene.base}/oauth/`)])
})

test.each([true, false])(
  'code with PKCE, userinfo, refresh, introspection, revocation; public client: %s',
  async (is_public) => {
    const app = await scene.register({ is_public })
    const [as, client, auth] = [await discover(), clientOf(app), authOf(app)]
    const { tokens, claims } = await exchange(as, app, await authorize(as, app))
    const sub = String(scene.ann.id)
    expect(claims).toMatchObject({ sub, aud: app.client_id, iss: scene.base })
    expect(tokens).toMatchObject({ token_type: 'bearer', scope: allScopes })
    const userInfo = async (token: string) =>
      oauth.processUserInfoResponse(as, client, sub, await oauth.userInfoRequest(as, client, token, insecure))
    expect(await userInfo(tokens.access_token)).toMatchObject({ sub, email: scene.ann.email, name: 'Ann' })
    const introspect = async (token: string) =>
      oauth.processIntrospectionResponse(
        as,
        client,
        await oauth.introspectionRequest(as, client, auth, token, insecure),
      )
    expect(await introspect(tokens.access_token)).toMatchObject({
      active: true,
      client_id: app.client_id,
      scope: allScopes,
    })
    const next = await refresh(as, app, tokens.refresh_token)
    expect(next.refresh_token).not.toBe(tokens.refresh_token)
    expect(oauth.getValidatedIdTokenClaims(next)).toMatchObject({ sub })
    await expect(refresh(as, app, next.refresh_token, `${allScopes} control`)).rejects.toMatchObject(
      refused('invalid_scope'),
    )
    const revoke = async (token: string) =>
      oauth.processRevocationResponse(await oauth.revocationRequest(as, client, auth, token, insecure))
    await revoke(next.access_token)
    expect(await introspect(next.access_token)).toEqual({ active: false })
    await expect(userInfo(next.access_token)).rejects.toMatchObject({
      name: 'WWWAuthenticateChallengeError',
      status: 401,
    })
    await expect(refresh(as, app, next.refresh_token)).rejects.toMatchObject(refused('invalid_grant'))
    // RFC 7009: an unknown token is no error.
    await revoke('unknown')
  },
)

test('refuses a wrong, missing or misplaced secret, and the code, device code and tokens of another app', async () => {
  const [app, other] = [await scene.register({ is_public: false }), await scene.register({ is_public: false })]
  const as = await discover()
  const landing = await authorize(as, app)
  const wrong = [
    oauth.ClientSecretPost('wrong'),
    oauth.ClientSecretPost(other.client_secret ?? ''),
    oauth.ClientSecretBasic(other.client_secret ?? ''),
    oauth.None(),
  ]
  for (const auth of wrong) await expect(exchange(as, app, landing, auth)).rejects.toMatchObject({ status: 401 })
  await expect(exchange(as, other, landing)).rejects.toMatchObject(refused('invalid_grant'))
  const { tokens } = await exchange(as, app, landing)
  await expect(refresh(as, other, tokens.refresh_token)).rejects.toMatchObject(refused('invalid_grant'))
  for (const auth of wrong)
    for (const ask of [oauth.introspectionRequest, oauth.revocationRequest])
      expect((await ask(as, clientOf(app), auth, tokens.access_token, insecure)).status).toBe(401)
  // A stolen token of another app ends nothing of its owner.
  expect(await scene.statusOf(tokens.access_token)).toBe(200)
  expect((await refresh(as, app, tokens.refresh_token)).access_token).toMatch(/./)
})

test('PKCE cannot be left out, added or changed between request and code', async () => {
  const app = await scene.register({ is_public: false })
  const as = await discover()
  const landing = await authorize(as, app)
  const codeOf = () => oauth.validateAuthResponse(as, clientOf(app), landing.landed, landing.state)
  const without = await oauth.authorizationCodeGrantRequest(
    as,
    clientOf(app),
    authOf(app),
    codeOf(),
    back,
    oauth.nopkce,
    insecure,
  )
  expect([without.status, await without.json()]).toMatchObject([400, { error: 'invalid_grant' }])
  const fresh = await authorize(as, app)
  await expect(exchange(as, app, { ...fresh, verifier: oauth.generateRandomCodeVerifier() })).rejects.toMatchObject(
    refused('invalid_grant'),
  )
  // A code without a challenge, injected into a client that sends a verifier (RFC 9700, 2.1.1).
  const query = { client_id: app.client_id, redirect_uri: back, response_type: 'code', state: 'x', scope: 'openid' }
  const plain = await scene.consent(new URL(`${as.authorization_endpoint}?${new URLSearchParams(query).toString()}`))
  await expect(exchange(as, app, { ...landing, landed: plain.url, state: 'x' })).rejects.toMatchObject(
    refused('invalid_grant'),
  )
})

test('a landing of another server, of another request, or with an error is no success', async () => {
  const app = await scene.register()
  const [as, client] = [await discover(), clientOf(app)]
  const { landed, state } = await authorize(as, app)
  const changed = (change: (query: URLSearchParams) => void) => {
    const url = new URL(landed)
    change(url.searchParams)
    return () => oauth.validateAuthResponse(as, client, url, state)
  }
  expect(changed(() => undefined)().get('code')).toMatch(/./)
  expect(changed((query) => query.set('iss', 'https://evil.test'))).toThrow(/iss/)
  expect(changed((query) => query.delete('iss'))).toThrow(/iss/)
  expect(changed((query) => query.set('state', 'other'))).toThrow(/state/)
  const denied = await authorize(as, app, {}, 'deny')
  expect(() => oauth.validateAuthResponse(as, client, denied.landed, denied.state)).toThrow(
    expect.objectContaining({ error: 'access_denied' }) as Error,
  )
  for (const [more, error] of [
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ response_type: 'code id_token' }, 'unsupported_response_type'],
    [{ response_mode: 'fragment' }, 'unsupported_response_mode'],
    [{ response_mode: 'form_post' }, 'unsupported_response_mode'],
    [{ response_mode: 'web_message' }, 'unsupported_response_mode'],
    [{ request: 'a.b.c' }, 'request_not_supported'],
    [{ request_uri: 'https://evil.test/x' }, 'request_uri_not_supported'],
    [{ registration: '{}' }, 'registration_not_supported'],
    [{ prompt: 'none' }, 'login_required'],
    [{ prompt: 'none consent' }, 'invalid_request'],
    [{ code_challenge: 'short' }, 'invalid_request'],
    [{ max_age: '-1' }, 'invalid_request'],
  ] as const) {
    const { landed: url } = await authorize(as, app, more)
    expect(url.origin + url.pathname).toBe(back)
    // Errors of types that answer in the fragment are there.
    const query = url.hash === '' ? url.searchParams : new URLSearchParams(url.hash.slice(1))
    expect([more, query.get('error'), query.get('iss')]).toEqual([more, error, scene.base])
  }
})

test('accepts a request as a form, and a secret by Basic; userinfo needs its scope and a header', async () => {
  const app = await scene.register({ is_public: false })
  const as = await discover()
  const query = { client_id: app.client_id, redirect_uri: back, response_type: 'code', state: 'x', scope: 'control' }
  const begun = await openBrowser(scene.base).load('/oauth/authorize', {
    method: 'POST',
    body: new URLSearchParams(query).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect(begun.text).toContain('name="password"')
  const basic = oauth.ClientSecretBasic(app.client_secret ?? '')
  const { tokens } = await exchange(as, app, await authorize(as, app), basic)
  const inUrl = await fetch(`${as.userinfo_endpoint}?access_token=${tokens.access_token}`)
  expect(inUrl.status).toBe(400)
  const { tokens: plain } = await scene.connect(app, 'broadcasts:read')
  const userInfo = await oauth.userInfoRequest(as, clientOf(app), plain.access_token, insecure)
  expect(userInfo.status).toBe(403)
})

test('an ID token stays verifiable after a rotation of keys, and a forged one is found', async () => {
  const app = await scene.register()
  const as = await discover()
  const first = await exchange(as, app, await authorize(as, app))
  scene.world.clock.advance(periodMs)
  await oauth.validateApplicationLevelSignature(as, first.response, insecure)
  const second = await exchange(as, app, await authorize(as, app))
  const headOf = ({ id_token = '' }: oauth.TokenEndpointResponse) => id_token.split('.')[0]
  expect(headOf(second.tokens)).not.toBe(headOf(first.tokens))

  const [head = '', payload = '', signature = ''] = first.tokens.id_token?.split('.') ?? []
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object
  const forged = Buffer.from(JSON.stringify({ ...claims, sub: '1000' })).toString('base64url')
  const response = Response.json({ ...first.tokens, id_token: `${head}.${forged}.${signature}` })
  await oauth.processRefreshTokenResponse(as, clientOf(app), response)
  await expect(oauth.validateApplicationLevelSignature(as, response, insecure)).rejects.toThrow(/signature/)
})

test('a device is told to wait, and to slow down', async () => {
  const app = await scene.register()
  const [as, client] = [await discover(), clientOf(app)]
  const begun = await oauth.processDeviceAuthorizationResponse(
    as,
    client,
    await oauth.deviceAuthorizationRequest(as, client, oauth.None(), { scope: allScopes }, insecure),
  )
  const poll = async () =>
    oauth.processDeviceCodeResponse(
      as,
      client,
      await oauth.deviceCodeGrantRequest(as, client, oauth.None(), begun.device_code, insecure),
    )
  for (let at = 0; at < 15; at++) await expect(poll()).rejects.toMatchObject(refused('authorization_pending'))
  await expect(poll()).rejects.toMatchObject(refused('slow_down'))
  scene.world.clock.advance(60_000)
  await expect(poll()).rejects.toMatchObject(refused('authorization_pending'))
  const browser = openBrowser(scene.base)
  const confirm = await browser.submit(await browser.load(begun.verification_uri), { user_code: begun.user_code })
  const signIn = await browser.submit(confirm, {})
  const asked = await browser.submit(signIn, { email: scene.ann.email, password: scene.ann.password })
  await browser.submit(asked, { answer: 'allow', project_id: String(scene.ann.projectId) })
  const tokens = await poll()
  expect(oauth.getValidatedIdTokenClaims(tokens)).toMatchObject({ sub: String(scene.ann.id) })
  await expect(poll()).rejects.toMatchObject(refused('invalid_grant'))
  expect(await scene.statusOf(tokens.access_token)).toBe(401)
})

test('an app on loopback listens on any port, at the same host and path (RFC 8252, 7.3)', async () => {
  const app = await scene.register({ redirect_uris: ['http://127.0.0.1/back'] })
  const as = await discover()
  const { landed } = await authorize(as, app, { redirect_uri: 'http://127.0.0.1:53921/back' })
  expect([landed.host, landed.searchParams.has('code')]).toEqual(['127.0.0.1:53921', true])
  for (const redirect_uri of [
    'http://127.0.0.1:53921/other',
    'http://127.0.0.1:53921@evil.test/back',
    'http://127.0.0.2:53921/back',
    'http://localhost:53921/back',
    'http://[::1]:53921/back',
    'https://127.0.0.1:53921/back',
    'http://127.0.0.1:99999/back',
    'http://127.0.0.1:/back#x',
  ]) {
    const { landed: url } = await authorize(as, app, { redirect_uri })
    expect([redirect_uri, url.origin]).toEqual([redirect_uri, scene.base])
  }
})
