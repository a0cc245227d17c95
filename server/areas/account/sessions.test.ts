// Sessions and credentials over HTTP: the list of sessions, and ending them.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auth } from '#contract/areas/account/auth.ts'
import { sessions } from '#contract/areas/account/sessions.ts'
import { settings } from '#contract/areas/account/settings.ts'
import { findByPassword } from '#server/domain/account/accounts.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
beforeAll(async () => {
  world = await testApp()
})
afterAll(() => world.close())

const next = 'another sentence of mine'
const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:153.0) Gecko/20100101 Firefox/153.0'
const list = async (as: Person) => (await world.api(sessions.list, {}, { as })).body.results
const isSignedIn = async (as: Person) => (await world.api(auth.me, {}, { as })).status === 200
const change = (as: Person, old_password: string, new_password = next) =>
  world.api(settings.password, { old_password, new_password }, { as })

test('lists sessions with device and location, the most recently used first', async () => {
  const ann = await world.user()
  world.clock.advance(60_000)
  const other = await world.signIn(ann, { userAgent: firefox })
  const [first, second] = await list(ann)
  expect(first).toMatchObject({ browser: 'Firefox', system: 'Windows', kind: 'computer', current: false, app: 'site' })
  expect(second).toMatchObject({ browser: '', kind: 'other', current: true, address: '127.0.0.x' })
  expect((await list(other)).map(({ current }) => current)).toEqual([true, false])
})

test('writes nothing on API calls; a refresh updates the time and location of last use', async () => {
  const ann = await world.user()
  const [before] = await list(ann)
  world.clock.advance(300_000)
  expect(await list(ann)).toEqual([before])
  const address = '203.0.113.77'
  const { body } = await world.api(auth.refreshAccess, { app: 'site', refresh: ann.refreshToken }, { address })
  const [after] = await list({ ...ann, ...body })
  expect(after).toMatchObject({ id: before?.id, date_create: before?.date_create, address: '203.0.113.x' })
  expect(Date.parse(after?.date_seen ?? '') - Date.parse(before?.date_seen ?? '')).toBe(300_000)
})

test('leaves out a session that was unused for too long', async () => {
  const ann = await world.user()
  world.clock.advance(31 * 86_400_000)
  const again = await world.signIn(ann)
  expect(await list(again)).toHaveLength(1)
})

test('refuses the next call and the next refresh of a closed session', async () => {
  const ann = await world.user()
  const other = await world.signIn(ann)
  const id = (await list(other)).find(({ current }) => current)?.id ?? 0
  const close = () => world.api(sessions.close, { session_id: id }, { as: ann })
  expect((await close()).body).toEqual({ success: true })
  expect([await isSignedIn(other), await isSignedIn(ann)]).toEqual([false, true])
  expect((await world.api(auth.refreshAccess, { app: 'site', refresh: other.refreshToken })).status).toBe(400)
  expect(await list(ann)).toHaveLength(1)
  expect((await close()).status).toBe(200)
})

test('refuses to close the session of another user', async () => {
  const [ann, bob] = [await world.user(), await world.user('Bob')]
  const [{ id } = { id: 0 }] = await list(ann)
  const { error } = await world.api(sessions.close, { session_id: id }, { as: bob })
  expect(error?.name).toBe('SessionNotFound')
  expect(await isSignedIn(ann)).toBe(true)
})

test('ends all other sessions and the unused sign-in codes', async () => {
  const ann = await world.user()
  const others = await Promise.all([world.signIn(ann), world.signIn(ann)])
  const { body: handed } = await world.api(auth.appCode, { app: 'mobile' }, { as: others[0] })
  expect((await world.api(sessions.closeOthers, {}, { as: ann })).body).toEqual({ success: true, closed: 2 })
  expect(await Promise.all([ann, ...others].map(isSignedIn))).toEqual([true, false, false])
  expect((await world.api(auth.exchange, { code: handed.code, app: 'mobile' })).status).toBe(400)
})

test('ends a sign-in that is in progress while all other sessions are ended', async () => {
  const ann = await world.user()
  for (let round = 0; round < 5; round++) {
    const other = await world.signIn(ann)
    const { body: handed } = await world.api(auth.appCode, { app: 'mobile' }, { as: other })
    const [late, again] = await Promise.all([
      world.api(auth.exchange, { code: handed.code, app: 'mobile' }),
      world.api(auth.appCode, { app: 'mobile' }, { as: other }),
      world.api(sessions.closeOthers, {}, { as: ann }),
    ])
    const last = await world.api(auth.exchange, { code: again.body.code ?? 'none', app: 'mobile' })
    const letIn = [late, last].filter(({ status }) => status === 201)
    for (const { body } of letIn) expect(await isSignedIn({ ...ann, ...body })).toBe(false)
  }
  expect(await list(ann)).toHaveLength(1)
})

const endings: Readonly<Record<string, (as: Person, other: number) => Promise<{ readonly status: number }>>> = {
  'all others': (as) => world.api(sessions.closeOthers, {}, { as }),
  'the other one': (as, other) => world.api(sessions.close, { session_id: other }, { as }),
}

test.each(Object.entries(endings))('leaves one of two sessions that end %s concurrently', async (_, end) => {
  for (let round = 0; round < 5; round++) {
    const ann = await world.user()
    const both = [ann, await world.signIn(ann)]
    const otherOf = async (as: Person) => (await list(as)).find(({ current }) => !current)?.id ?? 0
    const others = await Promise.all(both.map(otherOf))
    const answers = await Promise.all(both.map((as, index) => end(as, others[index] ?? 0)))
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '401'])
    expect((await Promise.all(both.map(isSignedIn))).filter(Boolean)).toHaveLength(1)
  }
})

test('ends the other sessions on a password change, and refuses the old password', async () => {
  const ann = await world.user()
  const other = await world.signIn(ann)
  expect((await change(ann, 'not the password')).error?.name).toBe('PasswordWrong')
  expect(await isSignedIn(other)).toBe(true)
  expect((await change(ann, ann.password)).body).toEqual({ success: true })
  expect([await isSignedIn(ann), await isSignedIn(other)]).toEqual([true, false])
  expect(await findByPassword(world.services, ann.email, ann.password)).toBeNull()
  expect(await findByPassword(world.services, ann.email, next)).toMatchObject({ id: ann.id })
  expect((await change(ann, next, 'short')).error?.name).toBe('I18nValidationException')
  expect(world.logged.join('')).not.toContain(next)
})

test('accepts one of several concurrent changes', async () => {
  const ann = await world.user()
  const tries = ['first', 'second', 'third'].map((word) => `the ${word} sentence of mine`)
  const answers = await Promise.all(tries.map((word) => change(ann, ann.password, word)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  const good = tries[answers.findIndex(({ status }) => status === 200)] ?? ''
  expect(await findByPassword(world.services, ann.email, good)).toMatchObject({ id: ann.id })
})

test('limits guesses of the old password with a stolen access token', async () => {
  const limited = await testApp({ RATE_LIMITS: 'on' })
  try {
    const ann = await limited.user()
    const guess = { old_password: 'guess guess', new_password: next }
    const statuses = []
    for (let n = 0; n < 11; n++) statuses.push((await limited.api(settings.password, guess, { as: ann })).status)
    expect(statuses.slice(9)).toEqual([400, 429])
  } finally {
    await limited.close()
  }
})

test('changes the e-mail with the password, but not to an address that is taken', async () => {
  const [ann, bob] = [await world.user(), await world.user('Bob')]
  const to = (email: string, password: string) => world.api(settings.email, { email, password }, { as: ann })
  expect((await to('new@example.com', 'not the password')).error?.name).toBe('PasswordWrong')
  expect((await to(bob.email.toUpperCase(), ann.password)).error?.name).toBe('EmailTaken')
  expect((await to('no address', ann.password)).status).toBe(400)
  expect((await to(' New-Ann@Example.com ', ann.password)).status).toBe(200)
  expect((await world.api(auth.me, {}, { as: ann })).body.email).toBe('new-ann@example.com')
})

test('stores the language of the call in the account', async () => {
  const ann = await world.user()
  const request = { method: 'POST', url: settings.language.path, payload: { v: '1', language: 'ru' } } as const
  await world.app.inject({ ...request, headers: { authorization: `oauth ${ann.accessToken}` } })
  expect((await world.api(auth.me, {}, { as: ann })).body.language).toBe('ru')
})
