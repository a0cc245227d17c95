// The notification of a sign-in with a new device.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auth } from '#contract/areas/account/auth.ts'
import { history } from '#contract/areas/notifications/history.ts'
import { issueCode } from '#server/domain/account/codes.ts'
import { testApp, type World } from '#server/testing/test-app.ts'

let world: World
beforeAll(async () => {
  world = await testApp()
})
afterAll(() => world.close())

test('a sign-in with a device that the user has not used before is one notification, without the whole address', async () => {
  const ann = await world.user()
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
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
