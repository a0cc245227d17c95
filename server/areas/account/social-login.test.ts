// Social login with a real OpenID Provider, a test double of VK, and signatures in Telegram's format.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Secret, TOTP } from 'otpauth'
import { auth } from '#contract/areas/account/auth.ts'
import { security } from '#contract/areas/account/security.ts'
import { profile } from '#contract/areas/account/profile.ts'
import { issueCode } from '#server/domain/account/codes.ts'
import { testApp } from '#server/testing/test-app.ts'
import { SocialLogins, redirect, state } from '#server/testing/providers/social-logins.ts'
import { botToken, signed } from '#server/testing/providers/telegram-login.ts'

let at: SocialLogins
beforeAll(async () => {
  at = await SocialLogins.start()
})
afterAll(() => at.close())
beforeEach(() => at.nextPerson())

test.each(['google', 'vk', 'vk-id'] as const)(
  '%s: a new person gets an account, and the same one again',
  async (name) => {
    const first = await at.exchange(await at.signIn(name))
    const who = await at.me(first)
    expect(who).toMatchObject(
      name === 'google'
        ? { firstName: 'Ann Example', email: at.google.person.email }
        : { firstName: 'Вера', lastName: 'Иванова', email: null },
    )
    expect((await at.world.api(profile.get, {}, { as: first })).body.balance).toBe(18_000)
    expect((await at.me(await at.exchange(await at.signIn(name)))).id).toBe(who.id)
  },
)

test.each(['google', 'vk', 'telegram'] as const)('%s: an account with a second factor gets no code', async (name) => {
  const fields = at.telegramOf(7000 + at.count)
  const signIn = () => (name === 'telegram' ? at.byTelegram(fields) : at.signIn(name))
  const pair = await at.exchange(await signIn())
  const { body } = await at.world.api(security.beginAuthenticator, {}, { as: pair })
  const app = new TOTP({ secret: Secret.fromBase32(body.secret) })
  const code = () => app.generate({ timestamp: at.world.clock.now().getTime() })
  await at.world.api(security.confirmAuthenticator, { code: code() }, { as: pair })
  at.world.clock.advance(30_000)
  const again = name === 'telegram' ? await at.byTelegram(at.telegramOf(fields.id)) : await signIn()
  const challenge = { code: again.get('code') ?? '', state }
  expect([again.get('redirect'), again.get('state')]).toEqual([redirect, state])
  expect((await at.world.api(auth.exchange, challenge)).error?.name).toBe('CodeRejected')
})

test('finds the same account through both VK providers', async () => {
  const old = await at.me(await at.exchange(await at.signIn('vk')))
  expect((await at.me(await at.exchange(await at.signIn('vk-id')))).id).toBe(old.id)
})

test('makes one account from concurrent sign-ins of a new user', async () => {
  const ended = await Promise.all(Array.from({ length: 5 }, () => at.signIn('google')))
  const people = await Promise.all(ended.map(async (one) => at.me(await at.exchange(one))))
  expect(new Set(people.map(({ id }) => id)).size).toBe(1)
})

test('accepts a provider response once, in the browser that began', async () => {
  const back = await at.answerOf('google', await at.urlOf('google'))
  const ended = await at.follow(back)
  expect((await at.follow(back)).get('error')).toBe('AuthorizationExpired')
  const code = ended.get('code') ?? ''
  expect((await at.world.api(auth.exchange, { code, state: 'a-state-of-another-browser' })).error?.name).toBe(
    'CodeRejected',
  )
})

test.each(['google', 'vk', 'vk-id'] as const)('%s without a state: a cookie binds the browser', async (name) => {
  const browser = async () => {
    const page = await at.world.app.inject({ url: await at.urlOf(name, { state: undefined }) })
    const cookie = String(page.headers['set-cookie'])
    return { cookie, back: await at.answerOf(name, String(page.headers.location)) }
  }
  const own = await browser()
  expect(own.cookie).toMatch(/^rd_sign_in=[\w-]{43}; Path=\/; Max-Age=900; HttpOnly; SameSite=Lax$/)
  const ended = await at.follow(own.back, at.world, own.cookie.split(';')[0])
  expect(ended.has('state')).toBe(false)
  expect((await at.me(await at.exchange(ended))).id).toBeGreaterThan(0)

  const others = [undefined, (await browser()).cookie.split(';')[0]]
  for (const cookie of others) {
    const foreign = await at.follow((await browser()).back, at.world, cookie)
    expect(Object.fromEntries(foreign)).toEqual({ error: 'AuthorizationExpired' })
  }
})

test('marks the cookie of a sign-in without a state as Secure behind HTTPS', async () => {
  const behind = await testApp({ ...at.env, TRUST_PROXY: '127.0.0.1' })
  try {
    const url = '/auth/local/with/google'
    const page = await behind.app.inject({ url, headers: { 'x-forwarded-proto': 'https' } })
    expect(String(page.headers['set-cookie'])).toMatch(/^rd_sign_in=.*; Secure$/)
  } finally {
    await behind.close()
  }
})

test('keeps one cookie in a browser that begins twice without a state', async () => {
  const page = async (headers: Record<string, string>) =>
    at.world.app.inject({ url: await at.urlOf('google', { state: undefined }), headers })
  const first = await page({})
  const [cookie = ''] = String(first.headers['set-cookie']).split(';')
  const second = await page({ cookie: `other=1; ${cookie}` })
  expect(String(second.headers['set-cookie'])).toContain(cookie)
  const odd = await page({ cookie: 'rd_sign_in=\u0001 odd' })
  expect(String(odd.headers['set-cookie'])).toMatch(/^rd_sign_in=[\w-]{43};/)
  for (const { headers } of [first, second]) {
    const back = await at.google.answer(String(headers.location))
    expect((await at.follow(back, at.world, cookie)).has('code')).toBe(true)
  }
})

test('accepts Telegram without a state only in a browser that began here', async () => {
  const fields = at.telegramOf(9000 + at.count)
  expect(Object.fromEntries(await at.byTelegram(fields, at.world, { state: '' }))).toEqual({
    error: 'AuthorizationExpired',
  })
  const begun = await at.world.app.inject({ url: await at.urlOf('telegram', { state: undefined }) })
  const [cookie] = String(begun.headers['set-cookie']).split(';')
  const page = await at.world.app.inject({ url: String(begun.headers.location) })
  const to = new URL(/data-auth-url="([^"]+)"/.exec(page.body)?.[1]?.replaceAll('&amp;', '&') ?? '')
  for (const [name, value] of Object.entries(fields)) to.searchParams.set(name, String(value))
  expect((await at.follow(to)).get('error')).toBe('AuthorizationExpired')
  expect((await at.follow(to, at.world, cookie)).has('code')).toBe(true)
})

test('returns the state and the reason after a refusal at the provider', async () => {
  const ended = await at.follow(await at.google.answer(await at.urlOf('google'), 'decline'))
  expect(Object.fromEntries(ended)).toEqual({ error: 'AuthorizationDeclined', state })
})

test('refuses the response of another provider', async () => {
  const back = await at.answerOf('vk', await at.urlOf('vk'))
  back.pathname = auth.callbackVkId.path
  expect((await at.follow(back)).get('error')).toBe('AuthorizationExpired')
})

test('refuses sign-in with an e-mail that is taken until its owner connects the provider', async () => {
  const ann = await at.world.user()
  at.google.person = { ...at.google.person, email: ann.email.toUpperCase() }
  expect((await at.signIn('google')).get('error')).toBe('EmailTaken')
  expect((await at.connect(ann, 'google')).body).toEqual({ success: true })
  expect((await at.me(await at.exchange(await at.signIn('google')))).id).toBe(ann.id)
})

test('applies the sign-up rules: closed sign-up, one account per invitation, first user becomes owner', async () => {
  const closed = await testApp({ ...at.env, SIGN_UP: 'invite' })
  try {
    expect((await at.signIn('google', {}, closed)).get('error')).toBe('SignUpClosed')
    const refId = await issueCode(closed.services, closed.app.db, 'invite')
    const first = await at.exchange(await at.signIn('google', { refId }, closed), closed)
    expect((await at.me(first, closed)).firstName).toBe('Ann Example')
    expect(JSON.stringify(await closed.app.db.selectFrom('oauth_states').selectAll().execute())).not.toContain(refId)
    at.vk.person = { ...at.vk.person, id: 99 }
    expect((await at.signIn('vk', { refId }, closed)).get('error')).toBe('SignUpClosed')
    // A user with an account needs no invitation.
    expect((await at.signIn('google', {}, closed)).get('error')).toBeNull()
  } finally {
    await closed.close()
  }
})

test('makes one owner from concurrent first sign-ins', async () => {
  const fresh = await testApp({ ...at.env, SIGN_UP: 'auto', BILLING: 'off' })
  try {
    const ended = await Promise.all([
      at.signIn('google', {}, fresh),
      at.signIn('vk', {}, fresh),
      at.byTelegram(at.telegramOf(5, fresh.clock.now()), fresh),
    ])
    expect(ended.filter((one) => one.get('error') === 'SignUpClosed')).toHaveLength(2)
    const users = await fresh.app.db.selectFrom('users').select('installation_owner').execute()
    expect(users).toEqual([{ installation_owner: 1 }])
  } finally {
    await fresh.close()
  }
})

test('Telegram: checks the signature, and accepts it once within a day', async () => {
  const fields = at.telegramOf(at.count)
  expect((await at.byTelegram({ ...fields, first_name: 'Eve' })).get('error')).toBe('TelegramRejected')
  expect((await at.byTelegram({ ...fields, id: 1 })).get('error')).toBe('TelegramRejected')
  expect((await at.byTelegram({ ...fields, hash: 'x' })).get('error')).toBe('TelegramRejected')
  const ended = await Promise.all([at.byTelegram(fields), at.byTelegram(fields)])
  expect(ended.map((one) => one.get('error') ?? 'in').toSorted()).toEqual(['TelegramExpired', 'in'])
  const person = await at.exchange(ended.find((one) => one.has('code'))!)
  expect(await at.me(person)).toMatchObject({ firstName: 'Таня', email: null })
  const day = 86_400_000
  const old = at.telegramOf(at.count, new Date(at.world.clock.now().getTime() - day - 1000))
  expect((await at.byTelegram(old)).get('error')).toBe('TelegramExpired')
  const ahead = at.telegramOf(at.count, new Date(at.world.clock.now().getTime() + day))
  expect((await at.byTelegram(ahead)).get('error')).toBe('TelegramExpired')
  expect(at.world.logged.join('')).not.toContain(botToken)
})

test('Telegram: refuses a line break that imitates other fields under the same signature', async () => {
  const { id, username, ...rest } = at.telegramOf(at.count)
  const { hash } = signed({ ...rest, id, username, first_name: 'Eve\nid=42\nlast_name=x' })
  const forged = { ...rest, id: 42, username, first_name: 'Eve', last_name: `x\nid=${id}`, hash }
  expect((await at.byTelegram(forged)).get('error')).toBe('TelegramRejected')
  for (const first_name of ['Eve\r', 'Eve\u001f', 'Eve\u0085']) {
    const fields = signed({ ...rest, id, username, first_name })
    expect((await at.byTelegram(fields)).get('error')).toBe('TelegramRejected')
  }
})

test('Telegram: the widget page allows no other script and redirects nowhere else', async () => {
  const url = new URL(await at.urlOf('telegram'))
  const { headers, body } = await at.world.app.inject({ url: `${url.pathname}${url.search}` })
  expect(headers['content-security-policy']).toMatch(/default-src 'none'.*script-src https:\/\/telegram\.org;/)
  expect(body).toContain('data-telegram-login="relay_test_bot"')
  expect(body).not.toContain(botToken)
  url.searchParams.set('redirect', 'https://evil.example/')
  expect((await at.world.app.inject({ url: `${url.pathname}${url.search}` })).statusCode).toBe(400)
})

test('links the configured providers on the built-in sign-in pages', async () => {
  const query = new URLSearchParams({ redirect, state, app: 'site', language: 'en' })
  const page = await at.world.app.inject({ url: `/auth/local/sign-in?${query.toString()}` })
  for (const name of ['Google', 'VK ID', 'Telegram']) expect(page.body).toContain(`Continue with ${name}`)
  const left = await at.world.app.inject({ url: `/auth/local/with/google?${query.toString()}` })
  expect(left.statusCode).toBe(303)
  const ended = await at.follow(await at.google.answer(String(left.headers.location)))
  expect((await at.me(await at.exchange(ended))).firstName).toBe('Ann Example')
  query.set('redirect', 'https://evil.example/')
  expect((await at.world.app.inject({ url: `/auth/local/with/google?${query.toString()}` })).statusCode).toBe(404)
  expect((await at.world.app.inject({ url: '/auth/local/sign-in' })).body).not.toContain('Continue with')
})

test('lists configured providers to clients, and names a provider that is not configured', async () => {
  const offered = ['local', 'google', 'vk-id', 'telegram']
  expect((await at.world.api(auth.clientConfiguration, {})).body).toEqual({ providers: offered, signUp: true })
  const PROVIDER_BASES = 'telegram=http://127.0.0.1:9'
  const plain = await testApp({ SIGN_UP: 'closed', TELEGRAM_BOT_TOKEN: botToken, PROVIDER_BASES })
  try {
    expect((await plain.api(auth.clientConfiguration, {})).body).toEqual({ providers: ['local'], signUp: false })
    const ann = await plain.app.inject({ url: auth.callbackGoogle.path })
    expect(ann.json().error).toMatchObject({ name: 'ProviderNotConfigured', data: { provider: 'google' } })
    const fields = { ...at.telegramOf(1), redirect, state, app: 'site' } as const
    expect((await plain.api(auth.authTelegram, fields)).error?.name).toBe('ProviderNotConfigured')
    expect((await plain.app.inject('/auth/local/telegram')).statusCode).toBe(404)
  } finally {
    await plain.close()
  }
})
