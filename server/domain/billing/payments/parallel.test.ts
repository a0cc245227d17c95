// Billing check 9: purchases and payments of one project at the same time, over two replicas.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { methods } from '#contract/areas/billing/methods.ts'
import { storage } from '#contract/areas/tariffs/storage.ts'
import { transcoding } from '#contract/areas/tariffs/transcoding.ts'
import { getBalance } from '#server/domain/money/ledger.ts'
import { brokenPayments, StripeWorld } from '#server/testing/pay/stripe-world.ts'

let stripe: StripeWorld
beforeEach(async () => {
  stripe = await StripeWorld.start()
})
afterEach(() => stripe.close())

test('billing check 9, I1–I3: 40 purchases and payments at the same time lose and make no money', async () => {
  const { world, ann, double } = stripe
  const other = await world.replica()
  const through = (at: number) => (at % 2 ? other : world.app)
  await stripe.topUp(1_000, { save: 1 })
  const saved = await world.api(methods.list, { project_id: ann.projectId }, { as: ann })
  const method_id = saved.body.results[0]?.method_id
  for (let at = 0; at < 3; at++) double.act((await stripe.begin(500 + at)).session, 'pay')
  const messages = double.messages.splice(0)
  const many = Array.from({ length: 10 }, (_, at) => at)
  const base = { project_id: ann.projectId, period: 'month' } as const
  const charged = await Promise.all([
    ...many.map(async (at) => (await stripe.create(700 + at, { method_id })).status),
    ...many.map((at) => stripe.post(messages[at % messages.length] ?? messages[0]!, through(at))),
    ...many.map(async (at) => {
      const input = { ...base, plan_storage_id: 1, size: 1_000 - 10 * at }
      return (await world.api(storage.buy, input, { as: ann, through: through(at) })).status
    }),
    ...many.map(async (at) => {
      const input = { ...base, plan_transcoding_id: 2, count: 1 + at }
      return (await world.api(transcoding.buy, input, { as: ann, through: through(at) })).status
    }),
  ])
  await stripe.checked()
  expect(await brokenPayments(stripe)).toEqual([])
  const held = await getBalance(world.app.db, ann.projectId)
  expect(Math.min(held.bonus, held.payment, held.profit)).toBeGreaterThanOrEqual(0)
  // Of each kind at least one succeeds; the others may be refused, for example with `TooManyPayments`.
  for (let kind = 0; kind < 4; kind++)
    expect(charged.slice(kind * 10, kind * 10 + 10).filter((status) => status < 300).length).toBeGreaterThan(0)
  const { db } = world.app
  const credits = await db
    .selectFrom('ledger_transactions')
    .select('payment_id')
    .where('type', '=', 'payment')
    .execute()
  expect(new Set(credits.map(({ payment_id }) => payment_id)).size).toBe(credits.length)
})
