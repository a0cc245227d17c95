// Promo codes over HTTP: check, apply, limits of use, guessing.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projects } from '#contract/areas/projects/projects.ts'
import { promo } from '#contract/areas/tariffs/promo.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { newPromo } from '#server/testing/promos.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
beforeAll(async () => {
  world = await testApp()
})
afterAll(() => world.close())

const inMine = ({ projectId }: Person) => ({ project_id: projectId })
const check = (person: Person, code: string) => world.api(promo.check, { ...inMine(person), code }, { as: person })
const apply = (person: Person, code: string) => world.api(promo.apply, { ...inMine(person), code }, { as: person })
const bonusOf = async (person: Person) =>
  (await world.api(projects.info, inMine(person), { as: person })).body.data.balance_bonus

test('credits the bonus balance once a project, in upper or lower case', async () => {
  const [ann, eve] = [await world.user(), await world.user()]
  await newPromo(world.app.db, 'HELLO5')
  expect((await check(ann, ' hello5 ')).body).toMatchObject({
    type: 'top_up',
    amount: 500,
    currency: 'usd',
    plan: null,
  })
  const before = await bonusOf(ann)
  expect((await apply(ann, 'Hello5')).body).toEqual({ result: 'top_up' })
  expect(await bonusOf(ann)).toBe(before + 500)
  expect((await apply(ann, 'HELLO5')).error?.name).toBe('PromoUsed')
  expect((await check(ann, 'HELLO5')).error?.name).toBe('PromoUsed')
  expect(await bonusOf(ann)).toBe(before + 500)
  expect((await apply(eve, 'HELLO5')).body).toEqual({ result: 'top_up' })
})

test('gives a plan that begins or prolongs, and never replaces a bought one', async () => {
  const ann = await world.user()
  const plan = JSON.stringify({ planId: 2, period: 'month' })
  for (const code of ['PLAN1', 'PLAN2', 'PLAN3']) await newPromo(world.app.db, code, { type: 'restream', plan })
  expect((await check(ann, 'PLAN1')).body).toMatchObject({ amount: null, plan: { id: 2, title: 'Start' } })
  const slots = async () => (await world.api(restream.slots, inMine(ann), { as: ann })).body
  expect((await apply(ann, 'PLAN1')).body).toEqual({ result: 'tariff' })
  const first = (await slots()).current
  expect(first?.id).toBe(2)
  expect((await apply(ann, 'PLAN2')).body).toEqual({ result: 'tariff' })
  const second = (await slots()).current
  expect(second?.date_end && first?.date_end && second.date_end > first.date_end).toBe(true)
  await world.api(restream.buy, { ...inMine(ann), plan_restream_id: 4, period: 'month' }, { as: ann })
  expect((await apply(ann, 'PLAN3')).error?.name).toBe('PromoNotNow')
  expect((await slots()).current?.id).toBe(4)
  // A refused code is not used up.
  expect((await check(ann, 'PLAN3')).error).toBeUndefined()
})

test.each([
  ['unknown', {}, 'PromoNotFound'],
  ['ENDED', { date_end: '2026-01-01T00:00:00.000Z' }, 'PromoEnded'],
  ['EXPIRED', { date_until: '2026-01-02T00:00:00.000Z' }, 'PromoEnded'],
  ['USEDUP', { uses_max: 0 }, 'PromoEnded'],
  ['ROUBLES', { amounts: { rub: 500 } }, 'PromoOtherCurrency'],
])('refuses the code %s', async (code, change, name) => {
  const ann = await world.user()
  if (code !== 'unknown') await newPromo(world.app.db, code, change)
  for (const call of [check, apply]) expect((await call(ann, code)).error?.name).toBe(name)
})

test('billing check 13: stops 1,000 promo guesses', async () => {
  const limited = await testApp({ RATE_LIMITS: 'on' })
  try {
    const ann = await limited.user()
    await newPromo(limited.app.db, 'GUESS999')
    const guess = (at: number) =>
      limited.api(at % 2 === 0 ? promo.check : promo.apply, { ...inMine(ann), code: `GUESS${at}` }, { as: ann })
    const statuses = (await Promise.all(Array.from({ length: 1000 }, (_, at) => guess(at)))).map(({ status }) => status)
    expect(statuses.filter((status) => status === 400)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(990)
  } finally {
    await limited.close()
  }
})

test('is off where nothing is sold', async () => {
  const other = await testApp({ BILLING: 'off' })
  try {
    const ann = await other.user()
    await newPromo(other.app.db, 'HELLO5')
    const refused = await other.api(promo.apply, { project_id: ann.projectId, code: 'HELLO5' }, { as: ann })
    expect(refused.error?.name).toBe('PaymentsOff')
  } finally {
    await other.close()
  }
})
