// Operators confirm their sign-in again after 15 minutes, for every change of theirs.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { settings as account } from '#contract/areas/account/settings.ts'
import { settings } from '#contract/areas/operator/settings.ts'
import { operations } from '#contract/index.ts'
import { requestOf } from '#server/testing/request.ts'
import { newOperator, type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
let operator: Person
beforeAll(async () => {
  world = await testApp({ ACCESS_TTL: '86400' })
  operator = await newOperator(world)
  world.clock.advance(15 * 60_000 + 1)
})
afterAll(() => world.close())

const changes = operations.filter(({ auth, kind }) => auth === 'operator' && kind === 'write')

test.each(changes.map((op) => [op.id, op] as const))('%s needs a sign-in of the last 15 minutes', async (_, op) => {
  const { statusCode, body } = await world.app.inject(requestOf(op, {}, { as: operator }))
  expect([statusCode, JSON.parse(body).error.name]).toEqual([400, 'SignInAgain'])
})

test('reads need none, and a confirmation makes the sign-in new', async () => {
  expect((await world.api(settings.get, {}, { as: operator })).status).toBe(200)
  const change = { bonus_rub: 0, bonus_usd: 0, reason: 'a test' }
  expect((await world.api(settings.setBonus, change, { as: operator })).error?.name).toBe('SignInAgain')
  await world.api(account.confirm, { password: operator.password }, { as: operator })
  expect((await world.api(settings.setBonus, change, { as: operator })).status).toBe(200)
})
