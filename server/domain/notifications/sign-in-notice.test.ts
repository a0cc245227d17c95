// The notification of a sign-in with a new device.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auth } from '#contract/areas/account/auth.ts'
import { history } from '#contract/areas/notifications/history.ts'
import { issueCode } from '#server/domain/account/codes.ts'
import { mailServer } from '#server/testing/mail.ts'
import { testApp, type World } from '#server/testing/test-app.ts'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
let world: World
beforeAll(async () => {
  world = await testApp()
})
afterAll(() => world.close())

test('a sign-in with a device that the user has not used before is one notification, without the whole address', async () => {
  const ann = await world.user()
  const signIn = async (userAgent: string) => {
    const code = await issueCode(world.services, world.app.db, 'exchange', { userId: ann.id, app: 'site' })
    expect((await world.api(auth.exchange, { code, userAgent, app: 'site' })).status).toBe(201)
    world.clock.advance(1_000)
  }
  const rows = async () =>
    (await world.api(history.list, {}, { as: ann })).body.results.filter(({ name }) => name === 'new_sign_in')
  await signIn('test')
  expect(await rows()).toEqual([])
  await signIn(firefox)
  await signIn(firefox)
  const [row, ...others] = await rows()
  expect(others).toEqual([])
  expect(row).toMatchObject({ category: 'important', link: '/account/sessions' })
  expect(row?.text[0]?.text).toContain('Firefox')
  expect(row?.text[0]?.text).not.toContain('127.0.0.1')
})

test('a user without a project gets an e-mail about it, in their language', async () => {
  const mails = await mailServer()
  const mailing = await testApp({ PUBLIC_URL: 'https://live.example.com', ...mails.settings })
  try {
    const { app, services } = mailing
    const bob = await mailing.user('Bob')
    await app.db.updateTable('users').set({ language: 'ru' }).where('id', '=', bob.id).execute()
    await app.db.deleteFrom('project_members').where('user_id', '=', bob.id).execute()
    const code = await issueCode(services, app.db, 'exchange', { userId: bob.id, app: 'site' })
    expect((await mailing.api(auth.exchange, { code, userAgent: firefox, app: 'site' })).status).toBe(201)
    await expect.poll(() => mails.got.map(({ to }) => to)).toEqual([[bob.email]])
    const [, body = ''] = mails.got[0]!.text.split('\r\n\r\n')
    const text = Buffer.from(body, 'base64').toString()
    expect(text).toContain('Firefox, Linux')
    expect(text).toContain('https://live.example.com/account/sessions')
    expect(text).toMatch(/Если это были не вы/)
  } finally {
    await mailing.close()
    await mails.close()
  }
})
