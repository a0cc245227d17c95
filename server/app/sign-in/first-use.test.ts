// The page of the owner's account offers the first answer to how the server is used.
import { afterEach, expect, test } from 'vitest'
import { billingMode } from '#server/domain/installation/installation.ts'
import { getInstallation } from '#server/domain/installation/store.ts'
import { testApp, type World } from '#server/testing/test-app.ts'

let world: World
afterEach(() => world.close())

const headers = { host: 'localhost' }
const flow = { redirect: 'http://localhost/auth/callback', state: 'a-state-of-the-browser-1', app: 'site' }

/** Opens the page with the owner's link. */
async function open(language = 'en') {
  const code = new URL(world.app.ownerLink() ?? 'http://localhost').searchParams.get('invite') ?? ''
  const url = '/auth/local/sign-up'
  const opened = await world.app.inject({ url, query: { ...flow, code, language }, headers })
  const csrf = /name="csrf" value="([^"]+)"/.exec(opened.body)?.[1] ?? ''
  const cookie = String(opened.headers['set-cookie']).split(';', 1)[0] ?? ''
  const send = (fields: Readonly<Record<string, string>>) =>
    world.app.inject({
      method: 'POST',
      url,
      headers: { ...headers, cookie, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ ...flow, code, language, csrf, ...fields }).toString(),
    })
  return { body: opened.body, send }
}

const person = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }

test.each([
  ['en', 'For me and my team'],
  ['ru', 'Для себя и своей команды'],
  ['cn', '供我和我的团队使用'],
])('billing check 1: offers both uses in %s, the own one preselected', async (language, text) => {
  world = await testApp({ BILLING: '', SIGN_UP: 'auto' })
  const { body } = await open(language)
  expect(body).toContain(text)
  expect(body).toMatch(/value="off"\s+checked/)
  expect(body).not.toMatch(/value="plans"\s+checked/)
})

test.each(['off', 'plans'] as const)('stores the answer %s with the account', async (billing) => {
  world = await testApp({ BILLING: '', SIGN_UP: 'auto' })
  await billingMode(world.app.db)
  const { send } = await open()
  expect((await send({ ...person, billing })).statusCode).toBe(303)
  expect((await getInstallation(world.app.db)).billing).toBe(billing)
  expect(await billingMode(world.app.db)).toBe(billing)
})

test('keeps the choice when a field has to be corrected', async () => {
  world = await testApp({ BILLING: '', SIGN_UP: 'auto' })
  const { send } = await open()
  const again = await send({ ...person, password: 'short', billing: 'plans' })
  expect(again.statusCode).toBe(422)
  expect(again.body).toMatch(/value="plans"\s+checked/)
  expect((await getInstallation(world.app.db)).billing).toBeNull()
})

test('offers nothing where BILLING has answered, nor where sign-up makes no owner', async () => {
  world = await testApp({ BILLING: 'plans', SIGN_UP: 'auto' })
  const answered = await open()
  expect(answered.body).not.toContain('For me and my team')
  await answered.send({ ...person, billing: 'off' })
  expect((await getInstallation(world.app.db)).billing).toBe('plans')
})
