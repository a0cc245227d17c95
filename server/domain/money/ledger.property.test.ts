// Property of any sequence of movements of every type: the entries of each transaction sum to zero in one currency, and each
// balance is the sum of its entries and never negative. Runs on both databases.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transaction } from '#server/db/transaction.ts'
import { fundedProject, type TariffWorld, tariffWorld } from '#server/testing/tariffs.ts'
import { type Balance, balanceTypes, emptyBalance } from './balance.ts'
import { bookedFlows, counterAccountOf, type MoneyFlow } from './accounts.ts'
import { balanceMaxMinor, book, getBalance, lockWallet } from './ledger.ts'

let world: TariffWorld
beforeAll(async () => {
  world = await tariffWorld('2026-11-01T00:00:00.000Z')
})
afterAll(() => world.close())

const providers = ['invoice', 'stripe', 'yookassa', 'paypal'] as const
const amount = fc.oneof(fc.integer({ min: -50_000, max: 50_000 }), fc.constantFrom(0, 1, -1))
const change = fc.record({ bonus: amount, payment: amount, profit: amount })
const movement = fc.record({
  type: fc.constantFrom(...bookedFlows),
  provider: fc.constantFrom(...providers),
  change,
  debt: fc.constantFrom(0, 0, -1, -900),
})

type Drawn = typeof movement extends fc.Arbitrary<infer T> ? T : never

const isPayment = (type: MoneyFlow) => type === 'payment' || type === 'payment_cancel'

/** Books a movement, and expects the refusals of one that the balance or a debt does not allow. */
async function tryToBook(projectId: number, { type, provider, change: wanted, debt }: Drawn) {
  const { db, clock } = world
  const held = await getBalance(db, projectId)
  const allowed = balanceTypes.every((one) => held[one] + wanted[one] >= 0)
  let owing = false
  const run = transaction(db, async (trx) => {
    const wallet = await lockWallet(trx, projectId)
    owing = wallet.debt > 0
    await book(trx, clock.now().toISOString(), wallet, {
      type,
      currency: wallet.currency,
      change: wanted,
      ...(isPayment(type) ? { provider, receivable: debt } : {}),
    })
  })
  const outcome = await run.catch((error: Error) => error)
  if (owing && outcome instanceof Error && outcome.name === 'DebtOpen') return
  if (allowed) await run
  else await expect(run).rejects.toThrow(`${type} would overdraw the balance of project ${projectId}`)
}

test('entries of each transaction sum to zero, and each balance is the sum of its entries', async () => {
  const { db } = world
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('rub' as const, 'usd' as const),
      fc.array(movement, { minLength: 1, maxLength: 25 }),
      async (currency, movements) => {
        const projectId = await fundedProject(world, currency, { bonus: 20_000, payment: 20_000, profit: 20_000 })
        for (const one of movements) await tryToBook(projectId, one)
        const entries = await db.selectFrom('ledger_entries').selectAll().where('project_id', '=', projectId).execute()
        const sums = new Map<number, number>()
        for (const entry of entries) {
          sums.set(entry.transaction_id, (sums.get(entry.transaction_id) ?? 0) + entry.amount_minor)
        }
        expect([...sums].filter(([, sum]) => sum !== 0)).toEqual([])
        expect(new Set(entries.map((entry) => entry.currency))).toEqual(new Set([currency]))
        const held = await getBalance(db, projectId)
        for (const type of balanceTypes) {
          const own = entries.filter(({ account }) => account === type)
          expect(own.reduce((sum, entry) => sum + entry.amount_minor, 0)).toBe(held[type])
          expect(held[type]).toBeGreaterThanOrEqual(0)
        }
        const receivable = entries.filter(({ account }) => account === 'receivable')
        const { debt } = await transaction(db, (trx) => lockWallet(trx, projectId))
        expect(receivable.reduce((sum, entry) => sum - entry.amount_minor, 0)).toBe(debt)
      },
    ),
    { numRuns: 30, seed: 20_261_122 },
  )
})

test.each(bookedFlows)('%s has one counter account, and only payments name a provider', (flow) => {
  const named = () => counterAccountOf(flow, 'stripe')
  const unnamed = () => counterAccountOf(flow)
  if (isPayment(flow)) {
    expect(named()).toBe('clearing.stripe')
    expect(unnamed).toThrow(`${flow} needs a provider`)
  } else {
    expect(unnamed()).toMatch(/^[a-z]+$/)
    expect(named).toThrow(`${flow} has the provider 'stripe'`)
  }
})

test('refuses a balance above the maximum', async () => {
  const top: Balance = { ...emptyBalance, payment: balanceMaxMinor }
  const projectId = await fundedProject(world, 'usd', top)
  const more = transaction(world.db, async (trx) => {
    const wallet = await lockWallet(trx, projectId)
    await book(trx, world.clock.now().toISOString(), wallet, {
      type: 'payment',
      currency: 'usd',
      provider: 'stripe',
      change: { ...emptyBalance, payment: 1 },
    })
  })
  await expect(more).rejects.toMatchObject({ name: 'BalanceTooHigh' })
  expect(await getBalance(world.db, projectId)).toEqual(top)
})

test.each(bookedFlows)('refuses %s in another currency than that of the balance', async (type) => {
  const projectId = await fundedProject(world, 'rub', { ...emptyBalance, payment: 500 })
  const provider = isPayment(type) ? 'stripe' : undefined
  const less = { ...emptyBalance, payment: -1 }
  const run = transaction(world.db, async (trx) => {
    const wallet = await lockWallet(trx, projectId)
    await book(trx, world.clock.now().toISOString(), wallet, { type, currency: 'usd', provider, change: less })
  })
  await expect(run).rejects.toMatchObject({
    name: 'CurrencyDiffers',
    data: { currency: 'usd', balance_currency: 'rub' },
  })
  expect(await getBalance(world.db, projectId)).toEqual({ ...emptyBalance, payment: 500 })
})
