// Acting users and payments of movements, from real settlements, as both views of the ledger answer them. A debt holds money.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { moneyFlow } from '#contract/areas/billing/money-flow.ts'
import { payouts } from '#contract/areas/billing/payouts.ts'
import { referrals } from '#contract/areas/billing/referrals.ts'
import { transactions } from '#contract/areas/billing/transactions.ts'
import { transfers } from '#contract/areas/billing/transfers.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { transaction } from '#server/db/transaction.ts'
import { earnReferrals } from '#server/domain/billing/referrals/referrals.ts'
import { updatePercent } from '#server/domain/billing/referrals/store.ts'
import { getBalance } from '#server/domain/money/ledger.ts'
import { upgrade } from '#server/testing/channels.ts'
import { newWay } from '#server/testing/promos.ts'
import { StripeWorld } from '#server/testing/pay/stripe-world.ts'
import { topUp } from '#server/testing/tariffs.ts'
import { planWithTeams } from '#server/testing/team.ts'

const day = 86_400_000
const nothing = { bonus: 0, payment: 0, profit: 0 }

let stripe: StripeWorld
beforeEach(async () => {
  stripe = await StripeWorld.start()
})
afterEach(() => stripe.end())

const flow = async () =>
  (await stripe.world.api(moneyFlow.list, { project_id: stripe.ann.projectId }, { as: stripe.ann })).body.results
const moves = async () =>
  (await stripe.world.api(transactions.list, { project_id: stripe.ann.projectId }, { as: stripe.ann })).body.results
const holdAlso = (change: Partial<typeof nothing>) =>
  topUp({ db: stripe.world.app.db, clock: stripe.world.clock }, stripe.ann.projectId, { ...nothing, ...change })

test('names the user of a purchase, of a switch and of a cancellation', async () => {
  const { world, ann } = stripe
  await holdAlso({ payment: 100_000 })
  const project_id = ann.projectId
  for (const plan_restream_id of [2, 3, 2]) {
    world.clock.advance(60_000)
    const bought = await world.api(restream.buy, { project_id, plan_restream_id, period: 'month' }, { as: ann })
    expect(bought.error).toBeUndefined()
  }
  expect((await world.api(restream.cancelNext, { project_id, plan_restream_id: 2 }, { as: ann })).status).toBe(200)
  const made = (await moves()).filter(({ code }) => ['plan_restream_buy', 'refund'].includes(code.name))
  expect(made.map(({ code, user_id }) => [code.name, user_id])).toEqual([
    ['refund', ann.id],
    ['plan_restream_buy', ann.id],
    ['plan_restream_buy', ann.id],
    ['refund', ann.id],
    ['plan_restream_buy', ann.id],
  ])
  const [cancelled] = await flow()
  expect(cancelled).toMatchObject({ type: 'refund', payment_id: null, user_: { user_id: ann.id, name: 'Ann' } })
})

test('names the payment and its user for the top-up, the plan that it pays for, and what the provider takes back', async () => {
  const { ann, double } = stripe
  const space = { type: 'storage', plan_period: 'year', plan_storage_id: 1, plan_storage_value: 1000 }
  const { error } = await stripe.create(123, space)
  const quote = error?.data['quote'] as { readonly amount: number }
  const { payment_id, session } = await stripe.topUp(quote.amount, space)
  double.tell('charge.dispute.created', double.state.dispute(session.payment_intent ?? '', quote.amount))
  await stripe.deliver()
  const made = (await moves()).filter(({ paymentId }) => paymentId !== null)
  expect(made.map(({ code, user_id, paymentId }) => [code.name, user_id, paymentId])).toEqual([
    ['payment_cancel', ann.id, payment_id],
    ['plan_storage_buy', ann.id, payment_id],
    ['payment', ann.id, payment_id],
  ])
  const paid = (await flow()).filter((row) => row.payment_id !== null)
  expect(paid.map(({ type, user_ }) => [type, user_?.user_id])).toContainEqual(['payment', ann.id])
})

test('billing check 10: a project with a debt can neither pay out nor move its earned balance', async () => {
  const { world, ann, double } = stripe
  const way = await newWay(world.app.db)
  await holdAlso({ payment: 100_000 })
  await upgrade(world, ann, planWithTeams)
  const team = await world.api(projects.create, { name: 'Team', currency: 'usd' }, { as: ann })
  const { session } = await stripe.topUp(2_500)
  const { payment } = await getBalance(world.app.db, ann.projectId)
  await holdAlso({ payment: -payment })
  double.tell('charge.dispute.created', double.state.dispute(session.payment_intent ?? '', 2_500))
  await stripe.deliver()
  // Bonus pays no debt, and the earned balance is booked past it.
  await world.app.db
    .updateTable('wallets')
    .set({ profit_minor: 3_000 })
    .where('project_id', '=', ann.projectId)
    .execute()
  const wallet_value = '4000 0000 0000 1234'
  const asked = { project_id: ann.projectId, payout_system_account_id: way, amount: 2_000, wallet_value }
  expect((await world.api(payouts.create, asked, { as: ann })).error).toMatchObject({
    name: 'DebtOpen',
    data: { debt: 2_500 },
  })
  const move = { project_id: ann.projectId, to_project_id: team.body.internal_id, amount: 1_000 }
  expect((await world.api(transfers.move, move, { as: ann })).error?.name).toBe('DebtOpen')
  expect((await getBalance(world.app.db, ann.projectId)).profit).toBe(3_000)
  await world.app.db.updateTable('wallets').set({ profit_minor: 0 }).where('project_id', '=', ann.projectId).execute()
})

test('a settled payment earns the inviter a share, which a refund at the provider reverses', async () => {
  const { world, double, ann: inviter } = stripe
  await transaction(world.app.db, (trx) => updatePercent(trx, 1000))
  const payer = await world.user('Maria')
  const { ref_id: code } = await world.app.db
    .selectFrom('users')
    .select('ref_id')
    .where('id', '=', inviter.id)
    .executeTakeFirstOrThrow()
  expect((await world.api(referrals.join, { code }, { as: payer })).error).toBeUndefined()
  stripe.ann = payer
  const { session } = await stripe.topUp(10_000)
  const profit = async () => (await getBalance(world.app.db, inviter.projectId)).profit
  const earn = () => earnReferrals(world.services)
  await earn()
  expect(await profit()).toBe(0)
  await stripe.pass(31 * day)
  await earn()
  expect(await profit()).toBe(1_000)
  for (const left of [750, 0]) {
    double.state.refund(session.payment_intent ?? '', left === 0 ? 7_500 : 2_500, {})
    double.tell('payment_intent.succeeded', double.state.intents.get(session.payment_intent ?? '') ?? {})
    await stripe.deliver()
    await earn()
    expect(await profit()).toBe(left)
  }
  const as = await world.signIn(inviter)
  const earned = await world.api(transactions.list, { project_id: inviter.projectId, code: 'referral_profit' }, { as })
  expect(earned.body.results.map(({ sum, referral_id }) => [sum, referral_id])).toEqual([
    ['-750', payer.projectId],
    ['-250', payer.projectId],
    ['1000', payer.projectId],
  ])
})
