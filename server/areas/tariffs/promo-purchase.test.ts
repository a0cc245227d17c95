// Purchases with a promo code that lowers the price: quotes, refunds, limits, races and payments. Runs on both databases.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { payments } from '#contract/areas/billing/payments.ts'
import { promos } from '#contract/areas/operator/promos.ts'
import { history } from '#contract/areas/projects/history.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { promo } from '#contract/areas/tariffs/promo.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { storage } from '#contract/areas/tariffs/storage.ts'
import { setBalance } from '#server/testing/billing.ts'
import { StripeWorld } from '#server/testing/pay/stripe-world.ts'
import { newPromo } from '#server/testing/promos.ts'
import { brokenRules } from '#server/testing/tariffs.ts'
import { newOperator, type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
beforeAll(async () => {
  world = await testApp()
})
afterAll(() => world.close())

const reason = 'A test'
const pro = ({ projectId }: Person) => ({ project_id: projectId, plan_restream_id: 3, period: 'month' }) as const
const quote = (person: Person, promo_code: string) =>
  world.api(restream.check, { ...pro(person), use_balance: 1, promo_code }, { as: person })
const buy = (person: Person, more: object) => world.api(restream.buy, { ...pro(person), ...more }, { as: person })
const bonusOf = async (person: Person) =>
  (await world.api(projects.info, { project_id: person.projectId }, { as: person })).body.data.balance_bonus
const usesOf = async (code: string) =>
  (await world.app.db.selectFrom('promo_codes').select('uses').where('code', '=', code).executeTakeFirstOrThrow()).uses

test('lowers the quote and the price by a percentage, once a project, and returns no more than was paid', async () => {
  const ann = await world.user()
  await newPromo(world.app.db, 'FIFTH', { type: 'percent', percent: 20, amounts: {} })
  const before = await bonusOf(ann)
  expect((await quote(ann, ' fifth ')).body).toMatchObject({
    sum: 952,
    promo_off: 238,
    decrease_balance: 952,
    total: 0,
  })
  expect((await quote(ann, ' fifth ')).body.tariff_price_month).toBe(1_190)
  const key = { promo_code: 'Fifth', quote_total: 952, idempotency_key: 'one-purchase' }
  expect((await buy(ann, key)).body).toEqual({ success: true })
  // The answer was lost: the same call buys nothing more.
  expect((await buy(ann, key)).body).toEqual({ success: true })
  expect(await bonusOf(ann)).toBe(before - 952)
  expect(await usesOf('FIFTH')).toBe(1)
  expect((await buy(ann, { promo_code: 'FIFTH' })).error?.name).toBe('PromoUsed')
  const actions = (await world.api(history.list, { project_id: ann.projectId }, { as: ann })).body.results
  expect(actions.map(({ action }) => action)).toEqual(expect.arrayContaining(['promo_applied', 'plan_bought']))
  // Within its first hour a plan that is replaced comes back whole: what was paid, not its list price.
  await buy(ann, { plan_restream_id: 4 })
  expect(await bonusOf(ann)).toBe(before - 2_990)
  expect(await brokenRules({ db: world.app.db, clock: world.clock }, ann.projectId)).toEqual([])
})

test('an amount above the price makes it 0, and credits nothing', async () => {
  const ann = await world.user()
  await newPromo(world.app.db, 'FIFTY', { type: 'fixed', amounts: { usd: 5_000 } })
  await setBalance(world, ann.projectId, { bonus: 0 })
  const check = { project_id: ann.projectId, plan_storage_id: 1, size: 100, period: 'month' } as const
  expect((await world.api(storage.check, { ...check, promo_code: 'FIFTY' }, { as: ann })).body).toMatchObject({
    amount: 0,
    sum: 0,
    promo_off: 600,
    refund_balance: 0,
  })
  const bought = await world.api(storage.buy, { ...check, promo_code: 'FIFTY', quote_total: 0 }, { as: ann })
  expect(bought.body).toEqual({ success: true })
  expect(await bonusOf(ann)).toBe(0)
  // Replacing it returns nothing either.
  await setBalance(world, ann.projectId, { bonus: 10_000 })
  await world.api(storage.buy, { ...check, size: 200 }, { as: ann })
  expect(await bonusOf(ann)).toBe(10_000 - 1_200)
})

test('refuses in words: another currency, an ended code, a code that lowers no price, and the wrong place', async () => {
  const ann = await world.user()
  await newPromo(world.app.db, 'ROUBLEOFF', { type: 'fixed', amounts: { rub: 5_000 } })
  await newPromo(world.app.db, 'LATE', {
    type: 'percent',
    percent: 10,
    amounts: {},
    date_until: '2026-01-01T00:00:00.000Z',
  })
  await newPromo(world.app.db, 'CREDIT')
  await newPromo(world.app.db, 'OPENCODE', { type: 'percent', percent: 10, amounts: {} })
  const refused = {
    ROUBLEOFF: 'PromoOtherCurrency',
    LATE: 'PromoEnded',
    CREDIT: 'PromoNoReduction',
    NOTHING: 'PromoNotFound',
  }
  for (const [code, name] of Object.entries(refused)) {
    expect((await quote(ann, code)).error, code).toMatchObject({ name, msg: expect.stringMatching(/^[A-Z].+\.$/) })
    expect((await buy(ann, { promo_code: code })).error?.name, code).toBe(name)
  }
  const { projectId: project_id } = ann
  expect((await world.api(promo.check, { project_id, code: 'OPENCODE' }, { as: ann })).body).toMatchObject({
    type: 'percent',
    percent: 10,
    amount: null,
  })
  expect((await world.api(promo.apply, { project_id, code: 'OPENCODE' }, { as: ann })).error?.name).toBe(
    'PromoAtPurchase',
  )
  expect(await usesOf('OPENCODE')).toBe(0)
})

test('operators make percentages from 1 to 100 and amounts, and nothing else', async () => {
  const operator = await newOperator(world)
  const make = (more: object) =>
    world.api(promos.create, { code: 'MADE1', name: 'Autumn', reason, type: 'percent', ...more }, { as: operator })
  for (const percent of [200, 0, -5, 10.5]) expect((await make({ percent })).status, String(percent)).toBe(400)
  expect((await make({})).error?.name).toBe('PromoIncomplete')
  expect((await make({ type: 'fixed' })).error?.name).toBe('PromoIncomplete')
  expect((await make({ percent: 15 })).body).toEqual({ success: true })
  expect((await make({ code: 'MADE2', type: 'fixed', amount_usd: 500 })).body).toEqual({ success: true })
  const { results } = (await world.api(promos.list, {}, { as: operator })).body
  expect(results.slice(0, 2)).toMatchObject([
    { code: 'MADE2', type: 'fixed', percent: null, amount_usd: 500, amount_rub: null, plan: null },
    { code: 'MADE1', type: 'percent', percent: 15, amount_usd: null, plan: null },
  ])
})

test('of 10 parallel purchases with the last use of a code exactly one succeeds', async () => {
  await newPromo(world.app.db, 'LASTONE', { type: 'percent', percent: 50, amounts: {}, uses_max: 1 })
  const people: Person[] = []
  for (let at = 0; at < 10; at++) people.push(await world.user())
  const answers = await Promise.all(people.map((person) => buy(person, { promo_code: 'LASTONE', quote_total: 595 })))
  const refusals = answers.flatMap(({ error }) => (error ? [error.name] : []))
  expect(refusals).toEqual(Array(9).fill('PromoEnded'))
  expect(await usesOf('LASTONE')).toBe(1)
  const left = await Promise.all(people.map(bonusOf))
  expect(left.toSorted((a, b) => a - b)).toEqual([18_000 - 595, ...Array<number>(9).fill(18_000)])
  for (const { projectId } of people)
    expect(await brokenRules({ db: world.app.db, clock: world.clock }, projectId)).toEqual([])
})

test.each([
  ['keeps the held quote when the code expires', {}, 'bought', null],
  ['keeps the money when the code is ended', { date_end: '2026-01-01T00:00:00.000Z' }, 'kept', 'PromoEnded'],
  ['keeps the money when the code is used up', { uses: 5 }, 'kept', 'PromoEnded'],
] as const)('%s while the customer pays', async (_, change, outcome, why) => {
  const stripe = await StripeWorld.start()
  try {
    const { db } = stripe.world.app
    const { projectId } = stripe.ann
    await setBalance(stripe.world, projectId, { bonus: 0 })
    const until = new Date(stripe.world.clock.now().getTime() + 3_600_000).toISOString()
    await newPromo(db, 'CHECKOUT', { type: 'percent', percent: 50, amounts: {}, uses_max: 5, date_until: until })
    const plan = { type: 'restream', plan_period: 'month', plan_restream_id: 3, promo_code: 'CHECKOUT' }
    expect((await stripe.create(1_190, plan)).error).toMatchObject({
      name: 'AmountDiffers',
      data: { quote: { amount: 595 } },
    })
    const { payment_id, session } = await stripe.begin(595, plan)
    await stripe.pass(2 * 3_600_000)
    if (Object.keys(change).length > 0)
      await db.updateTable('promo_codes').set(change).where('code', '=', 'CHECKOUT').execute()
    stripe.double.act(session, 'pay')
    await stripe.deliver()
    expect(await stripe.get(payment_id)).toMatchObject({ status: 'success', purchase: { outcome, reason: why } })
    const [slots] = [(await stripe.world.api(restream.slots, { project_id: projectId }, { as: stripe.ann })).body]
    expect(slots.current?.id).toBe(outcome === 'bought' ? 3 : 1)
    expect(await stripe.paid()).toBe(outcome === 'bought' ? 0 : 595)
    const uses = await db.selectFrom('promo_uses').selectAll().where('project_id', '=', projectId).execute()
    expect(uses).toHaveLength(outcome === 'bought' ? 1 : 0)
  } finally {
    await stripe.close()
  }
})

test('stops guesses of codes by quotes, purchases and payments', async () => {
  const limited = await testApp({ RATE_LIMITS: 'on' })
  try {
    const ann = await limited.user()
    const statuses = []
    for (let at = 0; at < 40; at++) {
      const input = { ...pro(ann), promo_code: `GUESS${at}` }
      statuses.push((await limited.api(at % 2 ? restream.check : restream.buy, input, { as: ann })).status)
    }
    expect(statuses.filter((status) => status === 400)).toHaveLength(30)
    expect(statuses.filter((status) => status === 429)).toHaveLength(10)
    const plan = { type: 'restream', plan_period: 'month', plan_restream_id: 3, amount: 595 } as const
    const payment = { ...plan, project_id: ann.projectId, promo_code: 'GUESS41' }
    expect((await limited.api(payments.create, payment, { as: ann })).status).toBe(429)
  } finally {
    await limited.close()
  }
})
