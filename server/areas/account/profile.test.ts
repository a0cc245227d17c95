// User profile and avatar over HTTP.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auth } from '#contract/areas/account/auth.ts'
import { profile, usersProfile } from '#contract/areas/account/profile.ts'
import { testApp, type World } from '#server/testing/test-app.ts'

let world: World
beforeAll(async () => {
  world = await testApp()
})
afterAll(() => world.close())

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 1, 2, 3])
const picture = (bytes: Uint8Array<ArrayBuffer>, type = 'image/png') => new File([bytes], 'me.png', { type })

test('returns the same profile under both paths', async () => {
  const ann = await world.user()
  const { body } = await world.api(profile.get, {}, { as: ann })
  expect(body).toMatchObject({
    id: ann.id,
    firstName: 'Ann',
    balance: 18_000,
    currency: 'usd',
    lastProjectId: ann.projectId,
  })
  expect((await world.api(usersProfile.get, { project_id: ann.projectId }, { as: ann })).body).toEqual(body)
  const bob = await world.user('Bob')
  expect((await world.api(profile.get, { project_id: bob.projectId }, { as: ann })).status).toBe(403)
})

test('changes name and avatar, and serves the avatar with its real content type', async () => {
  const ann = await world.user()
  const change = { first_name: 'Анна', last_name: '安' }
  expect((await world.api(profile.update, { ...change, avatar: picture(png) }, { as: ann })).body).toEqual({
    success: true,
  })
  const me = await world.api(auth.me, {}, { as: ann })
  expect(me.body).toMatchObject({ firstName: 'Анна', lastName: '安' })
  const served = await world.app.inject(new URL(me.body.photo ?? '').pathname)
  expect(served.headers).toMatchObject({ 'content-type': 'image/png', 'x-content-type-options': 'nosniff' })
  expect(served.rawPayload).toEqual(Buffer.from(png))

  await world.api(profile.update, { ...change, avatar: picture(png) }, { as: ann })
  expect(await world.app.db.selectFrom('files').select('name').execute()).toHaveLength(1)
  await world.api(profile.update, change, { as: ann })
  expect((await world.api(auth.me, {}, { as: ann })).body.photo).toMatch(/\.png$/)
})

test('serves an avatar on every replica, also one from the data folder of 0.1.0', async () => {
  const ann = await world.user()
  await world.api(profile.update, { first_name: 'A', last_name: '', avatar: picture(png) }, { as: ann })
  const stored = new URL((await world.api(auth.me, {}, { as: ann })).body.photo ?? '').pathname
  const folder = join(world.dataDir, 'files')
  mkdirSync(folder)
  writeFileSync(join(folder, 'earlier.jpg'), 'a picture of 0.1.0')
  const other = await world.replica()
  expect(readdirSync(folder)).toEqual([])
  for (const app of [world.app, other]) {
    expect((await app.inject(stored)).rawPayload).toEqual(Buffer.from(png))
    const earlier = await app.inject('/files/earlier.jpg')
    expect([earlier.statusCode, earlier.headers['content-type'], earlier.body]).toEqual([
      200,
      'image/jpeg',
      'a picture of 0.1.0',
    ])
    expect((await app.inject('/files/none.png')).statusCode).toBe(404)
  }
})

test('refuses an avatar that is too large or no image, regardless of its declared type', async () => {
  const ann = await world.user()
  const send = (avatar: File) => world.api(profile.update, { first_name: 'A', last_name: '', avatar }, { as: ann })
  const script = new TextEncoder().encode('<svg onload=alert(1)>')
  expect((await send(picture(script))).error?.name).toBe('PictureFormat')
  const large = new Uint8Array(2 * 1024 * 1024 + 1)
  large.set(png)
  expect((await send(picture(large))).status).toBe(413)
  expect((await send(picture(png.slice(0, 4)))).status).toBe(400)
})

test('refuses a malformed form and a form with a repeated field', async () => {
  const ann = await world.user()
  const headers = { authorization: `oauth ${ann.accessToken}` }
  const post = (payload: FormData | string, type?: string) =>
    world.app.inject({
      method: 'POST',
      url: profile.update.path,
      headers: type === undefined ? headers : { ...headers, 'content-type': type },
      payload,
    })
  const twice = new FormData()
  for (const name of ['A', 'B']) twice.append('first_name', name)
  twice.append('last_name', '')
  expect((await post(twice)).statusCode).toBe(400)
  expect((await post('{}', 'application/json')).statusCode).toBe(415)
  expect((await post('broken', 'multipart/form-data; boundary=x')).statusCode).toBe(400)
  expect((await post('broken', 'multipart/form-data')).statusCode).toBe(400)
  const long = new FormData()
  long.append('first_name', 'x'.repeat(256))
  long.append('last_name', '')
  expect((await post(long)).statusCode).toBe(400)
})
