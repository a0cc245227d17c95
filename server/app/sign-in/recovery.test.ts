// Password reset: a link by e-mail sets a new password and ends all sessions.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { auth } from '#contract/areas/account/auth.ts'
import { settings } from '#contract/areas/account/settings.ts'
import { eventually } from '#server/testing/eventually.ts'
import { mailServer, writtenOf } from '#server/testing/mail.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
let ann: Person
let mail: Awaited<ReturnType<typeof mailServer>>
beforeEach(async () => {
  mail = await mailServer()
  world = await testApp({
    PUBLIC_URL: 'https://live.example.com',
    ...mail.settings,
  })
  ann = await world.user()
})
afterEach(async () => {
  await world.close()
  await mail.close()
})

type Fields = Record<string, string>
const next = 'a new battery for the horse'
const headers = { host: 'evil.example.com' }

/** Opens a page and sends its form back with its cookie. */
async function send(
  kind: 'forgot' | 'recover' | 'sign-in' | 'confirm',
  fields: Fields,
  { address = '127.0.0.1', device = '' } = {},
) {
  const opened = await world.app.inject({ url: `/auth/local/${kind}`, query: fields, headers })
  const cookie = `${device}; ${String(opened.headers['set-cookie']).split(';', 1)[0]}`
  const csrf = /name="csrf" value="([^"]+)"/.exec(opened.body)?.[1] ?? ''
  return world.app.inject({
    method: 'POST',
    remoteAddress: address,
    url: `/auth/local/${kind}`,
    headers: { ...headers, cookie, 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ csrf, language: 'en', ...fields }).toString(),
  })
}
/** The link of the last e-mail, which no request can lead elsewhere. */
async function linkFrom(count: number): Promise<string> {
  await eventually(async () => mail.got.length === count)
  const text = writtenOf(mail.got.at(-1)!.text)
  return /https:\/\/live\.example\.com\/auth\/local\/recover\?code=([\w-]+)/.exec(text)?.[1] ?? ''
}
const me = async (person: Person) => (await world.api(auth.me, {}, { as: person })).status

test('a link by e-mail lets the owner in on a new device in a new network, while others guess', async () => {
  await world.close()
  world = await testApp({ PUBLIC_URL: 'https://live.example.com', RATE_LIMITS: 'on', ...mail.settings })
  ann = await world.user()
  const guesses = async (kind: 'forgot' | 'sign-in') => {
    const fields = { email: ann.email, password: 'a guess at it' }
    for (let network = 1; network <= 7; network++)
      for (let n = 0; n < 10; n++) await send(kind, fields, { address: `203.0.${network}.5` })
  }
  await guesses('forgot')
  world.clock.advance(60_000)
  const there = { address: '192.0.2.33' }
  expect((await send('forgot', { email: ann.email }, there)).statusCode).toBe(200)
  const code = await linkFrom(2)
  const done = await send('recover', { code, password: next }, there)
  const device = [done.headers['set-cookie']].flat().join().split(';', 1)[0] ?? ''
  await guesses('sign-in')
  const fields = { email: ann.email, password: next }
  expect((await send('sign-in', fields, there)).statusCode).toBe(429)
  expect((await send('sign-in', fields, { ...there, device })).statusCode).toBe(303)
})

test('a link by e-mail sets a new password once, and ends every session', async () => {
  expect((await send('forgot', { email: ` ${ann.email.toUpperCase()}` })).body).toContain('we have sent it a link')
  const code = await linkFrom(1)
  expect(mail.got[0]!.to).toEqual([ann.email])
  const short = await send('recover', { code, password: 'short' })
  expect([short.statusCode, await me(ann)]).toEqual([422, 200])
  const done = await send('recover', { code, password: next })
  expect([done.statusCode, await me(ann)]).toEqual([200, 401])
  expect(done.body).toContain('You are signed out on all devices')
  expect((await send('sign-in', { email: ann.email, password: ann.password })).statusCode).toBe(422)
  expect((await send('sign-in', { email: ann.email, password: next })).statusCode).toBe(303)
  expect((await send('recover', { code, password: 'another battery of it' })).body).toContain('was already used')
  expect((await world.app.inject({ url: '/auth/local/recover', query: { code } })).statusCode).toBe(410)
})

test('does not reveal accounts, and limits e-mails per address', async () => {
  const text = (body: string) => body.replaceAll(/value="[^"]*"/g, '')
  const known = await send('forgot', { email: ann.email })
  const unknown = await send('forgot', { email: 'nobody@example.com' })
  expect([text(unknown.body), unknown.statusCode]).toEqual([text(known.body), known.statusCode])
  await send('forgot', { email: ann.email })
  const first = await linkFrom(1)
  world.clock.advance(61_000)
  await send('forgot', { email: ann.email })
  const second = await linkFrom(2)
  // The newest counts.
  expect((await send('recover', { code: first, password: next })).statusCode).toBe(422)
  expect((await send('recover', { code: second, password: next })).statusCode).toBe(200)
})

test('an address that only looks like the one of the account gets nothing', async () => {
  const kate = await world.user('Kate')
  // The sign of the kelvin becomes a plain k in small letters.
  await send('forgot', { email: kate.email.replace('k', '\u212A') })
  await linkFrom(1)
  expect(mail.got.map(({ to }) => to)).toEqual([[kate.email]])
})

test('a link ends after an hour, with another e-mail, and with a new password', async () => {
  const used = async (code: string) => (await send('recover', { code, password: next })).statusCode
  await send('forgot', { email: ann.email })
  const late = await linkFrom(1)
  world.clock.advance(3_601_000)
  expect(await used(late)).toBe(422)

  await send('forgot', { email: ann.email })
  const before = await linkFrom(2)
  ann = await world.signIn(ann)
  const email = `new-${ann.email}`
  await world.api(settings.email, { email, password: ann.password }, { as: ann })
  await eventually(async () => mail.got.some(({ to }) => to.includes(email)))
  const written = writtenOf(mail.got.find(({ to }) => to.includes(email))!.text)
  const { code, email: to } = Object.fromEntries(new URL(/https:\S+/.exec(written)![0]).searchParams)
  expect((await send('confirm', { code: code!, email: to! })).statusCode).toBe(200)
  expect(await used(before)).toBe(422)

  world.clock.advance(61_000)
  await send('forgot', { email })
  const old = await linkFrom(3)
  await world.api(settings.password, { old_password: ann.password, new_password: next }, { as: ann })
  expect(await used(old)).toBe(422)
})

test('refers to the operator without a mail server', async () => {
  const silent = await testApp()
  const page = await silent.app.inject('/auth/local/forgot')
  expect(page.body).toContain('npm start -- recover')
  expect(page.body).not.toContain('<form')
  await silent.close()
})
