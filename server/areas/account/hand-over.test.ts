// Limits of a session's tokens: no operation turns them into rights beyond their own session.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { auth } from '#contract/areas/account/auth.ts'
import { sessions } from '#contract/areas/account/sessions.ts'
import { settings } from '#contract/areas/account/settings.ts'
import { issueRecovery, recover } from '#server/domain/account/recovery.ts'
import { SocialLogins, redirect } from '#server/testing/providers/social-logins.ts'
import type { Person } from '#server/testing/test-app.ts'

const minute = 60_000
const day = 24 * 60 * minute

let at: SocialLogins
beforeAll(async () => {
  at = await SocialLogins.start()
})
afterAll(() => at.close())
beforeEach(() => at.nextPerson())

const isSignedIn = async (as: Person) => (await at.world.api(auth.me, {}, { as })).status === 200
const codeOf = async (as: Person) => (await at.world.api(auth.appCode, { app: 'mobile' }, { as })).body.code
const exchange = (code: string) => at.world.api(auth.exchange, { code, app: 'mobile' })
const rotate = (as: Person) => at.world.api(auth.refreshAccess, { app: 'site', refresh: as.refreshToken })

type Given = Person | string
const personOf = (as: Person, { error, body }: { error: { name?: string } | undefined; body: object }): Given =>
  error ? String(error.name) : { ...as, ...body }
const handOver = async (as: Person): Promise<Person> => ({ ...as, ...(await exchange(await codeOf(as))).body })

/** Session by a social login that was connected with the access token. */
async function byConnecting(as: Person): Promise<Given> {
  const { error, body } = await at.world.api(auth.connect, { provider: 'google', redirect }, { as })
  if (error) return String(error.name)
  const back = await at.google.answer(body.url)
  await at.endConnect(as, (await at.follow(back)).get('message') ?? '')
  return at.exchange(await at.signIn('google'))
}

async function byTelegram(as: Person): Promise<Given> {
  const { error } = await at.world.api(auth.connect, { provider: 'telegram', redirect }, { as })
  if (error) return String(error.name)
  const cookie = await at.returnFromTelegram(as, at.telegramOf(9000 + at.count))
  await at.world.api(auth.connectTelegram, {}, { as, headers: { cookie } })
  // A signature is valid once.
  at.world.clock.advance(1000)
  return at.exchange(await at.byTelegram(at.telegramOf(9000 + at.count)))
}

/** Input without anything of the caller's session. */
const foreign = 'nobody is signed in'
/** Every sign-in operation through which a caller with the tokens of a session could get another session. */
const ways: Record<keyof typeof auth & string, ((as: Person) => Promise<Given>) | typeof foreign | 'gives no session'> =
  {
    appCode: handOver,
    refreshAccess: async (as) => personOf(as, await rotate(as)),
    connect: byConnecting,
    connectCallback: byConnecting,
    connectTelegram: byTelegram,
    exchange: async (as) => handOver(await handOver(as)),
    redirectUrl: foreign,
    guest: foreign,
    authTelegram: foreign,
    clientConfiguration: foreign,
    callbackVk: foreign,
    callbackVkId: foreign,
    callbackGoogle: foreign,
    me: 'gives no session',
    logout: 'gives no session',
    disconnect: 'gives no session',
  }
const minting = Object.entries(ways).flatMap(([name, way]) => (typeof way === 'function' ? [[name, way] as const] : []))

test.each(minting)('%s: keeps the time of the original sign-in', async (_, way) => {
  const ann = await at.exchange(await at.signIn('vk'))
  at.world.clock.advance(14 * minute)
  const fresh = { ...ann, ...(await rotate(ann)).body }
  at.world.clock.advance(2 * minute)
  const given = await way(fresh)
  if (typeof given === 'string') return expect(given).toBe('SignInAgain')
  expect(await isSignedIn(given)).toBe(true)
  const email = { email: `thief-${at.count}@example.com` }
  expect((await at.world.api(settings.email, email, { as: given })).error?.name).toBe('SignInAgain')
  expect((await at.world.api(settings.password, { new_password: 'a new sentence' }, { as: given })).status).toBe(400)
})

test.each(minting)('%s: ends the new session with the original one', async (_, way) => {
  let ann = await at.exchange(await at.signIn('vk'))
  const max = at.world.services.config.refreshMaxDays
  for (let days = 0; days < max - 1; days++) {
    at.world.clock.advance(day)
    ann = { ...ann, ...(await rotate(ann)).body }
  }
  const given = await way(ann)
  at.world.clock.advance(day)
  if (typeof given === 'string') return expect(given).toBe('SignInAgain')
  expect((await rotate(given)).error?.name).toBe('RefreshTokenRejected')
})

/** Actions of the owner that end a session. */
const endings: Record<string, (ann: Person, other: Person) => Promise<unknown>> = {
  'signing out': (ann) => at.world.api(auth.logout, { refresh: ann.refreshToken }),
  'reuse of its refresh token': async (ann) => {
    await rotate(ann)
    at.world.clock.advance(3 * minute)
    await rotate(ann)
  },
  'closing it': async (ann, other) => {
    const { body } = await at.world.api(sessions.list, {}, { as: ann })
    const id = body.results.find(({ current }) => current)?.id ?? 0
    await at.world.api(sessions.close, { session_id: id }, { as: other })
  },
  'closing all others': (_, other) => at.world.api(sessions.closeOthers, {}, { as: other }),
  'a new password': (ann, other) =>
    at.world.api(settings.password, { old_password: ann.password, new_password: 'a new sentence' }, { as: other }),
  'a forgotten password': async (ann) => {
    const issued = await issueRecovery(at.world.services, ann.email)
    await recover(at.world.services, issued?.code ?? '', 'a new sentence')
  },
}

test.each(Object.entries(endings))('%s ends derived sessions and unused codes', async (name, end) => {
  const ann = await at.world.user()
  const other = await at.world.signIn(ann)
  const phone = await handOver(ann)
  const tablet = await handOver(phone)
  const codes = [await codeOf(ann), await codeOf(tablet)]
  await end(ann, other)
  expect(await Promise.all([ann, phone, tablet].map(isSignedIn))).toEqual([false, false, false])
  for (const one of [phone, tablet]) expect((await rotate(one)).status).toBe(400)
  for (const code of codes) expect((await exchange(code)).error?.name).toBe('CodeRejected')
  if (name !== 'a forgotten password') expect((await rotate(other)).status).toBe(200)
})

test('lists a derived session with its own device and ends it alone', async () => {
  const ann = await at.world.user()
  const phone = await handOver(ann)
  expect((await at.world.api(sessions.list, {}, { as: ann })).body.results.map(({ app }) => app)).toEqual([
    'mobile',
    'site',
  ])
  await at.world.api(auth.logout, { refresh: phone.refreshToken })
  expect([await isSignedIn(ann), await isSignedIn(phone)]).toEqual([true, false])
})

test('leaves no session when the user signs out while a code is exchanged', async () => {
  for (let round = 0; round < 5; round++) {
    const ann = await at.world.user()
    const code = await codeOf(ann)
    const [late] = await Promise.all([exchange(code), at.world.api(auth.logout, { refresh: ann.refreshToken })])
    expect([201, 400]).toContain(late.status)
    if (late.status === 201) expect(await isSignedIn({ ...ann, ...late.body })).toBe(false)
  }
})
