// Passkeys: sign-in without a password, second step, confirmation; other origins, copies and used challenges are refused.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { auth } from '#contract/areas/account/auth.ts'
import { security } from '#contract/areas/account/security.ts'
import { settings } from '#contract/areas/account/settings.ts'
import type { App } from '#server/app/create-app.ts'
import { Authenticator } from '#server/testing/authenticator.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

const origin = 'https://live.example.com'
const headers = { host: 'live.example.com' }
const state = 'a-state-of-the-browser-1'
const flow = { redirect: `${origin}/auth/callback`, state, app: 'site', language: 'en' }
let world: World
let ann: Person
beforeEach(async () => {
  world = await testApp({ ACCESS_TTL: '86400', PUBLIC_URL: origin })
  ann = await world.user()
})
afterEach(() => world.close())

type Fields = Record<string, string>
type Reply = Awaited<ReturnType<App['inject']>>
const form = (fields: Fields) => new URLSearchParams(fields).toString()
const typed = { ...headers, 'content-type': 'application/x-www-form-urlencoded' }

/** Opens a page, asks for a challenge, and sends the form with the response of an authenticator. */
async function press(
  kind: 'sign-in' | 'second',
  fields: Fields,
  respond: (options: unknown) => object,
  through = world.app,
): Promise<Reply> {
  const opened = await through.inject({ url: `/auth/local/${kind}`, query: fields, headers })
  const cookie = [opened.headers['set-cookie']].flat().join().split(';', 1)[0] ?? ''
  const csrf = /name="csrf" value="([^"]+)"/.exec(opened.body)?.[1] ?? ''
  const send = (path: string, more: Fields = {}) =>
    through.inject({
      method: 'POST',
      url: `/auth/local/${path}`,
      headers: { ...typed, cookie },
      payload: form({ csrf, ...fields, ...more }),
    })
  const asked = await send(`${kind}/passkey`)
  expect(asked.statusCode).toBe(200)
  return send(kind, { passkey: JSON.stringify(respond(asked.json())) })
}
const placeOf = (reply: Reply) => new URL(String(reply.headers.location), origin)
const exchange = (reply: Reply) =>
  world.api(auth.exchange, { code: placeOf(reply).searchParams.get('code') ?? '', state })

async function add(key: Authenticator, person = ann, from = origin) {
  const { body } = await world.api(security.beginPasskey, {}, { as: person })
  return world.api(security.addPasskey, { name: 'Laptop', response: key.register(body.options, from) }, { as: person })
}

test('a passkey signs in without a password, and is the second step of a password', async () => {
  const key = new Authenticator(origin)
  const other = await world.signIn(ann)
  expect((await add(key)).body.recovery_codes).toHaveLength(10)
  expect((await world.api(auth.me, {}, { as: other })).status).toBe(401)
  const listed = (await world.api(security.get, {}, { as: ann })).body.passkeys
  expect(listed).toMatchObject([{ name: 'Laptop', host: 'live.example.com', date_use: null }])

  const done = await press('sign-in', flow, (options) => key.sign(options))
  expect((await exchange(done)).status).toBe(201)

  const opened = await world.app.inject({ url: '/auth/local/sign-in', query: flow, headers })
  const cookie = [opened.headers['set-cookie']].flat().join().split(';', 1)[0] ?? ''
  const csrf = /name="csrf" value="([^"]+)"/.exec(opened.body)?.[1] ?? ''
  const payload = form({ csrf, ...flow, email: ann.email, password: ann.password })
  const first = await world.app.inject({
    method: 'POST',
    url: '/auth/local/sign-in',
    headers: { ...typed, cookie },
    payload,
  })
  expect(placeOf(first).pathname).toBe('/auth/local/second')
  const second = Object.fromEntries(placeOf(first).searchParams)
  // The key of another account is no second step of this one.
  const bob = await world.user('Bob')
  const bobs = new Authenticator(origin)
  await add(bobs, bob)
  expect((await press('second', second, (options) => bobs.sign(options))).body).toContain('could not be verified')
  const passed = await press('second', second, (options) => key.sign(options))
  expect((await exchange(passed)).status).toBe(201)
})

test('a passkey of another origin is refused, with the address that it works at', async () => {
  const key = new Authenticator(origin)
  const refused = await add(key, ann, 'https://evil.example.com')
  expect(refused.error).toMatchObject({ name: 'PasskeyOrigin', data: { origin } })
  expect((await add(key)).status).toBe(200)
  const reply = await press('sign-in', flow, (options) => key.sign(options, 'https://evil.example.com'))
  expect([reply.statusCode, reply.body.includes('was used at another address')]).toEqual([422, true])
})

test('a copied passkey is refused by its counter, and said', async () => {
  const key = new Authenticator(origin)
  await add(key)
  key.counter = 10
  expect((await press('sign-in', flow, (options) => key.sign(options))).statusCode).toBe(303)
  key.counter = 3
  const reply = await press('sign-in', flow, (options) => key.sign(options))
  expect([reply.statusCode, reply.body.includes('may have been copied')]).toEqual([422, true])
  const kinds = await world.app.db.selectFrom('audit').select('kind').where('user_id', '=', ann.id).execute()
  expect(kinds).toContainEqual({ kind: 'account.passkey-cloned' })
})

test('a challenge is used once, at every replica, and lives ten minutes', async () => {
  const key = new Authenticator(origin)
  await add(key)
  let answer: object = {}
  const kept = (options: unknown) => (answer = key.sign(options))
  expect((await press('sign-in', flow, kept)).statusCode).toBe(303)
  const other = await world.replica()
  expect((await press('sign-in', flow, () => answer, other)).body).toContain('could not be verified')
  const late = (options: unknown) => {
    world.clock.advance(600_001)
    return key.sign(options)
  }
  expect((await press('sign-in', flow, late)).statusCode).toBe(422)
  for (const odd of [{}, { id: 'x' }, [], { ...answer, id: 'unknown' }])
    expect((await press('sign-in', flow, () => odd)).statusCode).toBe(422)
})

test('a passkey confirms an old sign-in, and belongs to one account', async () => {
  const key = new Authenticator(origin)
  await add(key)
  const bob = await world.user('Bob')
  expect((await add(key, bob)).error?.name).toBe('PasskeyKnown')
  world.clock.advance(16 * 60_000)
  const [{ id } = { id: 0 }] = (await world.api(security.get, {}, { as: ann })).body.passkeys
  const remove = () => world.api(security.removePasskey, { passkey_id: id }, { as: ann })
  expect((await remove()).error?.name).toBe('SignInAgain')
  const { options } = (await world.api(security.askPasskey, {}, { as: ann })).body
  expect((await world.api(settings.confirm, { passkey: key.sign(options) }, { as: ann })).status).toBe(200)
  expect((await remove()).status).toBe(200)
  expect((await remove()).error?.name).toBe('PasskeyNotFound')
  expect((await world.api(security.get, {}, { as: ann })).body).toMatchObject({ passkeys: [], recovery_codes: 0 })
})
