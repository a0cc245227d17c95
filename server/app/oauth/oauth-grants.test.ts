// Grants of third-party apps: rights of each token, their end, changes of the app, and texts that no query may see.
import * as client from 'openid-client'
import { expect, test } from 'vitest'
import { apps } from '#contract/areas/account/apps.ts'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { connectedApps } from '#contract/areas/projects/connected-apps.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { createGrant } from '#server/domain/projects/apps.ts'
import { openBrowser } from '#server/testing/app-browser.ts'
import { back, oauthScene } from '#server/testing/oauth-app.ts'

const scene = oauthScene()
const minuteMs = 60_000

const scopesOf = async (token: string) => (await scene.world.api(projects.me, {}, { as: token })).body.scopes
const stop = async (token: string) => {
  const input = { project_id: scene.ann.projectId, broadcast_id: 1 }
  return (await scene.world.api(broadcasts.stop, input, { as: token })).error?.name
}

test('a refresh with fewer scopes gives a token with fewer rights; the next refresh gives all of them', async () => {
  const app = await scene.register()
  const { config, tokens } = await scene.connect(app, 'openid offline_access broadcasts:read control')
  expect(await stop(tokens.access_token)).toBe('Forbidden')
  const narrow = await client.refreshTokenGrant(config, tokens.refresh_token ?? '', { scope: 'openid broadcasts:read' })
  expect(narrow.scope).toBe('openid broadcasts:read')
  expect(await scopesOf(narrow.access_token)).toEqual(['broadcasts:read'])
  expect(await stop(narrow.access_token)).toBe('ScopeMissing')
  expect(await scene.statusOf(narrow.access_token)).toBe(200)
  const none = await client.refreshTokenGrant(config, narrow.refresh_token ?? '', { scope: 'openid' })
  expect(await scopesOf(none.access_token)).toEqual([])
  expect(await scene.statusOf(none.access_token)).toBe(403)
  const all = await client.refreshTokenGrant(config, none.refresh_token ?? '')
  expect(await scopesOf(all.access_token)).toEqual(['broadcasts:read', 'control'])
})

test('a connection without offline access ends with its token', async () => {
  const app = await scene.register({ is_public: false })
  const { tokens } = await scene.connect(app, 'broadcasts:read')
  expect(tokens.refresh_token).toBeUndefined()
  const listed = async () => (await scene.world.api(apps.connected, {}, { as: await fresh() })).body.results.length
  const fresh = async () => (await scene.world.signIn(scene.ann)).accessToken
  expect(await listed()).toBe(1)
  scene.world.clock.advance(121 * minuteMs)
  expect(await listed()).toBe(0)
})

test('lists the consents of a person to an app as one connection, and ends them together', async () => {
  const app = await scene.register()
  const first = await scene.connect(app, 'openid offline_access broadcasts:read')
  const second = await scene.connect(app, 'openid offline_access control')
  const bob = await scene.world.user('Bob')
  await scene.world.join(bob, scene.ann.projectId, 1)
  const other = await scene.connect(app, 'broadcasts:read', bob, scene.ann.projectId)
  const { body } = await scene.world.api(apps.connected, {}, { as: scene.ann })
  expect(body.results).toMatchObject([{ name: 'Deck', scopes: ['broadcasts:read', 'control'] }])
  const grant_id = body.results[0]?.grant_id ?? 0
  await scene.world.api(apps.disconnect, { grant_id }, { as: scene.ann })
  expect(await scene.statusOf(first.tokens.access_token)).toBe(401)
  expect(await scene.statusOf(second.tokens.access_token)).toBe(401)
  expect(await scene.statusOf(other.tokens.access_token)).toBe(200)
  const inProject = await scene.world.api(connectedApps.list, { project_id: scene.ann.projectId }, { as: scene.ann })
  expect(inProject.body.results).toMatchObject([{ user: { id: bob.id } }])
})

test('a person that left the project before the consent is stored connects nothing', async () => {
  const app = await scene.register()
  const bob = await scene.world.user('Bob')
  const grant = { id: 'x', appId: app.id, userId: scene.ann.id, projectId: bob.projectId, scopes: ['control'] as const }
  expect(await createGrant(scene.world.services, { ...grant, isLasting: true })).toBe(false)
  expect((await scene.world.api(apps.connected, {}, { as: scene.ann })).body.results).toEqual([])
})

test('a change of an app needs a fresh sign-in and is audited', async () => {
  const { db } = scene.world.app
  const fields = { name: 'Deck', website: 'https://a.test', scopes: ['control' as const] }
  const { body } = await scene.world.api(apps.create, { ...fields, redirect_uris: [back] }, { as: scene.ann })
  const change = { ...fields, app_id: body.id, redirect_uris: ['https://b.test/back'] }
  expect((await scene.world.api(apps.update, change, { as: scene.ann })).status).toBe(200)
  await db.updateTable('token_families').set({ date_auth: '2026-01-01T00:00:00.000Z' }).execute()
  expect((await scene.world.api(apps.update, change, { as: scene.ann })).error?.name).toBe('SignInAgain')
  const audited = await db.selectFrom('audit').select('kind').where('kind', 'like', 'account.app%').execute()
  expect(audited.map(({ kind }) => kind)).toEqual(['account.app-created', 'account.app-changed'])
})

test('the consent shows the picture of an app, which a script cannot be; its file goes with the app', async () => {
  const { db } = scene.world.app
  const fields = { name: 'Deck', website: 'https://a.test', redirect_uris: [back], scopes: ['control' as const] }
  const { body } = await scene.world.api(apps.create, fields, { as: scene.ann })
  const send = (content: Uint8Array<ArrayBuffer>, as = scene.ann) =>
    scene.world.api(
      apps.picture,
      { app_id: body.id, picture: new File([content], 'x.png', { type: 'image/png' }) },
      { as },
    )
  const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1])
  expect((await send(new TextEncoder().encode('<svg onload=alert(1)>'))).error?.name).toBe('PictureFormat')
  expect((await send(png, await scene.world.user('Bob'))).error?.name).toBe('AppNotFound')
  await Promise.all(Array.from({ length: 6 }, () => send(png)))
  const { picture } = (await send(png)).body
  const path = new URL(picture).pathname
  expect((await db.selectFrom('files').select('name').execute()).map(({ name }) => `/files/${name}`)).toEqual([path])
  const config = await scene.discover(body)
  const asked = await scene.consent(client.buildAuthorizationUrl(config, { redirect_uri: back, scope: 'control' }))
  expect(asked.asked.text).toContain(`<img class="app" src="${path}"`)
  const shown = await fetch(`${scene.base}${path}`)
  expect([shown.headers.get('content-type'), new Uint8Array(await shown.arrayBuffer())]).toEqual(['image/png', png])
  expect((await scene.world.api(apps.list, {}, { as: scene.ann })).body.results).toMatchObject([{ picture }])
  await scene.world.api(apps.remove, { app_id: body.id }, { as: scene.ann })
  expect(await db.selectFrom('files').select('name').execute()).toEqual([])
})

test('refuses websites and redirect addresses that the authorization server would refuse later', async () => {
  const fields = { name: 'x', website: 'https://a.test', redirect_uris: [back], scopes: ['control' as const] }
  const create = async (more: Partial<typeof fields>) =>
    (await scene.world.api(apps.create, { ...fields, ...more }, { as: scene.ann })).error?.name
  for (const website of ['https://[', 'https://a.test:99999', 'https://%00'])
    expect([website, await create({ website })]).toEqual([website, 'WebsiteInvalid'])
  for (const website of ['https://a b', 'https://a@b', 'ftp://a.test'])
    expect([website, await create({ website })]).toEqual([website, 'I18nValidationException'])
  for (const uri of ['https://localhost/x', 'https://127.0.0.1/x', 'https://[::1]/x'])
    expect([uri, await create({ redirect_uris: ['com.example.deck:/back', uri] })]).toEqual([uri, 'RedirectUriInvalid'])
  // The server accepts each app that is registered, and its page may lead to each address.
  const uris = [
    'com.example.deck:/back',
    'com.example.deck://back/x',
    'http://127.0.0.1:9000/x',
    'http://[::1]/x',
    back,
  ]
  const { body } = await scene.world.api(apps.create, { ...fields, redirect_uris: uris }, { as: scene.ann })
  const config = await scene.discover({ ...body, client_secret: body.client_secret })
  for (const redirect_uri of uris) {
    const { asked } = await scene.consent(client.buildAuthorizationUrl(config, { redirect_uri, scope: 'control' }))
    expect([redirect_uri, asked.status]).toEqual([redirect_uri, 200])
    const policy = asked.headers.get('content-security-policy') ?? ''
    const { protocol, origin } = new URL(redirect_uri)
    expect(policy.endsWith(` ${protocol.startsWith('http') ? origin : protocol}`)).toBe(true)
  }
})

test('answers texts that a database refuses as unknown ones', async () => {
  const app = await scene.register({ is_public: false })
  const bad = ['%00', 'a%00', '%ED%A0%80', '%F0%9F', '%uD800', 'x'.repeat(3_000)]
  const form = (body: string) => ({
    method: 'POST',
    body,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  const calls = bad.flatMap((text) => [
    fetch(
      `${scene.base}/oauth/authorize?response_type=code&client_id=${text}&redirect_uri=${text}&scope=${text}&state=${text}`,
    ),
    fetch(`${scene.base}/cabinet/oauth?response_type=code&client_id=${text}`),
    fetch(`${scene.base}/oauth/authorize/${text}`),
    fetch(`${scene.base}/oauth/consent/${text}`),
    fetch(`${scene.base}/oauth/device?user_code=${text}`),
    fetch(`${scene.base}/oauth/device/${text}`),
    fetch(`${scene.base}/oauth/device/x`, { headers: { cookie: `rd_apps=${text}; rd_apps.sig=${text}` } }),
    fetch(`${scene.base}/oauth/userinfo?access_token=${text}`),
    fetch(`${scene.base}/oauth/device`, form(`user_code=${text}&xsrf=${text}`)),
    fetch(`${scene.base}/oauth/device/auth`, form(`client_id=${text}&scope=${text}`)),
    ...['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code', text].flatMap((type) =>
      [app.client_id, text].map((id) =>
        fetch(
          `${scene.base}/oauth/token`,
          form(
            `grant_type=${type}&client_id=${id}&client_secret=${id === text ? text : app.client_secret}&code=${text}&refresh_token=${text}&device_code=${text}&redirect_uri=${text}`,
          ),
        ),
      ),
    ),
    ...['revoke', 'introspect'].map((path) =>
      fetch(
        `${scene.base}/oauth/${path}`,
        form(`client_id=${app.client_id}&client_secret=${app.client_secret}&token=${text}`),
      ),
    ),
    fetch(`${scene.base}/oauth/consent/${text}`, form(`csrf=${text}&answer=${text}&project_id=${text}`)),
  ])
  const answers = await Promise.all(calls)
  expect(answers.filter(({ status }) => status >= 500).map(({ url }) => url)).toEqual([])
})

test('answers a consent in another form than that of its page as expired', async () => {
  const app = await scene.register({ is_public: false })
  const query = new URLSearchParams({ response_type: 'code', client_id: app.client_id, redirect_uri: back })
  const browser = openBrowser(scene.base)
  const signIn = await browser.load(`/oauth/authorize?${query.toString()}`)
  const asked = await browser.submit(signIn, { email: scene.ann.email, password: scene.ann.password })
  for (const body of ['[]', '["allow"]', '1', '"x"', 'null', '{"csrf":{"a":1}}']) {
    const answer = await browser.load(asked.url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    })
    expect([body, answer.status]).toEqual([body, 400])
  }
})
