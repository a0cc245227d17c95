// Connecting and disconnecting social logins.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { auth } from '#contract/areas/account/auth.ts'
import { settings } from '#contract/areas/account/settings.ts'
import type { Person } from '#server/testing/test-app.ts'
import { SocialLogins, redirect } from '#server/testing/providers/social-logins.ts'

let at: SocialLogins
beforeAll(async () => {
  at = await SocialLogins.start()
})
afterAll(() => at.close())
beforeEach(() => at.nextPerson())

test('connects an account to one user, and one account of each provider', async () => {
  const [ann, bob] = [await at.world.user(), await at.world.user('Bob')]
  expect((await at.connect(ann, 'google')).status).toBe(200)
  expect((await at.connect(ann, 'google')).status).toBe(200)
  expect((await at.connect(bob, 'google')).error?.name).toBe('SocialTaken')
  at.google.person = { ...at.google.person, id: 'another' }
  expect((await at.connect(ann, 'google')).error?.name).toBe('SocialConnected')
  const { results, available, password } = await at.connected(ann)
  expect(results).toMatchObject([{ provider: 'google', name: 'Ann Example', last: 0 }])
  expect([available, password]).toEqual([['google', 'vk-id', 'telegram'], true])
})

test('connects an account to one of two users that connect it concurrently', async () => {
  const people = [await at.world.user(), await at.world.user('Bob')]
  const messages: string[] = []
  for (const person of people)
    messages.push((await at.follow(await at.beginConnect(person, 'google'))).get('message') ?? '')
  const answers = await Promise.all(people.map((person, n) => at.endConnect(person, messages[n] ?? '')))
  expect(answers.map(({ error }) => error?.name ?? 'connected').toSorted()).toEqual(['SocialTaken', 'connected'])
})

test('refuses to connect in a browser that did not begin', async () => {
  const [eve, ann] = [await at.world.user('Eve'), await at.world.user()]
  const back = await at.beginConnect(eve, 'google')
  const message = (await at.follow(back)).get('message') ?? ''
  expect((await at.endConnect(ann, message)).error?.name).toBe('AuthorizationExpired')
  expect((await at.connected(ann)).results).toEqual([])
  // Eve knows the state of the link that she sent to Ann. It gives her nothing.
  expect((await at.endConnect(eve, back.searchParams.get('state') ?? '')).error?.name).toBe('AuthorizationExpired')
  expect((await at.connected(eve)).results).toEqual([])
})

test('connects Telegram to the user that began', async () => {
  const [eve, ann] = [await at.world.user('Eve'), await at.world.user()]
  const fields = at.telegramOf(7000 + at.count)
  const come = async (as: Person) => {
    const url = new URL(await at.telegramReturn(as, fields), 'http://localhost')
    return (await at.follow(url)).get('message') ?? ''
  }
  expect((await at.endConnect(ann, await come(eve))).error?.name).toBe('AuthorizationExpired')
  expect((await at.endConnect(ann, 'telegram.forged')).error?.name).toBe('AuthorizationExpired')
  const message = await come(ann)
  expect((await at.endConnect(ann, message)).body).toEqual({ success: true })
  expect((await at.endConnect(ann, message)).error?.name).toBe('AuthorizationExpired')
  expect((await at.connected(ann)).results).toMatchObject([{ provider: 'telegram', name: 'Таня' }])
})

test('accepts connect-telegram without parameters, with the response stored in its own browser', async () => {
  const [eve, ann] = [await at.world.user('Eve'), await at.world.user()]
  const end = (as: Person, cookie = '') => at.world.api(auth.connectTelegram, {}, { as, headers: { cookie } })
  // Eve begins, and Telegram identifies Ann: the response stays in Ann's browser.
  const cookie = await at.returnFromTelegram(eve, at.telegramOf(8000 + at.count))
  expect((await end(eve)).error?.name).toBe('AuthorizationExpired')
  expect((await end(ann, cookie)).error?.name).toBe('AuthorizationExpired')
  const own = await end(ann, await at.returnFromTelegram(ann, at.telegramOf(8000 + at.count)))
  expect([own.status, own.body]).toEqual([201, { success: true }])
  expect((await at.connected(ann)).results).toMatchObject([{ provider: 'telegram' }])
})

test('keeps the last sign-in method until there is another', async () => {
  const ann = await at.exchange(await at.signIn('vk'))
  const [{ id, last } = { id: 0, last: 0 }] = (await at.connected(ann)).results
  const remove = (social_id: number) => at.world.api(auth.disconnect, { social_id }, { as: ann })
  expect(last).toBe(1)
  expect((await remove(id)).error?.name).toBe('LastWayToSignIn')
  expect((await remove(id + 1)).error?.name).toBe('SocialNotFound')

  const set = () => at.world.api(settings.password, { new_password: 'a sentence of mine' }, { as: ann })
  expect((await set()).error?.name).toBe('EmailMissing')
  await at.world.api(settings.email, { email: `vera-${at.count}@example.com` }, { as: ann })
  expect((await set()).status).toBe(200)
  expect((await remove(id)).body).toEqual({ success: true })
  expect((await at.connected(ann)).results).toEqual([])
})

test('refuses to set a first password with an access token from an old sign-in', async () => {
  const ann = await at.exchange(await at.signIn('vk'))
  at.world.clock.advance(16 * 60_000)
  const { body } = await at.world.api(auth.refreshAccess, { app: 'site', refresh: ann.refreshToken })
  const email = { email: `late-${at.count}@example.com` }
  expect((await at.world.api(settings.email, email, { as: body.accessToken })).error?.name).toBe('SignInAgain')
})

test('connecting requires a recent sign-in or the password; an account without a password cannot confirm', async () => {
  const confirm = (as: Person, password: string) => at.world.api(settings.confirm, { password }, { as })
  const begin = async (as: Person) =>
    (await at.world.api(auth.connect, { provider: 'google', redirect }, { as })).error?.name
  const later = async (as: Person): Promise<Person> => {
    at.world.clock.advance(8 * 60_000)
    return { ...as, ...(await at.world.api(auth.refreshAccess, { app: 'site', refresh: as.refreshToken })).body }
  }
  const ann = await later(await later(await at.world.user()))
  expect(await begin(ann)).toBe('SignInAgain')
  expect((await confirm(ann, 'not the password')).error?.name).toBe('PasswordWrong')
  expect(await begin(ann)).toBe('SignInAgain')
  expect((await confirm(ann, ann.password)).body).toEqual({ success: true })
  expect(await begin(ann)).toBeUndefined()
  expect(await begin(await later(await later(ann)))).toBe('SignInAgain')

  const vera = await later(await at.exchange(await at.signIn('vk')))
  await confirm(vera, '')
  const same = await later(vera)
  expect((await confirm(same, '')).error?.name).toBe('SignInAgain')
  expect(await begin(same)).toBe('SignInAgain')
})

test('keeps one of two last sign-in methods that are removed concurrently', async () => {
  const ann = await at.exchange(await at.signIn('vk'))
  await at.connect(ann, 'google')
  const { results } = await at.connected(ann)
  const answers = await Promise.all(
    results.map(({ id }) => at.world.api(auth.disconnect, { social_id: id }, { as: ann })),
  )
  expect(answers.map(({ error }) => error?.name ?? 'gone').toSorted()).toEqual(['LastWayToSignIn', 'gone'])
  expect((await at.connected(ann)).results).toMatchObject([{ last: 1 }])
})

test('refuses to disconnect the account of another user', async () => {
  const [ann, bob] = [await at.world.user(), await at.world.user('Bob')]
  await at.connect(ann, 'google')
  const [{ id } = { id: 0 }] = (await at.connected(ann)).results
  expect((await at.world.api(auth.disconnect, { social_id: id }, { as: bob })).error?.name).toBe('SocialNotFound')
  expect((await at.connected(ann)).results).toHaveLength(1)
})
