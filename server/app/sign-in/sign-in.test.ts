// Signing in and up through the pages, as a browser without scripts does it.
import argon2 from '@node-rs/argon2'
import { afterEach, expect, test, vi } from 'vitest'
import { auth } from '#contract/areas/account/auth.ts'
import { settings } from '#contract/areas/operator/settings.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { issueCode } from '#server/domain/account/codes.ts'
import { testApp, type World } from '#server/testing/test-app.ts'

const worlds: World[] = []
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close()
})
async function start(env: Record<string, string> = {}) {
  const world = await testApp(env)
  worlds.push(world)
  return world
}

type Fields = Record<string, string>
const state = 'a-state-of-the-browser-1'
const flow = { redirect: 'http://localhost/auth/callback', state, app: 'site', language: 'en' }
const form = { name: 'Ann', email: 'Ann@Example.com', password: 'correct horse battery' }

/** Opens a page and sends its form back with its cookie and those of `headers`; an empty one: without any. */
async function send(
  world: World,
  kind: 'sign-in' | 'sign-up',
  fields: Fields,
  headers: Fields = {},
  remoteAddress = '127.0.0.1',
) {
  const opened = await world.app.inject({ url: `/auth/local/${kind}`, query: flow, headers: { host: 'localhost' } })
  const own = String(opened.headers['set-cookie']).split(';', 1)[0]
  const cookie = headers['cookie'] === '' ? '' : [headers['cookie'], own].join('; ')
  const csrf = /name="csrf" value="([^"]+)"/.exec(opened.body)?.[1] ?? ''
  return world.app.inject({
    method: 'POST',
    remoteAddress,
    url: `/auth/local/${kind}`,
    headers: { host: 'localhost', 'content-type': 'application/x-www-form-urlencoded', ...headers, cookie },
    payload: new URLSearchParams({ ...flow, csrf, ...fields }).toString(),
  })
}
const codeOf = (answer: { headers: Record<string, unknown> }) =>
  new URL(String(answer.headers['location'])).searchParams.get('code') ?? ''

test('sign up, come back with a code and the state, exchange it once, and own a project with a bonus', async () => {
  const world = await start({ SIGN_UP: 'auto' })
  const signedUp = await send(world, 'sign-up', form)
  expect(signedUp.statusCode).toBe(303)
  const back = new URL(String(signedUp.headers.location))
  expect(`${back.origin}${back.pathname}`).toBe('http://localhost/auth/callback')
  expect(back.searchParams.get('state')).toBe(state)

  const exchange = () => world.api(auth.exchange, { code: codeOf(signedUp), state })
  const { status, body } = await exchange()
  expect(status).toBe(201)
  expect((await exchange()).error?.name).toBe('CodeRejected')
  const me = await world.api(auth.me, {}, { as: body.accessToken })
  expect(me.body).toMatchObject({ email: 'ann@example.com', firstName: 'Ann', language: 'en' })
  const list = await world.api(projects.list, {}, { as: body.accessToken })
  expect(list.body.results).toMatchObject([{ access_type: 2, member_count: 1, project: { name: 'Ann', type: 0 } }])
  const project = await world.api(projects.select, { id: list.body.results[0]!.project_id }, { as: body.accessToken })
  expect(project.body).toMatchObject({ balance_bonus: 18_000, currency: 'usd' })
})

test('a code is bound to the state, to the app and to its minute', async () => {
  const world = await start()
  await send(world, 'sign-up', form)
  const code = async () => codeOf(await send(world, 'sign-in', form))
  const wrongState = { code: await code(), state: 'b-state-of-another-browser' }
  expect((await world.api(auth.exchange, wrongState)).error?.name).toBe('CodeRejected')
  // Shown once with a wrong state, it is used up.
  expect((await world.api(auth.exchange, { ...wrongState, state })).status).toBe(400)
  expect((await world.api(auth.exchange, { code: await code() })).status).toBe(400)
  expect((await world.api(auth.exchange, { code: await code(), state, app: 'mobile' })).status).toBe(400)
  const late = await code()
  world.clock.advance(60_001)
  expect((await world.api(auth.exchange, { code: late, state })).status).toBe(400)
})

test('accepts one of 20 concurrent exchanges', async () => {
  const world = await start()
  const code = codeOf(await send(world, 'sign-up', form))
  const answers = await Promise.all(Array.from({ length: 20 }, () => world.api(auth.exchange, { code, state })))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
})

test('an unknown e-mail and a wrong password get the same page for the same work', async () => {
  const world = await start()
  await send(world, 'sign-up', form)
  const verify = vi.spyOn(argon2, 'verify')
  const attempt = async (fields: Fields) => {
    verify.mockClear()
    const { statusCode, body } = await send(world, 'sign-in', fields)
    const [hash = ''] = verify.mock.calls.flat().map(String)
    return {
      statusCode,
      page: body.replaceAll(/value="[^"]*"/g, ''),
      // The cost of argon2id stands in its hash.
      cost: hash.split('$').slice(0, 4),
      compared: verify.mock.calls.length,
    }
  }
  const wrong = await attempt({ email: form.email, password: 'not the password' })
  const unknown = await attempt({ email: 'bob@example.com', password: 'not the password' })
  expect(unknown).toEqual(wrong)
  expect(wrong).toMatchObject({ statusCode: 422, compared: 1 })
  expect(wrong.cost).toHaveLength(4)
  expect(wrong.page).not.toContain('not the password')
})

test('without plans, allows sign-up until the first account exists, for one of several concurrent requests', async () => {
  const world = await start({ SIGN_UP: 'auto', BILLING: 'off' })
  expect((await world.app.inject('/auth/local/sign-up')).body).toContain('You are the first user')
  const answers = await Promise.all(
    ['a', 'b', 'c'].map((name) => send(world, 'sign-up', { ...form, email: `${name}@x.com` })),
  )
  expect(answers.map(({ statusCode }) => String(statusCode)).toSorted()).toEqual(['303', '422', '422'])
  const closed = await world.app.inject('/auth/local/sign-up')
  expect(closed.body).toContain('by invitation only')
  expect((await world.app.inject('/auth/local/sign-in')).body).not.toContain('do not have an account')
})

test('with plans, anyone signs up, and only the first account operates the installation', async () => {
  const world = await start({ SIGN_UP: 'auto', BILLING: 'plans' })
  const people = await Promise.all(
    ['a', 'b', 'c'].map((name) => send(world, 'sign-up', { ...form, email: `${name}@example.com` })),
  )
  expect(people.map(({ statusCode }) => statusCode)).toEqual([303, 303, 303])
  const signedIn = await Promise.all(people.map((one) => world.api(auth.exchange, { code: codeOf(one), state })))
  const mine = await Promise.all(signedIn.map(({ body }) => world.api(auth.me, {}, { as: body.accessToken })))
  expect(mine.filter(({ body }) => body.operator)).toHaveLength(1)
  const isOpen = async () => (await world.api(auth.clientConfiguration, {})).body.signUp
  expect(await isOpen()).toBe(true)
  const operator = signedIn[mine.findIndex(({ body }) => body.operator)]!.body.accessToken
  await world.api(settings.setBilling, { billing: 'off', reason: 'A test' }, { as: operator })
  expect(await isOpen()).toBe(false)
  expect((await send(world, 'sign-up', { ...form, email: 'd@example.com' })).statusCode).toBe(422)
})

test('with SIGN_UP=invite or closed, plans open no sign-up', async () => {
  for (const SIGN_UP of ['invite', 'closed']) {
    const world = await start({ SIGN_UP, BILLING: 'plans' })
    expect((await world.api(auth.clientConfiguration, {})).body.signUp).toBe(false)
    expect((await send(world, 'sign-up', form)).statusCode).toBe(422)
  }
})

test('the owner’s link makes one account, where sign-up is closed', async () => {
  const world = await start({ SIGN_UP: 'closed' })
  const code = new URL(world.app.ownerLink() ?? '').searchParams.get('invite') ?? ''
  expect((await send(world, 'sign-up', form)).statusCode).toBe(422)
  expect((await send(world, 'sign-up', { ...form, code })).statusCode).toBe(303)
  expect((await send(world, 'sign-up', { ...form, email: 'eve@x.com', code })).body).toContain('was already used')

  // Opened once more it leads to sign-in, says why, and offers no account.
  const again = await world.api(auth.redirectUrl, { provider: 'local', refId: code, redirect: flow.redirect })
  const { pathname, search } = new URL(again.body.url)
  expect(pathname).toBe('/auth/local/sign-in')
  const { body } = await world.app.inject(pathname + search)
  expect(body).toContain('This link has expired or was already used.')
  expect(body).not.toContain('do not have an account')
})

test('an invitation lets one person in, within a week', async () => {
  const world = await start({ SIGN_UP: 'invite' })
  const [good, late] = [1, 2].map(() => issueCode(world.services, world.app.db, 'invite'))
  expect((await send(world, 'sign-up', { ...form, code: (await good) ?? '' })).statusCode).toBe(303)
  world.clock.advance(8 * 86_400_000)
  expect((await send(world, 'sign-up', { ...form, email: 'b@x.com', code: (await late) ?? '' })).statusCode).toBe(422)
})

test('a form from another site, or without its cookie, is not answered', async () => {
  const world = await start()
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { cookie: '' }, { cookie: `rd_form=${'x'.repeat(43)}` }]) {
    expect((await send(world, 'sign-up', form, headers)).statusCode).toBe(403)
  }
  expect(await world.app.db.selectFrom('users').select('id').execute()).toEqual([])
})

test('never redirects to an untrusted origin', async () => {
  const world = await start({ DASHBOARD_ORIGINS: 'https://live.example.com', PUBLIC_URL: 'https://api.example.com' })
  const begin = (redirect: string) => world.api(auth.redirectUrl, { provider: 'local', redirect, state })
  expect((await begin('https://live.example.com/auth/callback')).status).toBe(200)
  expect((await begin('https://api.example.com/auth/callback')).body.url).toMatch(
    /^https:\/\/api\.example\.com\/auth\/local/,
  )
  const bad = [
    'https://evil.example',
    '//evil.example',
    `java${'script'}:alert(1)`,
    'https://live.example.com@evil.example',
    'http://localhost:5173/',
    'https://live.example.com.evil.example/',
  ]
  for (const redirect of bad) {
    expect([redirect, (await begin(redirect)).status]).toEqual([redirect, 400])
    expect((await send(world, 'sign-up', { ...form, redirect })).statusCode).toBe(400)
  }
})

/** Guesses a password from an address. @returns the statuses */
async function guess(world: World, address: string, times: number, email = form.email) {
  const statuses = []
  for (let n = 0; n < times; n++) {
    const { statusCode } = await send(world, 'sign-in', { email, password: `guess ${n}` }, {}, address)
    statuses.push(statusCode)
  }
  return statuses
}
const [home, elsewhere] = ['198.51.100.7', '192.0.2.33']

test('wrong tries from one network do not lock the owner out of others', async () => {
  const world = await start({ RATE_LIMITS: 'on' })
  await send(world, 'sign-up', form)
  expect(await guess(world, '203.0.113.5', 11)).toEqual([...Array<number>(10).fill(422), 429])
  expect((await send(world, 'sign-in', form, {}, home)).statusCode).toBe(303)
})

test('tries from many networks are limited, and a network that the account signed in from is let in', async () => {
  const world = await start({ RATE_LIMITS: 'on' })
  await send(world, 'sign-up', form)
  const code = codeOf(await send(world, 'sign-in', form, {}, home))
  expect((await world.api(auth.exchange, { code, state }, { address: home })).status).toBe(201)
  world.clock.advance(60_000)

  for (let n = 1; n <= 6; n++) expect(await guess(world, `203.0.${n}.5`, 10)).toEqual(Array(10).fill(422))
  expect((await send(world, 'sign-in', form, {}, elsewhere)).statusCode).toBe(429)
  expect((await send(world, 'sign-in', form, {}, home)).statusCode).toBe(303)
  // Another address of the same household or office is the network as well, and may not guess without end either.
  expect((await send(world, 'sign-in', form, {}, '198.51.100.8')).statusCode).toBe(303)
  expect((await guess(world, home, 10)).at(-1)).toBe(429)
  // Other accounts are not affected, nor is this one a minute later.
  expect(await guess(world, elsewhere, 1, 'bob@example.com')).toEqual([422])
  world.clock.advance(60_000)
  expect((await send(world, 'sign-in', form, {}, elsewhere)).statusCode).toBe(303)
})

/** Returns the cookie that a sign-in leaves in the browser. */
const deviceOf = (answer: { headers: Record<string, unknown> }) => {
  const cookie = [answer.headers['set-cookie']].flat().find((one) => String(one).startsWith('rd_device='))
  return { cookie: String(cookie).split(';', 1)[0] ?? '' }
}

test('a device that the account signed in on is let in from any network, while others guess', async () => {
  const world = await start({ RATE_LIMITS: 'on', SIGN_UP: 'open' })
  const device = deviceOf(await send(world, 'sign-up', form))
  const bob = { ...form, email: 'bob@example.com' }
  const shared = deviceOf(await send(world, 'sign-up', bob, device))
  const foreign = deviceOf(await send(world, 'sign-up', { ...form, email: 'eve@example.com' }))
  for (let n = 1; n <= 6; n++) expect(await guess(world, `203.0.${n}.5`, 10)).toEqual(Array(10).fill(422))
  expect((await send(world, 'sign-in', form, {}, elsewhere)).statusCode).toBe(429)
  expect((await send(world, 'sign-in', form, foreign, elsewhere)).statusCode).toBe(429)
  const forged = { cookie: `${device.cookie.slice(0, -3)}abc` }
  expect((await send(world, 'sign-in', form, forged, elsewhere)).statusCode).toBe(429)
  for (const known of [device, shared]) {
    expect((await send(world, 'sign-in', form, known, elsewhere)).statusCode).toBe(303)
  }
  // The own network of the guesser as well.
  expect((await send(world, 'sign-in', form, device, '203.0.1.5')).statusCode).toBe(303)
})

test('a known device may not guess without end, and is known to its own accounts only', async () => {
  const world = await start({ RATE_LIMITS: 'on' })
  const device = deviceOf(await send(world, 'sign-up', form))
  const statuses = []
  for (let n = 0; n < 11; n++) {
    const network = `192.0.${n}.1`
    const fields = { ...form, password: `guess ${n}` }
    statuses.push((await send(world, 'sign-in', fields, device, network)).statusCode)
  }
  expect(statuses).toEqual([...Array<number>(10).fill(422), 429])
  for (let n = 1; n <= 6; n++) await guess(world, `203.0.${n}.5`, 10, 'bob@example.com')
  const bob = { ...form, email: 'bob@example.com' }
  expect((await send(world, 'sign-in', bob, device, elsewhere)).statusCode).toBe(429)
})

test('a browser is a known device of the last five accounts that signed in', async () => {
  const world = await start({ RATE_LIMITS: 'on', SIGN_UP: 'open' })
  let device = { cookie: '' }
  const emails = [
    'ann@example.com',
    'b@example.com',
    'c@example.com',
    'd@example.com',
    'e@example.com',
    'f@example.com',
  ]
  for (const [n, email] of emails.entries()) {
    device = deviceOf(await send(world, 'sign-up', { ...form, email }, device, `192.0.${n}.1`))
  }
  expect(device.cookie.length).toBeLessThan(400)
  for (let n = 1; n <= 6; n++) await guess(world, `203.0.${n}.5`, 10)
  for (let n = 1; n <= 6; n++) await guess(world, `203.0.${n}.5`, 10, 'f@example.com')
  expect((await send(world, 'sign-in', form, device, elsewhere)).statusCode).toBe(429)
  const last = { ...form, email: 'F@Example.com' }
  expect((await send(world, 'sign-in', last, device, elsewhere)).statusCode).toBe(303)
})

test('a known network is limited as a whole', async () => {
  const world = await start({ RATE_LIMITS: 'on' })
  await send(world, 'sign-up', form)
  const code = codeOf(await send(world, 'sign-in', form, {}, home))
  await world.api(auth.exchange, { code, state }, { address: home })
  world.clock.advance(60_000)
  for (let n = 1; n <= 6; n++) expect((await guess(world, `198.51.100.${n}`, 10)).at(-1)).toBe(422)
  expect(await guess(world, '198.51.100.9', 1)).toEqual([429])
  expect((await send(world, 'sign-in', form, {}, elsewhere)).statusCode).toBe(303)
})

test('guessing is limited by address and by account', async () => {
  const world = await start({ RATE_LIMITS: 'on' })
  const tries = []
  for (let n = 0; n < 11; n++) tries.push(await send(world, 'sign-in', { ...form, password: `guess ${n}` }))
  expect(tries.map(({ statusCode }) => statusCode)).toEqual([...Array(10).fill(422), 429])
  expect(Number(tries.at(-1)?.headers['retry-after'])).toBeGreaterThan(0)
  expect(tries.at(-1)?.body).toContain('Too many attempts')
})

test('the pages speak three languages, name every field, and let nothing foreign in', async () => {
  const world = await start()
  for (const [language, title] of [
    ['en', 'Create account'],
    ['ru', 'Создать аккаунт'],
    ['cn', '创建账号'],
  ] as const) {
    const { body, headers } = await world.app.inject({ url: '/auth/local/sign-up', query: { language } })
    expect(body).toContain(`<h1>${title}</h1>`)
    for (const field of ['name', 'email', 'password']) expect(body).toMatch(new RegExp(`<label for="${field}">`))
    expect(body).toMatch(/autocomplete="new-password"/)
    expect(body).not.toMatch(/<script|style="/)
    expect(headers['content-security-policy']).toMatch(/default-src 'none'; style-src 'self'/)
  }
  const hostile = await send(world, 'sign-up', { ...form, name: '"><script>alert(1)</script>', email: 'x' })
  expect(hostile.body).not.toContain('<script>')
  expect(hostile.body).toMatch(/role="alert"/)
  expect(hostile.body).toMatch(/href="#email"/)
  expect(world.logged.join('')).not.toContain(form.password)
})

test('a signed-in person can hand a code to another app', async () => {
  const world = await start()
  const ann = await world.user()
  const { body } = await world.api(auth.appCode, { app: 'mobile' }, { as: ann })
  const { status } = await world.api(auth.exchange, { code: body.code, app: 'mobile' })
  expect(status).toBe(201)
})

test('providers that are not configured say so', async () => {
  const world = await start()
  const { status, error } = await world.api(auth.redirectUrl, { provider: 'google' })
  expect([status, error?.name, error?.data]).toEqual([400, 'ProviderNotConfigured', { provider: 'google' }])
})
