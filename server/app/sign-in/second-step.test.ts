// Second step of sign-in: authenticator app, recovery codes, remembered browsers; no way to tokens goes round it.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Secret, TOTP } from 'otpauth'
import { auth } from '#contract/areas/account/auth.ts'
import { security } from '#contract/areas/account/security.ts'
import { settings } from '#contract/areas/account/settings.ts'
import type { App } from '#server/app/create-app.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
let ann: Person
beforeEach(async () => {
  world = await testApp({ ACCESS_TTL: '86400' })
  ann = await world.user()
})
afterEach(() => world.close())

const state = 'a-state-of-the-browser-1'
const flow = { redirect: 'http://localhost/auth/callback', state, app: 'site', language: 'en' }
type Fields = Record<string, string>
type Reply = Awaited<ReturnType<App['inject']>>

/** Opens a page and sends its form. */
async function send(kind: string, fields: Fields, { cookie = '', through = world.app } = {}): Promise<Reply> {
  const opened = await through.inject({ url: `/auth/local/${kind}`, query: fields, headers: { host: 'localhost' } })
  const own = [opened.headers['set-cookie']].flat().join().split(';', 1)[0]
  const csrf = /name="csrf" value="([^"]+)"/.exec(opened.body)?.[1] ?? ''
  return through.inject({
    method: 'POST',
    url: `/auth/local/${kind}`,
    headers: { host: 'localhost', 'content-type': 'application/x-www-form-urlencoded', cookie: `${own}; ${cookie}` },
    payload: new URLSearchParams({ csrf, ...fields }).toString(),
  })
}
const placeOf = (reply: Reply) => new URL(String(reply.headers.location), 'http://localhost')
const fieldsOf = (url: URL): Fields => Object.fromEntries(url.searchParams)
/** The first step, and the fields of the page that it leads to. */
async function first(cookie = ''): Promise<Fields> {
  const reply = await send('sign-in', { ...flow, email: ann.email, password: ann.password }, { cookie })
  expect([reply.statusCode, placeOf(reply).pathname]).toEqual([303, '/auth/local/second'])
  return fieldsOf(placeOf(reply))
}
const second = async (factor: string, more: Fields = {}) => send('second', { ...(await first()), factor, ...more })
const exchange = (reply: Reply) => world.api(auth.exchange, { code: fieldsOf(placeOf(reply))['code'] ?? '', state })

let app: TOTP
const codeAt = (secondsLater = 0) => app.generate({ timestamp: world.clock.now().getTime() + secondsLater * 1000 })
/** Sets the app up. @returns recovery codes */
async function setUp(person = ann): Promise<readonly string[]> {
  const { body } = await world.api(security.beginAuthenticator, {}, { as: person })
  app = new TOTP({ secret: Secret.fromBase32(body.secret) })
  const done = await world.api(security.confirmAuthenticator, { code: codeAt() }, { as: person })
  expect(done.status).toBe(200)
  world.clock.advance(30_000)
  return done.body.recovery_codes
}

test('an account without a second factor signs in with its password alone', async () => {
  const reply = await send('sign-in', { ...flow, email: ann.email, password: ann.password })
  expect((await exchange(reply)).status).toBe(201)
})

test('the app becomes a factor with its first code, and sign-in needs a second step', async () => {
  const other = await world.signIn(ann)
  const begun = await world.api(security.beginAuthenticator, {}, { as: ann })
  expect(begun.body.uri).toMatch(/^otpauth:\/\/totp\/Relaydeck:/)
  expect((await world.api(security.get, {}, { as: ann })).body.authenticator).toBeNull()
  const plain = await send('sign-in', { ...flow, email: ann.email, password: ann.password })
  expect(placeOf(plain).pathname).toBe('/auth/callback')

  const codes = await setUp()
  expect(new Set(codes).size).toBe(10)
  expect(codes[0]).toMatch(/^[0-9A-Z]{4}(-[0-9A-Z]{4}){3}$/)
  // What had begun without the factor ends: other sessions, and a code that was not exchanged yet.
  expect((await world.api(auth.me, {}, { as: other })).status).toBe(401)
  expect((await exchange(plain)).error?.name).toBe('CodeRejected')
  expect((await world.api(auth.me, {}, { as: ann })).status).toBe(200)

  const done = await second(codeAt())
  expect((await exchange(done)).status).toBe(201)
})

test('secrets are stored encrypted or hashed', async () => {
  const codes = await setUp()
  const fields = await first()
  const rows = JSON.stringify([
    await world.app.db.selectFrom('authenticators').selectAll().execute(),
    await world.app.db.selectFrom('recovery_codes').selectAll().execute(),
    await world.app.db.selectFrom('codes').selectAll().execute(),
  ])
  for (const secret of [
    app.secret.base32,
    fields['code'] ?? '',
    ...codes.flatMap((code) => [code, code.replaceAll('-', '')]),
  ])
    expect([secret.length > 10, rows.includes(secret) || world.logged.join().includes(secret)]).toEqual([true, false])
})

test('a code works once, also at another replica', async () => {
  await setUp()
  const other = await world.replica()
  const [here, there] = [await first(), await first()]
  const factor = codeAt()
  const replies = await Promise.all([
    send('second', { ...here, factor }),
    send('second', { ...there, factor }, { through: other }),
  ])
  expect(replies.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([303, 422])
  const again = await second(factor)
  expect(again.body).toContain('already used')
  // The one before it is over as well.
  expect((await second(codeAt(-30))).statusCode).toBe(422)
  expect((await second(codeAt(30))).statusCode).toBe(303)
})

test('a phone 90 s off is refused with a word on its clock', async () => {
  await setUp()
  world.clock.advance(600_000)
  for (const seconds of [-90, 90]) {
    const reply = await second(codeAt(seconds))
    expect([reply.statusCode, reply.body.includes('set the clock of your phone to automatic')]).toEqual([422, true])
  }
  for (const seconds of [-30, 0, 30]) expect((await second(codeAt(seconds))).statusCode).toBe(303)
})

test('setting up says by how much the clock of the phone is off', async () => {
  const { body } = await world.api(security.beginAuthenticator, {}, { as: ann })
  app = new TOTP({ secret: Secret.fromBase32(body.secret) })
  const confirm = (code: string) => world.api(security.confirmAuthenticator, { code }, { as: ann })
  expect((await confirm(codeAt(90))).error).toMatchObject({ name: 'CodeClock', data: { seconds: 90, reason: 'ahead' } })
  expect((await confirm(codeAt(-90))).error?.data).toEqual({ seconds: 90, reason: 'behind' })
  expect((await confirm('000 000')).error?.name).toBe('CodeWrong')
  expect((await confirm(codeAt())).status).toBe(200)
  expect((await confirm(codeAt(30))).error?.name).toBe('AuthenticatorMissing')
})

test('20 wrong codes close the step for an hour, at every replica; a recovery code opens it', async () => {
  const [code = ''] = await setUp()
  const wrong = '000000'
  for (let n = 0; n < 20; n++) expect((await second(wrong)).statusCode).toBe(422)
  const other = await world.replica()
  const locked = await send('second', { ...(await first()), factor: codeAt() }, { through: other })
  expect([locked.statusCode, locked.headers['retry-after']]).toEqual([429, '3600'])
  expect(locked.body).toContain('Too many wrong codes')
  world.clock.advance(3_599_000)
  expect((await second(codeAt())).statusCode).toBe(429)
  expect((await second(code)).statusCode).toBe(303)
  expect((await second(codeAt())).statusCode).toBe(303)
  for (let n = 0; n < 20; n++) await second(wrong)
  world.clock.advance(3_600_000)
  expect((await second(codeAt())).statusCode).toBe(303)
})

test('a recovery code works once, also of two sign-ins at the same time', async () => {
  const [code = '', next = ''] = await setUp()
  const other = await world.replica()
  const [here, there] = [await first(), await first()]
  const replies = await Promise.all([
    send('second', { ...here, factor: code }),
    send('second', { ...there, factor: ` ${code.toLowerCase().replaceAll('-', ' ')}` }, { through: other }),
  ])
  expect(replies.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([303, 422])
  expect((await world.api(security.get, {}, { as: ann })).body.recovery_codes).toBe(9)
  const renewed = await world.api(security.renewCodes, {}, { as: ann })
  expect((await second(next)).statusCode).toBe(422)
  expect((await second(renewed.body.recovery_codes[0] ?? '')).statusCode).toBe(303)
})

test('a remembered browser needs no second step for 30 days; another one does', async () => {
  await setUp()
  const reply = await second(codeAt(), { remember: 'on' })
  const cookie = [reply.headers['set-cookie']].flat().find((one) => one?.startsWith('rd_browser='))
  expect(cookie).toMatch(/Max-Age=2592000; HttpOnly; SameSite=Lax/)
  const own = cookie?.split(';', 1)[0] ?? ''
  const signIn = (header: string) =>
    send('sign-in', { ...flow, email: ann.email, password: ann.password }, { cookie: header })
  const opened = await signIn(own)
  expect(placeOf(opened).pathname).toBe('/auth/callback')
  expect((await exchange(opened)).status).toBe(201)
  expect(placeOf(await signIn('rd_browser=another')).pathname).toBe('/auth/local/second')

  // The browser of one account is no browser of another one.
  const bob = await world.user('Bob')
  await setUp(bob)
  const bobs = await send('sign-in', { ...flow, email: bob.email, password: bob.password }, { cookie: own })
  expect(placeOf(bobs).pathname).toBe('/auth/local/second')

  const { browsers } = (await world.api(security.get, {}, { as: ann })).body
  expect(browsers).toHaveLength(1)
  const id = browsers[0]!.id
  expect((await world.api(security.forgetBrowser, { browser_id: id }, { as: bob })).error?.name).toBe('BrowserNotFound')
  world.clock.advance(30 * 86_400_000)
  expect(placeOf(await signIn(own)).pathname).toBe('/auth/local/second')
})

test('a forgotten browser needs the second step again', async () => {
  await setUp()
  const reply = await second(codeAt(), { remember: 'on' })
  const cookie =
    [reply.headers['set-cookie']]
      .flat()
      .find((one) => one?.startsWith('rd_browser='))
      ?.split(';', 1)[0] ?? ''
  const { browsers } = (await world.api(security.get, {}, { as: ann })).body
  await world.api(security.forgetBrowser, { browser_id: browsers[0]!.id }, { as: ann })
  expect((await first(cookie))['code']).toMatch(/^[\w-]{43}$/)
})

test('the challenge of the first step belongs to its state, lives ten minutes, and ends with the password', async () => {
  await setUp()
  const fields = await first()
  const other = await send('second', { ...fields, state: 'b-state-of-another-browser', factor: codeAt() })
  expect([other.statusCode, other.body.includes('sign in again')]).toEqual([410, true])
  // It is no code for the exchange.
  expect((await world.api(auth.exchange, { code: fields['code'] ?? '', state })).error?.name).toBe('CodeRejected')
  await world.api(settings.password, { old_password: ann.password, new_password: 'another battery' }, { as: ann })
  expect((await send('second', { ...fields, factor: codeAt() })).statusCode).toBe(410)
  ann = { ...ann, password: 'another battery' }
  const late = await first()
  world.clock.advance(600_001)
  expect((await send('second', { ...late, factor: codeAt() })).statusCode).toBe(410)
})

test('factors change only within 15 minutes of a sign-in, which a code renews and a password does not', async () => {
  const [code = ''] = await setUp()
  world.clock.advance(15 * 60_000)
  const renew = () => world.api(security.renewCodes, {}, { as: ann })
  const confirm = (input: Fields) => world.api(settings.confirm, input, { as: ann })
  expect((await renew()).error?.name).toBe('SignInAgain')
  expect((await world.api(security.removeAuthenticator, {}, { as: ann })).error?.name).toBe('SignInAgain')
  expect((await confirm({ password: ann.password })).error?.name).toBe('SecondFactorNeeded')
  expect((await confirm({ code: '000000' })).error?.name).toBe('CodeWrong')
  expect((await confirm({ code })).status).toBe(200)
  expect((await renew()).status).toBe(200)
  expect((await world.api(security.removeAuthenticator, {}, { as: ann })).status).toBe(200)
  expect((await world.api(security.get, {}, { as: ann })).body).toMatchObject({
    authenticator: null,
    recovery_codes: 0,
  })
  const reply = await send('sign-in', { ...flow, email: ann.email, password: ann.password })
  expect(placeOf(reply).pathname).toBe('/auth/callback')
})
