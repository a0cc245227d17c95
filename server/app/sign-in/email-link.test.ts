// Change of an e-mail: a link confirms the new address, and the old address is notified.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { auth } from '#contract/areas/account/auth.ts'
import { settings } from '#contract/areas/account/settings.ts'
import { eventually } from '#server/testing/eventually.ts'
import { mailServer, writtenOf } from '#server/testing/mail.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
let ann: Person
let mail: Awaited<ReturnType<typeof mailServer>>
let to: string
beforeEach(async () => {
  mail = await mailServer()
  world = await testApp({ PUBLIC_URL: 'https://live.example.com', ...mail.settings })
  ann = await world.user()
  to = `new-${ann.email}`
})
afterEach(async () => {
  await world.close()
  await mail.close()
})

const change = (email: string, password = ann.password) => world.api(settings.email, { email, password }, { as: ann })
const email = async () => (await world.api(auth.me, {}, { as: ann })).body.email

/** Returns the newest e-mail to an address. */
async function sentTo(address: string): Promise<string> {
  const mine = () => mail.got.findLast((one) => one.to.includes(address))
  await eventually(async () => mine() !== undefined)
  return writtenOf(mine()!.text)
}
/** The parameters of the newest link to an address. */
async function linkTo(address: string): Promise<Record<string, string>> {
  const link = /https:\/\/live\.example\.com\/auth\/local\/confirm\?\S+/.exec(await sentTo(address))?.[0] ?? ''
  return Object.fromEntries(new URL(link).searchParams)
}
const open = (query: Record<string, string>) => world.app.inject({ url: '/auth/local/confirm', query })
async function confirm(query: Record<string, string>) {
  const opened = await open(query)
  const cookie = String(opened.headers['set-cookie']).split(';', 1)[0] ?? ''
  const csrf = /name="csrf" value="([^"]+)"/.exec(opened.body)?.[1] ?? ''
  return world.app.inject({
    method: 'POST',
    url: '/auth/local/confirm',
    headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ csrf, ...query }).toString(),
  })
}

test('changes the e-mail when its link is opened, and notifies the old address', async () => {
  expect((await change(` ${to.toUpperCase()}`)).body).toEqual({ success: true, confirm: true })
  expect(await email()).toBe(ann.email)
  const link = await linkTo(to)
  expect(await sentTo(ann.email)).toContain(`to n…@${ann.email.split('@')[1]}`)

  // Programs that look into e-mails open links, and change nothing by it.
  expect((await open(link)).body).toContain(`You will sign in with ${to}`)
  expect(await email()).toBe(ann.email)
  const done = await confirm(link)
  expect([done.statusCode, await email()]).toEqual([200, to])
  expect((await open(link)).statusCode).toBe(410)
  expect((await confirm(link)).statusCode).toBe(422)
  // The same once more is no change.
  expect((await change(to)).body).toEqual({ success: true, confirm: false })
})

test('a link is good for its address, for an hour, until the next one and until a new password', async () => {
  await change(to)
  const first = await linkTo(to)
  expect((await confirm({ ...first, email: 'somebody-else@example.com' })).statusCode).toBe(422)
  await change(`b${to}`)
  const second = await linkTo(`b${to}`)
  expect((await confirm(first)).statusCode).toBe(422)
  world.clock.advance(3_601_000)
  expect((await confirm(second)).statusCode).toBe(422)

  ann = await world.signIn(ann)
  await change(`c${to}`)
  const third = await linkTo(`c${to}`)
  const password = 'a new battery for the horse'
  await world.api(settings.password, { old_password: ann.password, new_password: password }, { as: ann })
  expect((await confirm(third)).statusCode).toBe(422)
  expect(await email()).toBe(ann.email)
})

test('sends nothing for a refused change, and reports a failed delivery', async () => {
  const bob = await world.user('Bob')
  expect((await change(to, 'not the password')).error?.name).toBe('PasswordWrong')
  expect((await change(bob.email)).error?.name).toBe('EmailTaken')
  expect((await change(`full-${to}`)).error?.name).toBe('MailNotSent')
  expect(mail.got).toEqual([])

  // Of two that want it, the first to open the link has it.
  await change(to)
  const mine = await linkTo(to)
  await world.api(settings.email, { email: to, password: bob.password }, { as: bob })
  await eventually(async () => mail.got.filter((one) => one.to.includes(to)).length === 2)
  expect((await confirm(await linkTo(to))).statusCode).toBe(200)
  const late = await confirm(mine)
  expect([late.statusCode, await email()]).toEqual([422, ann.email])
  expect(late.body).toContain('belong to another account')
})
