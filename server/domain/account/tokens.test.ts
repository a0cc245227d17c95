// Token rotation through the HTTP edge: the cases S1 to S10 of the session design, and races.
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { auth, type TokenPair } from '#contract/areas/account/auth.ts'
import { systemClock } from '#server/core/clock.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
beforeAll(async () => {
  world = await testApp()
})
afterAll(() => world.close())

const rotate = (refresh: string, more: object = {}) => world.api(auth.refreshAccess, { app: 'site', refresh, ...more })
const isSignedIn = async (token: string) => (await world.api(auth.me, {}, { as: token })).status === 200
const day = 86_400_000

test('S1: returns a new, valid pair on refresh', async () => {
  const ann = await world.user()
  const { status, body } = await rotate(ann.refreshToken)
  expect(status).toBe(200)
  expect(Object.keys(body).toSorted()).toEqual(['accessToken', 'refreshToken'])
  expect(body.refreshToken).not.toBe(ann.refreshToken)
  expect(await isSignedIn(body.accessToken)).toBe(true)
  expect((await rotate(body.refreshToken)).status).toBe(200)
  // The old token is two generations old: S5.
  expect((await rotate(ann.refreshToken)).status).toBe(400)
})

test('keeps the old access token valid until its expiry after a rotation', async () => {
  const ann = await world.user()
  await rotate(ann.refreshToken)
  expect(await isSignedIn(ann.accessToken)).toBe(true)
  world.clock.advance(600_000 + 1000)
  expect(await isSignedIn(ann.accessToken)).toBe(false)
})

test('S2 and S4: returns the identical pair for a repeated token within two minutes', async () => {
  const ann = await world.user()
  const first = await rotate(ann.refreshToken)
  world.clock.advance(119_999)
  const second = await rotate(ann.refreshToken)
  expect(second.status).toBe(200)
  expect(second.body).toEqual(first.body)
})

test.each([-280_000, 280_000])('S4: keeps the session when the clock of a replica is off by %i ms', async (ms) => {
  const ann = await world.user()
  const now = vi.spyOn(systemClock, 'now').mockImplementation(() => new Date(Date.now() + ms))
  onTestFinished(() => now.mockRestore())
  world.clock.advance(ms)
  const first = await rotate(ann.refreshToken)
  world.clock.advance(-ms)
  now.mockRestore()
  const second = await rotate(ann.refreshToken)
  expect(second.status).toBe(200)
  expect(second.body).toEqual(first.body)
})

test('creates one successor for 20 concurrent refreshes with the same token', async () => {
  const ann = await world.user()
  const answers = await Promise.all(Array.from({ length: 20 }, () => rotate(ann.refreshToken)))
  expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1)
  expect(answers[0]?.status).toBe(200)
  const rows = await world.app.db
    .selectFrom('refresh_tokens')
    .innerJoin('token_families', 'token_families.id', 'refresh_tokens.family_id')
    .select('refresh_tokens.id')
    .where('token_families.user_id', '=', ann.id)
    .execute()
  expect(rows).toHaveLength(2)
})

test('S5: ends only the session of a token that is repeated too late', async () => {
  const ann = await world.user()
  const phone = await world.signIn(ann)
  const { body } = await rotate(ann.refreshToken)
  world.clock.advance(120_000)
  expect((await rotate(ann.refreshToken)).status).toBe(400)
  expect((await rotate(body.refreshToken)).status).toBe(400)
  expect(await isSignedIn(body.accessToken)).toBe(false)
  expect(await isSignedIn(phone.accessToken)).toBe(true)
  expect((await rotate(phone.refreshToken)).status).toBe(200)
  const kinds = await world.app.db.selectFrom('audit').select('kind').where('user_id', '=', ann.id).execute()
  expect(kinds.map(({ kind }) => kind)).toContain('session.reuse')
})

test('S5: ends the session on a previous token whose successor was used', async () => {
  const ann = await world.user()
  const { body } = await rotate(ann.refreshToken)
  const next = await rotate(body.refreshToken)
  expect((await rotate(ann.refreshToken)).status).toBe(400)
  expect((await rotate(next.body.refreshToken)).status).toBe(400)
})

test('repeats a lost response for REFRESH_REPLAY seconds, and never for 0', async () => {
  for (const seconds of [0, 10]) {
    const own = await testApp({ REFRESH_REPLAY: String(seconds) })
    const use = async (refresh: string) => (await own.api(auth.refreshAccess, { app: 'site', refresh })).status
    const ann = await own.user()
    expect(await use(ann.refreshToken)).toBe(200)
    if (seconds > 0) {
      own.clock.advance(seconds * 1000 - 1)
      expect(await use(ann.refreshToken)).toBe(200)
      own.clock.advance(1)
    }
    expect(await use(ann.refreshToken)).toBe(400)
    await own.close()
  }
})

test('S6: refuses every invalid token with the same answer and changes nothing', async () => {
  const before = await world.app.db.selectFrom('audit').select('id').execute()
  const ended = await world.user()
  await rotate(ended.refreshToken)
  world.clock.advance(121_000)
  await rotate(ended.refreshToken)
  const unknown = ['x', 'A'.repeat(43), '🦔'.repeat(100), "' or 1=1 --", ended.refreshToken]
  const answers = await Promise.all(unknown.map((refresh) => rotate(refresh)))
  expect(new Set(answers.map(({ status, error }) => `${status} ${JSON.stringify(error)}`)).size).toBe(1)
  expect(answers[0]).toMatchObject({ status: 400, error: { name: 'RefreshTokenRejected' } })
  const after = await world.app.db.selectFrom('audit').select('id').execute()
  expect(after.length).toBe(before.length + 2)
})

test('S6: names the parameter for empty, huge and wrongly typed tokens', async () => {
  for (const refresh of ['', 'x'.repeat(5000), 1, null, {}, []]) {
    const { status, error } = await rotate(refresh as string)
    expect(status).toBe(400)
    expect(error?.validator_error?.[0]?.property).toBe('refresh')
  }
  expect((await rotate('x'.repeat(100_000))).status).toBe(413)
})

test('S7: leaves no living token after a concurrent sign-out and refresh', async () => {
  for (let round = 0; round < 5; round++) {
    const ann = await world.user()
    const [refreshed] = await Promise.all([
      rotate(ann.refreshToken),
      world.api(auth.logout, { refresh: ann.refreshToken }),
    ])
    // In either order: a pair that was issued is no longer valid.
    expect([200, 400]).toContain(refreshed.status)
    const given: Partial<TokenPair> = refreshed.body
    expect(await isSignedIn(given.accessToken ?? 'none')).toBe(false)
    expect((await rotate(given.refreshToken ?? 'none')).status).toBe(400)
    expect(await isSignedIn(ann.accessToken)).toBe(false)
  }
})

test('ends only its own session on sign-out, and accepts an unknown token', async () => {
  const ann = await world.user()
  const phone = await world.signIn(ann)
  expect((await world.api(auth.logout, { refresh: ann.refreshToken })).body).toEqual({ success: true })
  expect((await world.api(auth.logout, { refresh: 'unknown' })).body).toEqual({ success: true })
  expect(await isSignedIn(ann.accessToken)).toBe(false)
  expect(await isSignedIn(phone.accessToken)).toBe(true)
})

test('S9: never extends the maximum by rotation, and ends an idle session', async () => {
  const own = await testApp({ REFRESH_IDLE_DAYS: '3', REFRESH_MAX_DAYS: '7' })
  const use = (refresh: string) => own.api(auth.refreshAccess, { app: 'site', refresh })
  const idle = await own.user()
  const busy = await own.user('Bob')
  let token = busy.refreshToken
  for (let step = 0; step < 3; step++) {
    own.clock.advance(2 * day)
    const { status, body } = await use(token)
    expect(status).toBe(200)
    token = body.refreshToken
  }
  expect((await use(idle.refreshToken)).status).toBe(400)
  own.clock.advance(day)
  expect((await use(token)).status).toBe(400)
  await own.close()
})

test('S10: refuses a fingerprint that differs from sign-in, and keeps the session', async () => {
  const person: Person = await world.user()
  const ann = await world.signIn(person, { fingerprint: 'laptop' })
  expect((await rotate(ann.refreshToken, { fingerprint: 'other' })).status).toBe(400)
  expect((await rotate(ann.refreshToken)).status).toBe(400)
  const { status, body } = await rotate(ann.refreshToken, { fingerprint: 'laptop' })
  expect(status).toBe(200)
  expect(await isSignedIn(body.accessToken)).toBe(true)
})

test('keeps an access token of one second valid for at least a second, and not much longer', async () => {
  const own = await testApp({ ACCESS_TTL: '1' })
  own.clock.advance(900)
  const ann = await own.user()
  const me = () => own.api(auth.me, {}, { as: ann })
  own.clock.advance(999)
  expect((await me()).status).toBe(200)
  own.clock.advance(1001)
  expect((await me()).status).toBe(401)
  await own.close()
})

test('refuses a forged or foreign access token', async () => {
  const ann = await world.user()
  const [head, claims, signature] = ann.accessToken.split('.')
  const other = Buffer.from(JSON.stringify({ sub: '1', sid: 1, exp: 9e9 })).toString('base64url')
  const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
  const forged = [`${head}.${other}.${signature}`, `${none}.${claims}.`, `${head}.${claims}.`, 'x', ann.refreshToken]
  for (const token of forged) expect(await isSignedIn(token)).toBe(false)
})

test('stores no token in the database or in the log', async () => {
  const ann = await world.user()
  const { body } = await rotate(ann.refreshToken)
  const rows = await world.app.db.selectFrom('refresh_tokens').selectAll().execute()
  const written = JSON.stringify(rows) + world.logged.join('')
  for (const secret of [ann.refreshToken, body.refreshToken, body.accessToken]) expect(written).not.toContain(secret)
})
