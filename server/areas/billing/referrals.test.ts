// Referrals: joining by a link, and earnings that wait, follow refunds and never stay within one circle.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { profile } from '#contract/areas/account/profile.ts'
import { payouts } from '#contract/areas/billing/payouts.ts'
import { referrals } from '#contract/areas/billing/referrals.ts'
import { transaction } from '#server/db/transaction.ts'
import { earningOf, earnReferrals } from '#server/domain/billing/referrals/referrals.ts'
import { updatePercent } from '#server/domain/billing/referrals/store.ts'
import { emptyBalance } from '#server/domain/money/balance.ts'
import { getBalance } from '#server/domain/money/ledger.ts'
import { getDebt } from '#server/domain/money/store.ts'
import { newWay } from '#server/testing/promos.ts'
import { brokenRules, topUp } from '#server/testing/tariffs.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

const day = 86_400_000
let world: World
let seq = 0
beforeAll(async () => {
  world = await testApp()
  await transaction(world.app.db, (trx) => updatePercent(trx, 1000))
})
afterAll(() => world.close())

const codeOf = async (person: Person) =>
  (await world.app.db.selectFrom('users').select('ref_id').where('id', '=', person.id).executeTakeFirstOrThrow()).ref_id
const join = async (person: Person, inviter: Person) =>
  world.api(referrals.join, { code: await codeOf(inviter) }, { as: person })
const infoOf = async (person: Person) => {
  const as = await world.signIn(person)
  return (await world.api(referrals.info, { project_id: person.projectId }, { as })).body
}
const profitOf = async ({ projectId }: Person) => (await getBalance(world.app.db, projectId)).profit

/** Two users, the second invited by the first. */
async function pair(): Promise<readonly [Person, Person]> {
  const [ann, bob] = [await world.user('Ann'), await world.user('Bob')]
  expect((await join(bob, ann)).error).toBeUndefined()
  return [ann, bob]
}

/** Records a settled payment of a project. @returns its id */
async function pay({ projectId, id }: Person, amount: number, currency: 'usd' | 'rub' = 'usd'): Promise<number> {
  const payment = await world.app.db
    .insertInto('payments')
    .values({
      uuid: `payment-${++seq}`,
      project_id: projectId,
      user_id: id,
      provider: 'stripe',
      pay_system_id: 1,
      currency,
      amount_minor: amount,
      type: 'topup',
      status: 'success',
      credited_minor: amount,
      date_create: world.clock.now().toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return payment.id
}
const refund = (payment_id: number, taken_minor: number) =>
  world.app.db
    .insertInto('payment_refunds')
    .values({
      uuid: `refund-${++seq}`,
      payment_id,
      requested_minor: taken_minor,
      taken_minor,
      state: 'booked',
      date_create: world.clock.now().toISOString(),
    })
    .execute()

const earn = () => earnReferrals(world.services)

test('counts invited users, and answers the link of the owner', async () => {
  const [ann] = await pair()
  const info = await infoOf(ann)
  expect(info).toMatchObject({ members: 1, percent: 10, profit: { usd: 0, rub: 0 }, waiting: { usd: 0, rub: 0 } })
  expect(info.link).toMatch(/\/sign-in\?ref=\d{9}$/)
})

test('books the share after 30 days, once', async () => {
  const [ann, bob] = await pair()
  await pay(bob, 1999)
  await earn()
  expect(await profitOf(ann)).toBe(0)
  expect((await infoOf(ann)).waiting.usd).toBe(199)
  world.clock.advance(30 * day)
  await Promise.all([earn(), earn()])
  await earn()
  expect(await profitOf(ann)).toBe(199)
  expect(await infoOf(ann)).toMatchObject({ profit: { usd: 199, rub: 0 }, waiting: { usd: 0, rub: 0 } })
  const as = await world.signIn(ann)
  expect((await world.api(profile.get, {}, { as })).body).toMatchObject({ partners: 1, referralsIncome: '199' })
})

test('reverses the share with a refund', async () => {
  const [ann, bob] = await pair()
  const payment = await pay(bob, 10_000)
  await earn()
  world.clock.advance(30 * day)
  await earn()
  expect(await profitOf(ann)).toBe(1000)
  await refund(payment, 2500)
  await earn()
  expect(await profitOf(ann)).toBe(750)
  await refund(payment, 7500)
  await earn()
  expect(await profitOf(ann)).toBe(0)
  expect(await brokenRules({ db: world.app.db, clock: world.clock }, ann.projectId)).toEqual([])
})

test('recovers a share that was paid out: from the paid-in balance, and the rest as a debt', async () => {
  const [ann, bob] = await pair()
  const payment = await pay(bob, 10_000)
  await earn()
  world.clock.advance(30 * day)
  await earn()
  await topUp({ db: world.app.db, clock: world.clock }, ann.projectId, { ...emptyBalance, payment: 300 })
  const as = await world.signIn(ann)
  const way = await newWay(world.app.db)
  const request = { project_id: ann.projectId, payout_system_account_id: way, amount: 1000, wallet_value: 'IBAN 1' }
  expect((await world.api(payouts.create, request, { as })).error).toBeUndefined()
  await refund(payment, 10_000)
  await earn()
  await earn()
  expect(await getBalance(world.app.db, ann.projectId)).toMatchObject({ profit: 0, payment: 0 })
  expect(await getDebt(world.app.db, ann.projectId)).toBe(700)
  // The next share pays the debt.
  await pay(bob, 20_000)
  await earn()
  world.clock.advance(30 * day)
  await earn()
  expect(await profitOf(ann)).toBe(1300)
  expect(await getDebt(world.app.db, ann.projectId)).toBe(0)
  expect(await brokenRules({ db: world.app.db, clock: world.clock }, ann.projectId)).toEqual([])
})

test('books nothing for a payment that was refunded while it waited', async () => {
  const [ann, bob] = await pair()
  await refund(await pay(bob, 10_000), 10_000)
  await earn()
  world.clock.advance(31 * day)
  await earn()
  expect(await profitOf(ann)).toBe(0)
})

test('earns nothing between projects that share a member or a card, and after 12 months', async () => {
  const [ann, bob] = await pair()
  await world.join(bob, ann.projectId, 0)
  const [kim, lee] = await pair()
  for (const { projectId } of [kim, lee]) {
    await world.app.db
      .insertInto('payment_methods')
      .values({
        project_id: projectId,
        provider: 'stripe',
        token_sealed: 'sealed',
        token_hash: 'the same card',
        title: 'Visa •••• 4242',
        date_create: world.clock.now().toISOString(),
      })
      .execute()
  }
  const [max, zoe] = await pair()
  await pay(bob, 10_000)
  await pay(lee, 10_000)
  world.clock.advance(366 * day)
  await pay(zoe, 10_000)
  await earn()
  world.clock.advance(31 * day)
  await earn()
  for (const person of [ann, kim, max]) expect(await profitOf(person)).toBe(0)
})

test('keeps an earning in another currency waiting', async () => {
  const [ann, bob] = await pair()
  await pay(bob, 10_000, 'rub')
  await earn()
  world.clock.advance(31 * day)
  await earn()
  expect(await infoOf(ann)).toMatchObject({ profit: { usd: 0, rub: 0 }, waiting: { usd: 0, rub: 1000 } })
})

test('refuses a second inviter, the own code, an unknown code, and an older account', async () => {
  const [ann, bob] = await pair()
  const refused = async (person: Person, inviter: Person) => (await join(person, inviter)).error?.name
  expect(await refused(bob, ann)).toBe('ReferralRejected')
  expect(await refused(ann, ann)).toBe('ReferralRejected')
  expect(await refused(ann, bob)).toBe('ReferralRejected')
  const unknown = await world.api(referrals.join, { code: '1' }, { as: await world.user() })
  expect(unknown.error?.name).toBe('ReferralRejected')
  const late = await world.user()
  world.clock.advance(day + 1)
  expect(await refused(await world.signIn(late), ann)).toBe('ReferralRejected')
})

test.each([
  [1999, 1000, 199],
  [1, 9999, 0],
  [-5, 1000, 0],
  [300_000_000_000, 10_000, 300_000_000_000],
])('of %i at %i hundredths of a percent, %i is earned: rounded down', (net, percent, wanted) => {
  expect(earningOf(net, percent)).toBe(wanted)
})
