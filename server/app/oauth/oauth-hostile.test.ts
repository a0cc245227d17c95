// Third-party apps: attacks on each step.
import * as client from 'openid-client'
import { expect, test } from 'vitest'
import { apps } from '#contract/areas/account/apps.ts'
import { payments } from '#contract/areas/billing/payments.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { openBrowser } from '#server/testing/app-browser.ts'
import { back, oauthScene } from '#server/testing/oauth-app.ts'
import { testApp } from '#server/testing/test-app.ts'

const scene = oauthScene()

test('a code works once: a second use ends its tokens, also at the same moment', async () => {
  const app = await scene.register({ is_public: false })
  const query = new URLSearchParams({ response_type: 'code', client_id: app.client_id, redirect_uri: back })
  const exchange = (code: string) =>
    fetch(`${scene.base}/oauth/token`, {
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
    (await scene.consent(new URL(`${scene.base}/oauth/authorize?${query.toString()}`))).url.searchParams.get('code') ??
    ''
  const code = await codeOf()
  const { access_token } = (await (await exchange(code)).json()) as { access_token: string }
  expect(await scene.statusOf(access_token)).toBe(200)
  expect((await exchange(code)).status).toBe(400)
  expect(await scene.statusOf(access_token)).toBe(401)

  const raced = await codeOf()
  const answers = await Promise.all([exchange(raced), exchange(raced), exchange(raced)])
  expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
  for (const answer of answers.filter(({ status }) => status === 200)) {
    const { access_token: token } = (await answer.json()) as { access_token: string }
    expect(await scene.statusOf(token)).toBe(401)
  }
})

test('refuses a public client without PKCE, with the plain method, or with another verifier', async () => {
  const app = await scene.register()
  const config = await scene.discover(app)
  const begin = (more: Record<string, string>) =>
    openBrowser(scene.base).load(
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
  const { url } = await scene.consent(
    client.buildAuthorizationUrl(config, {
      redirect_uri: back,
      scope: 'broadcasts:read',
      code_challenge: challenge,
      code_challenge_method: 'S256',
    }),
  )
  for (const pkceCodeVerifier of [client.randomPKCECodeVerifier(), ''])
    await expect(
      client.authorizationCodeGrant(
        config,
        scene.withoutProject(url),
        pkceCodeVerifier === '' ? {} : { pkceCodeVerifier },
      ),
    ).rejects.toMatchObject({ error: 'invalid_grant' })
})

test('redirects to registered addresses only', async () => {
  const app = await scene.register()
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
    // oxlint-disable-next-line no-script-url -- an attack
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
    const shown = await openBrowser(scene.base).load(`/oauth/authorize?${new URLSearchParams(query).toString()}`)
    expect([redirect_uri, shown.status, shown.url.origin]).toEqual([redirect_uri, 400, scene.base])
    expect(shown.text).toContain('Access not possible')
  }
  const developer = await scene.world.user('Other')
  const fields = { name: 'x', website: 'https://a.test', scopes: ['control'] as ['control'] }
  for (const uri of [
    'http://a.test/x',
    'https://a.test/*',
    'https://u:p@a.test/',
    'https://a.test/#x',
    // oxlint-disable-next-line no-script-url -- an attack
    'javascript:alert(1)',
    'myapp:/x',
    'https:a.test',
    'https://A.test/x',
    'https://a.test/../x',
    'file:///x',
  ])
    expect([
      uri,
      (await scene.world.api(apps.create, { ...fields, redirect_uris: [uri] }, { as: developer })).error?.name,
    ]).toEqual([uri, 'RedirectUriInvalid'])
  for (const uri of ['http://127.0.0.1:9000/x', 'com.example.deck:/back', 'https://a.test'])
    expect((await scene.world.api(apps.create, { ...fields, redirect_uris: [uri] }, { as: developer })).status).toBe(
      201,
    )
})

test('leaving the project between consent and code gives no token', async () => {
  const app = await scene.register({ is_public: false })
  const { body: team } = await scene.world.api(projects.create, { name: 'Team', currency: 'usd' }, { as: scene.ann })
  const query = new URLSearchParams({ response_type: 'code', client_id: app.client_id, redirect_uri: back })
  const { url } = await scene.consent(
    new URL(`${scene.base}/oauth/authorize?${query.toString()}`),
    'allow',
    scene.ann,
    team?.internal_id ?? scene.ann.projectId,
  )
  await scene.world.app.db.deleteFrom('project_members').where('user_id', '=', scene.ann.id).execute()
  const config = await scene.discover(app)
  await expect(client.authorizationCodeGrant(config, scene.withoutProject(url))).rejects.toMatchObject({
    error: 'invalid_grant',
  })
})

test('consent cannot be forged, framed or given for another project', async () => {
  const app = await scene.register({ is_public: false })
  const query = new URLSearchParams({ response_type: 'code', client_id: app.client_id, redirect_uri: back, state: 's' })
  const browser = openBrowser(scene.base)
  const signIn = await browser.load(`/oauth/authorize?${query.toString()}`)
  const asked = await browser.submit(signIn, { email: scene.ann.email, password: scene.ann.password })
  expect(asked.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(asked.headers.get('x-frame-options')).toBe('DENY')
  const yes = { answer: 'allow', project_id: String(scene.ann.projectId) }
  // Without the cookie, as from another site; with a wrong token; with the browser's word for it.
  expect((await openBrowser(scene.base).submit(asked, yes)).status).toBe(400)
  expect((await browser.submit(asked, { ...yes, csrf: 'x' })).status).toBe(400)
  expect((await browser.submit(asked, yes, { 'sec-fetch-site': 'cross-site' })).status).toBe(400)
  const bob = await scene.world.user('Bob')
  for (const project_id of [String(bob.projectId), '0', '', 'x'])
    expect((await browser.submit(asked, { answer: 'allow', project_id })).text).toContain('name="project_id"')
  const refused = await browser.submit(asked, { answer: 'deny' })
  expect([refused.url.searchParams.get('error'), refused.url.searchParams.get('state')]).toEqual(['access_denied', 's'])
  expect((await browser.submit(asked, yes)).status).toBe(400)
  const none = await browser.load(`/oauth/authorize?${query.toString()}&prompt=none`)
  expect(none.url.searchParams.get('error')).toBe('login_required')
})

test('a name of an app is text, in three languages', async () => {
  const app = await scene.register({ is_public: false, name: '<script>alert(1)</script>' })
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
    const { asked } = await scene.consent(new URL(`${scene.base}/oauth/authorize?${query.toString()}`))
    expect(asked.text).toContain(words)
    expect(asked.text).not.toContain('<script>')
  }
})

test('an app gets no scope that it did not register, and none of operators', async () => {
  const app = await scene.register({ is_public: false, scopes: ['broadcasts:read'] })
  const ask = (scope: string) => {
    const query = new URLSearchParams({ response_type: 'code', client_id: app.client_id, redirect_uri: back, scope })
    return openBrowser(scene.base).load(`/oauth/authorize?${query.toString()}`)
  }
  for (const scope of ['broadcasts:write', 'broadcasts:read billing:write', 'stream-keys:read'])
    expect([scope, (await ask(scope)).url.searchParams.get('error')]).toEqual([scope, 'invalid_scope'])
  const { tokens } = await scene.connect(app, 'broadcast:read operator:write')
  expect((await scene.world.api(projects.me, {}, { as: tokens.access_token })).body.scopes).toEqual(['broadcasts:read'])
  expect(
    (await scene.world.api(payments.list, { project_id: scene.ann.projectId }, { as: tokens.access_token })).error
      ?.name,
  ).toBe('ScopeMissing')
  const developer = await scene.world.user('Other')
  const wanted = { name: 'x', website: 'https://a.test', redirect_uris: [back], scopes: ['operator:read'] }
  expect((await scene.world.api(apps.create, wanted as never, { as: developer })).status).toBe(400)
})

test('binds no token to a key, because calls of the API prove none', async () => {
  const app = await scene.register()
  const { config, tokens } = await scene.connect(app)
  expect(config.serverMetadata()).not.toHaveProperty('dpop_signing_alg_values_supported')
  const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'))
  const renewed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '', undefined, { DPoP })
  expect(renewed.token_type).toBe('bearer')
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
