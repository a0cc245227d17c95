// Guesses of keys, codes and passwords over two replicas: together they have the limit of one.
import { afterEach, expect, test } from 'vitest'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { promo } from '#contract/areas/tariffs/promo.ts'
import { settings } from '#contract/areas/account/settings.ts'
import { eventually } from '#server/testing/eventually.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
afterEach(() => world.close())

type Through = World['app']
const perMinute = {
  key: {
    allowed: 30,
    guess: (through: Through) => world.api(broadcasts.longpoll, { key: 'wrong', wait: 0 }, { through }),
  },
  code: {
    allowed: 10,
    guess: (through: Through, as: Person) =>
      world.api(promo.check, { project_id: as.projectId, code: 'WRONG' }, { as, through }),
  },
  password: {
    allowed: 10,
    guess: (through: Through, as: Person) =>
      world.api(settings.password, { old_password: 'wrong', new_password: 'a password of guesses' }, { as, through }),
  },
} as const

// A file has one service.
test.skipIf(!process.env['DATABASE_URL']).each(['key', 'code', 'password'] as const)(
  'two replicas together refuse a wrong %s as one does',
  async (name) => {
    world = await testApp({ RATE_LIMITS: 'on' })
    const other = await world.replica()
    const ann = await world.user()
    await eventually(() => [world.app, other].every(({ services }) => services.bus.state().isUp))
    const { allowed, guess } = perMinute[name]
    for (let n = 0; n < allowed / 2; n++)
      for (const through of [world.app, other]) expect((await guess(through, ann)).status).toBe(400)
    // The count of the other replica is on its way for some milliseconds.
    await new Promise((resolve) => setTimeout(resolve, 500))
    for (const through of [world.app, other]) expect((await guess(through, ann)).status).toBe(429)
    world.clock.advance(60_000)
    expect((await guess(world.app, ann)).status).toBe(400)
  },
)
