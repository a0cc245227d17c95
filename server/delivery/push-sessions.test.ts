// A browser receives notifications as long as the session that subscribed it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auth } from '#contract/areas/account/auth.ts'
import { sessions } from '#contract/areas/account/sessions.ts'
import { settings as account } from '#contract/areas/account/settings.ts'
import { settings } from '#contract/areas/notifications/settings.ts'
import { hashOf } from '#server/core/secrets.ts'
import { sendNotifications } from '#server/testing/outbox.ts'
import { pushService } from '#server/testing/push-service.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
let push: Awaited<ReturnType<typeof pushService>>
beforeAll(async () => {
  push = await pushService()
  world = await testApp({ ALLOW_PRIVATE_DESTINATIONS: 'on' })
})
afterAll(async () => {
  await world.close()
  await push.close()
})

const dayMs = 86_400_000
let paths = 0

/** Subscribes the browser of a session at a path of its own. */
async function subscribe(as: Person): Promise<string> {
  const path = `/201/${++paths}`
  expect((await push.subscribe(world, as, path)).status).toBe(201)
  return path
}

/** Sends a notification to a user. @returns the paths that received it */
async function reached(as: Person): Promise<string[]> {
  push.got.length = 0
  await world.api(settings.test, { project_id: as.projectId }, { as })
  await sendNotifications(world)
  return push.got.map(({ path }) => path)
}

const isStored = async (path: string): Promise<boolean> => {
  const query = world.app.db.selectFrom('push_subscriptions').select('id')
  return (await query.where('token', '=', hashOf(push.base + path)).executeTakeFirst()) !== undefined
}

const refresh = (person: Person) => world.api(auth.refreshAccess, { app: 'site', refresh: person.refreshToken })
const idOf = async (as: Person): Promise<number> => {
  const { results } = (await world.api(sessions.list, {}, { as })).body
  return results.find(({ current }) => current)?.id ?? 0
}

/** The acts that end a session `phone` of the user of `laptop`. */
const ends: Readonly<Record<string, (phone: Person, laptop: Person) => Promise<unknown>>> = {
  'signing out': (phone) => world.api(auth.logout, { refresh: phone.refreshToken }),
  'closing it from another device': async (phone, laptop) =>
    world.api(sessions.close, { session_id: await idOf(phone) }, { as: laptop }),
  'closing all other sessions': (_, laptop) => world.api(sessions.closeOthers, {}, { as: laptop }),
  'a new password from another device': (_, laptop) =>
    world.api(
      account.password,
      { old_password: laptop.password, new_password: 'another sentence of mine' },
      { as: laptop },
    ),
  'a second use of its refresh token': async (phone) => {
    const { body } = await refresh(phone)
    await refresh({ ...phone, ...body })
    return refresh(phone)
  },
}

test.each(Object.keys(ends))('%s ends the notifications of the browser, and of no other one', async (way) => {
  const laptop = await world.user()
  const phone = await world.signIn(laptop)
  const [atLaptop, atPhone] = [await subscribe(laptop), await subscribe(phone)]
  expect((await reached(laptop)).toSorted()).toEqual([atLaptop, atPhone].toSorted())
  await ends[way]?.(phone, laptop)
  expect([await isStored(atLaptop), await isStored(atPhone)]).toEqual([true, false])
  world.clock.advance(3_600_000)
  const again = await world.signIn(
    way.includes('password') ? { ...laptop, password: 'another sentence of mine' } : laptop,
  )
  expect(await reached(again)).toEqual([atLaptop])
})

test('ends them together with those of a session that was handed over', async () => {
  const laptop = await world.user()
  const { body: handed } = await world.api(auth.appCode, { app: 'mobile' }, { as: laptop })
  const { body: pair } = await world.api(auth.exchange, { code: handed.code, app: 'mobile' })
  const atPhone = await subscribe({ ...laptop, ...pair })
  await world.api(auth.logout, { refresh: laptop.refreshToken })
  expect(await isStored(atPhone)).toBe(false)
})

test('keeps them over refreshes, and ends them when the session was unused for too long', async () => {
  const laptop = await world.user()
  const [atLaptop, atPhone] = [await subscribe(laptop), await subscribe(await world.signIn(laptop))]
  world.clock.advance(20 * dayMs)
  const used = { ...laptop, ...(await refresh(laptop)).body }
  expect((await reached(used)).toSorted()).toEqual([atLaptop, atPhone].toSorted())
  world.clock.advance(11 * dayMs)
  const still = { ...used, ...(await refresh(used)).body }
  expect(await reached(still)).toEqual([atLaptop])
  const { devices } = (await world.api(settings.preferences, {}, { as: still })).body
  expect(devices.map(({ token }) => token)).toEqual([hashOf(push.base + atLaptop)])
})

test('ends them at the longest life of a session', async () => {
  let person = await world.user()
  const path = await subscribe(person)
  const { refreshMaxDays } = world.services.config
  for (let day = 0; day < refreshMaxDays; day += 20) {
    expect(await reached(person)).toEqual([path])
    world.clock.advance(20 * dayMs)
    person = { ...person, ...(await refresh(person)).body }
  }
  world.clock.advance(refreshMaxDays * dayMs)
  const again = await world.signIn(person)
  expect(await reached(again)).toEqual([])
  expect((await world.api(settings.get, { project_id: again.projectId }, { as: again })).body.channels.mobile).toBe(
    false,
  )
})

test('a session that ends while its browser is being subscribed leaves no subscription', async () => {
  const laptop = await world.user()
  for (let round = 0; round < 10; round++) {
    const phone = await world.signIn(laptop)
    const path = `/201/race-${round}`
    await Promise.all([push.subscribe(world, phone, path), world.api(auth.logout, { refresh: phone.refreshToken })])
    expect(await isStored(path)).toBe(false)
  }
})

test('a browser that is subscribed again belongs to the newer session', async () => {
  const laptop = await world.user()
  const path = await subscribe(laptop)
  const again = await world.signIn(laptop)
  expect((await push.subscribe(world, again, path)).status).toBe(201)
  await world.api(auth.logout, { refresh: laptop.refreshToken })
  expect(await reached(again)).toEqual([path])
})
