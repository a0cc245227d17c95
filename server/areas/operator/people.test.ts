// People of the installation: operators, sessions, and the mode of sign-up.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { auth } from '#contract/areas/account/auth.ts'
import { history } from '#contract/areas/notifications/history.ts'
import { customers } from '#contract/areas/operator/customers.ts'
import { people } from '#contract/areas/operator/people.ts'
import { settings } from '#contract/areas/operator/settings.ts'
import { transaction } from '#server/db/transaction.ts'
import { notifyOfMoney } from '#server/domain/notifications/operators.ts'
import { newOperator, type Person, testApp, type World } from '#server/testing/test-app.ts'

const reason = 'A test'
let world: World
let operator: Person
beforeEach(async () => {
  world = await testApp({ SIGN_UP: 'open' })
  operator = await newOperator(world)
})
afterEach(() => world.close())

const set = (person: Person, isOperator: boolean, as = operator) =>
  world.api(people.setOperator, { user_id: person.id, operator: isOperator, reason }, { as })
const list = async (input: object = {}) => (await world.api(people.list, input, { as: operator })).body.results

test('finds users, with their right, projects and sessions', async () => {
  const zoe = await world.user('Zoe')
  await world.signIn(zoe)
  expect(await list({ query: 'zoe' })).toMatchObject([
    { user_id: zoe.id, name: 'Zoe', email: zoe.email, operator: false, projects: 1, sessions: 2 },
  ])
  expect((await list({ operators: true })).map((one) => one.user_id)).toEqual([operator.id])
  for (const query of ['%', "'; drop table users; --"]) expect(await list({ query }), query).toEqual([])
})

test('makes and removes operators, but not the last one, also when two remove each other', async () => {
  expect((await set(operator, false)).error?.name).toBe('LastOperator')
  const zoe = await world.user('Zoe')
  expect((await set(zoe, true)).status).toBe(200)
  expect((await set(zoe, true)).error?.name).toBe('OperatorAlready')
  expect((await world.api(customers.search, {}, { as: zoe })).status).toBe(200)
  const waiting = { kind: 'operator_payout', ref: 1, projectId: zoe.projectId, amount: 100, currency: 'usd' } as const
  await transaction(world.app.db, (trx) => notifyOfMoney(world.services, trx, waiting))
  const notices = async (person: Person) => (await world.api(history.list, {}, { as: person })).body.total
  expect([await notices(operator), await notices(zoe)]).toEqual([1, 1])

  const both = await Promise.all([set(operator, false, zoe), set(zoe, false)])
  expect(both.filter(({ status }) => status === 200)).toHaveLength(1)
  const left = await world.app.db.selectFrom('operators').select('user_id').execute()
  expect(left).toHaveLength(1)
  const gone = left[0]?.user_id === zoe.id ? operator : zoe
  expect((await world.api(customers.search, {}, { as: gone })).status).toBe(403)
  expect(await notices(gone)).toBe(0)
  expect((await set({ ...zoe, id: 2_000_000_000 }, true, gone === zoe ? operator : zoe)).error?.name).toBe(
    'UserNotFound',
  )
})

test('ends all sessions of a user, and of the caller all others', async () => {
  const zoe = await world.user('Zoe')
  const phone = await world.signIn(zoe)
  const end = (person: Person) => world.api(people.endSessions, { user_id: person.id, reason }, { as: operator })
  expect((await end(zoe)).body).toEqual({ ended: 2 })
  for (const one of [zoe, phone]) expect((await world.api(auth.me, {}, { as: one })).status).toBe(401)
  await world.signIn(operator)
  expect((await end(operator)).body).toEqual({ ended: 1 })
  expect((await world.api(auth.me, {}, { as: operator })).status).toBe(200)
})

test('changes the mode of sign-up, and creates links that work in every mode', async () => {
  const isOpen = async () => (await world.api(auth.clientConfiguration, {})).body.signUp
  const mode = async () => (await world.api(settings.get, {}, { as: operator })).body.sign_up
  expect([await isOpen(), await mode()]).toEqual([true, 'open'])
  await world.api(people.setSignUp, { sign_up: 'closed', reason }, { as: operator })
  expect([await isOpen(), await mode()]).toEqual([false, 'closed'])
  await world.api(people.setSignUp, { sign_up: 'auto', reason }, { as: operator })
  expect([await isOpen(), await mode()]).toEqual([true, 'auto'])
  const { url } = (await world.api(people.invite, { reason }, { as: operator })).body
  expect(url).toMatch(/\/sign-in\?invite=[\w-]{20,}$/)
})
