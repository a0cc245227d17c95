// Automatic renewals with a database and a double of the saved method.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findDueTimes } from '#server/db/jobs.ts'
import type { Db } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { type Balance, emptyBalance } from '#server/domain/money/balance.ts'
import { getBalance } from '#server/domain/money/ledger.ts'
import { setRenewal, buy, cancelNext } from '#server/domain/tariffs/subscriptions-change.ts'
import { readState } from '#server/domain/tariffs/subscriptions.ts'
import { type ChargerDouble, chargerDouble, type Mood } from '#server/testing/pay/charger-double.ts'
import { brokenRules, fundedProject, tariffWorld, type TariffWorld, topUp } from '#server/testing/tariffs.ts'
import type { RenewalEvent } from './renewals.ts'
import { renewalKind } from './store.ts'
import { runRenewals } from '#server/testing/pay/renewal-jobs.ts'
import { setPrice } from '#server/testing/billing.ts'

const hour = 3_600_000
/** Price of a month of plan 2, kopecks. */
const price = 39_000

let world: TariffWorld
let other: Db
beforeAll(async () => {
  world = await tariffWorld('2026-03-01T00:00:00.000Z')
  other = await world.replica()
})
afterAll(() => world.close())

/** A project with a plan until a month from now, renewed automatically, and its money beside it. */
async function renewed(held: Partial<Balance> = {}) {
  // The projects of earlier tests take no part.
  await world.db.deleteFrom('plan_renewals').execute()
  await world.db.deleteFrom('jobs').execute()
  await world.db.updateTable('renewals').set({ state: 'stopped' }).where('state', '=', 'waiting').execute()
  const projectId = await fundedProject(world, 'rub', { ...emptyBalance, payment: price })
  await buy(world.db, world.clock, { projectId, line: 'restream', planId: 2, period: 'month' })
  if (Object.keys(held).length > 0) await topUp(world, projectId, { ...emptyBalance, ...held })
  await switchRenewal(projectId, true)
  const start = (await slots(projectId)).current.end ?? ''
  const double = chargerDouble(world)
  const event: RenewalEvent[] = []
  /** Runs the job at a number of hours before the first end. */
  const runAt = async (hours: number) => {
    world.clock.set(new Date(Date.parse(start) - hours * hour))
    await run(double, event)
  }
  return { projectId, end: start, double, event, runAt }
}

const slots = async (projectId: number) => (await readState(world.db, world.clock, projectId, 'restream')).slots
const switchRenewal = (projectId: number, isOn: boolean) =>
  transaction(world.db, (trx) => setRenewal(trx, world.clock, { projectId, line: 'restream', isOn }))

async function run({ charge }: ChargerDouble, event: RenewalEvent[] = [], db = world.db): Promise<void> {
  await runRenewals({ db, clock: world.clock, charge, onEvent: (one) => void event.push(one) })
}

const kinds = (event: readonly RenewalEvent[]) => event.map(({ kind }) => kind)
const row = (projectId: number, end: string) =>
  world.db
    .selectFrom('renewals')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('date_end', '=', end)
    .executeTakeFirst()

test('renews from the balance 72 hours before the end, once', async () => {
  const { projectId, end, double, event, runAt } = await renewed({ bonus: 10_000, payment: 30_000, profit: 50_000 })
  await runAt(240)
  expect(kinds(event)).toEqual(['ahead'])
  await runAt(73)
  expect((await slots(projectId)).current.end).toBe(end)
  await runAt(72)
  await runAt(71)
  expect((await slots(projectId)).current.end).not.toBe(end)
  expect(await getBalance(world.db, projectId)).toEqual({ bonus: 0, payment: 1000, profit: 50_000 })
  expect(double.charges).toEqual([])
  expect(kinds(event)).toEqual(['ahead', 'renewed'])
})

test('charges the method with what the bonus and the paid-in balance lack, and never spends the earned balance', async () => {
  const { projectId, end, double, runAt } = await renewed({ bonus: 1000, profit: 100_000 })
  await runAt(72)
  expect(double.charges.map(({ amountMinor }) => amountMinor)).toEqual([price - 1000])
  expect(await getBalance(world.db, projectId)).toEqual({ bonus: 0, payment: 0, profit: 100_000 })
  expect(await row(projectId, end)).toMatchObject({ state: 'done' })
})

test('billing check 11: five declines, then the plan ends; nothing is charged after the end', async () => {
  const { projectId, end, double, event, runAt } = await renewed()
  double.moods.push('declined', 'declined', 'declined', 'declined', 'declined')
  for (const hours of [240, 72, 60, 48, 47, 24, 23, 6, 5, 0.25, 0.1, 0, -1, -48]) await runAt(hours)
  expect(double.charges).toHaveLength(5)
  expect(double.charges.every(({ at }) => at < end)).toBe(true)
  expect(kinds(event)).toEqual(['ahead', 'failed', 'failed', 'failed', 'failed', 'stopped'])
  expect(event[1]).toMatchObject({ reason: 'insufficient_funds', next: expect.stringContaining('T') })
  expect(await row(projectId, end)).toMatchObject({ state: 'stopped', reason: 'insufficient_funds', tries: 5 })
  expect((await slots(projectId)).current.id).toBeNull()
})

test('billing check 11: a final decline stops immediately', async () => {
  const { projectId, end, double, event, runAt } = await renewed()
  double.moods.push('final')
  for (const hours of [72, 48, 24, 6, 0.25]) await runAt(hours)
  expect(double.charges).toHaveLength(1)
  expect(await row(projectId, end)).toMatchObject({ state: 'stopped', reason: 'card_expired' })
  expect(kinds(event)).toEqual(['ahead', 'stopped'])
})

test('a method that is saved between two tries pays the second', async () => {
  const { projectId, end, double, event, runAt } = await renewed()
  double.moods.push('none')
  await runAt(72)
  expect(await row(projectId, end)).toMatchObject({ state: 'waiting', reason: 'no_method' })
  await runAt(48)
  expect((await slots(projectId)).current.end).not.toBe(end)
  expect(kinds(event)).toEqual(['ahead', 'failed', 'renewed'])
})

test('a charge whose answer was lost is repeated under its key', async () => {
  const { projectId, end, double, runAt } = await renewed()
  double.moods.push('lost')
  await runAt(72)
  expect((await slots(projectId)).current.end).toBe(end)
  await runAt(71)
  expect(double.charges).toHaveLength(1)
  expect((await slots(projectId)).current.end).not.toBe(end)
})

test('a charge that the provider decides later renews then', async () => {
  const { projectId, end, double, runAt } = await renewed()
  double.moods.push('wait')
  await runAt(72)
  await runAt(71)
  expect((await slots(projectId)).current.end).toBe(end)
  await double.decide()
  await runAt(70)
  expect([double.charges.length, (await slots(projectId)).current.end === end]).toEqual([1, false])
})

test.each([
  ['a week after the notice', 240, 1],
  ['never without a notice of a week', 100, 0],
])('a higher price is charged %s', async (_, noticed, charges) => {
  const { double, event, runAt } = await renewed()
  await setPrice(world.db, 'restream', 2, { rub: price + 1 })
  try {
    for (const hours of [noticed, 72, 48, 24, 6, 0.25]) await runAt(hours)
  } finally {
    await setPrice(world.db, 'restream', 2, { rub: price })
  }
  expect(double.charges).toHaveLength(charges)
  expect(event[0]?.plan).toMatchObject({ price: price + 1, last: price })
  if (charges === 0) expect(event.at(-1)).toMatchObject({ kind: 'stopped', reason: 'price_not_announced' })
})

test.each([
  ['transcoding', { line: 'transcoding' }],
  ['restream', {}],
] as const)('names the line of a renewed plan in the history: %s', async (line, named) => {
  const projectId = await fundedProject(world, 'rub', { ...emptyBalance, payment: 10_000_000 })
  await buy(world.db, world.clock, { projectId, line, planId: 2, period: 'month' })
  await transaction(world.db, (trx) => setRenewal(trx, world.clock, { projectId, line, isOn: true }))
  const { current } = (await readState(world.db, world.clock, projectId, line)).slots
  for (const hours of [240, 72]) {
    world.clock.set(new Date(Date.parse(current.end ?? '') - hours * hour))
    await run(chargerDouble(world))
  }
  const { details } = await world.db
    .selectFrom('project_history')
    .select('details')
    .where('project_id', '=', projectId)
    .where('action', '=', 'plan_renewed')
    .executeTakeFirstOrThrow()
  expect(JSON.parse(details ?? '')).toEqual({ plan: expect.any(String) as string, period: 'month', ...named })
})

test('a renewal that is switched off, or whose plan another purchase prolonged, charges nothing', async () => {
  const off = await renewed()
  await off.runAt(240)
  await switchRenewal(off.projectId, false)
  await off.runAt(72)
  expect(off.double.charges).toEqual([])
  expect(await row(off.projectId, off.end)).toMatchObject({ state: 'stopped', reason: 'switched_off' })

  const manual = await renewed({ payment: price })
  await manual.runAt(240)
  await buy(world.db, world.clock, { projectId: manual.projectId, line: 'restream', planId: 2, period: 'month' })
  await manual.runAt(72)
  expect(manual.double.charges).toEqual([])
  expect(await row(manual.projectId, manual.end)).toMatchObject({ state: 'stopped', reason: 'changed' })
})

test('money of a charge that was spent on something else is not charged again', async () => {
  const { projectId, end, double, runAt } = await renewed()
  double.moods.push('wait')
  await runAt(72)
  await double.decide()
  await topUp(world, projectId, { ...emptyBalance, payment: -price })
  for (const hours of [71, 48, 24]) await runAt(hours)
  expect(double.charges).toHaveLength(1)
  expect(await row(projectId, end)).toMatchObject({ state: 'stopped', reason: 'balance_spent' })
})

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ act: fc.constant('pass' as const), hours: fc.integer({ min: 1, max: 60 }) }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('switch' as const), isOn: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('pay' as const), amount: fc.integer({ min: 1, max: price }) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constantFrom('buy' as const, 'cancel' as const, 'decide' as const) }) },
)
const moods = fc.array(fc.constantFrom<Mood>('ok', 'declined', 'final', 'wait', 'lost', 'none'), { maxLength: 8 })

test('a period is charged at most once, and never after its end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), moods, async (steps, drawn) => {
      const { projectId, double } = await renewed({ profit: 70_000 })
      world.clock.advance(18 * 24 * hour)
      double.moods.push(...drawn)
      for (const one of steps) {
        if (one.act === 'pass') world.clock.advance(one.hours * hour)
        else if (one.act === 'pay') await topUp(world, projectId, { ...emptyBalance, payment: one.amount })
        else if (one.act === 'decide') await double.decide()
        else {
          const act =
            one.act === 'switch'
              ? switchRenewal(projectId, one.isOn)
              : one.act === 'buy'
                ? buy(world.db, world.clock, { projectId, line: 'restream', planId: 3, period: 'month' })
                : cancelNext(world.db, world.clock, { projectId, line: 'restream' })
          await act.catch(() => undefined)
        }
        await Promise.all([run(double), run(double, [], other)])
      }
      const rows = await world.db
        .selectFrom('renewal_tries')
        .innerJoin('renewals', 'renewals.id', 'renewal_tries.renewal_id')
        .select(['renewals.id as id', 'date_end', 'key'])
        .where('renewals.project_id', '=', projectId)
        .execute()
      const taken = double.charges.filter(({ answer }) => answer.outcome === 'done')
      const periods = taken.map(({ key }) => rows.find((one) => one.key === key)?.id)
      expect(new Set(periods).size).toBe(periods.length)
      for (const { key, at } of double.charges)
        expect(at < (rows.find((one) => one.key === key)?.date_end ?? '')).toBe(true)
      const earned = await world.db
        .selectFrom('ledger_entries')
        .innerJoin('ledger_transactions', 'ledger_transactions.id', 'ledger_entries.transaction_id')
        .select('amount_minor')
        .where('idempotency_key', 'like', 'buy:renewal %')
        .where('account', '=', 'profit')
        .execute()
      expect(earned).toEqual([])
      expect(await brokenRules(world, projectId)).toEqual([])
    }),
    { numRuns: 25 },
  )
}, 240_000)

/** Returns the time until the next try, minutes, rounded up; undefined: none. */
async function nextTry(): Promise<number | undefined> {
  const ms = (await findDueTimes(world.db, [renewalKind.kind])).byKind.get(renewalKind.kind)
  return ms === undefined ? undefined : Math.ceil(ms / 60_000)
}

test('tries a renewal 72, 48, 24 and 6 hours and 15 minutes before the end', async () => {
  const { double, runAt } = await renewed()
  double.moods.push('declined', 'declined', 'declined', 'declined', 'declined')
  const minutes = []
  for (const hours of [240, 72, 48, 24, 6, 0.25]) {
    await runAt(hours)
    minutes.push(await nextTry())
  }
  expect(minutes).toEqual([168 * 60, 24 * 60, 24 * 60, 18 * 60, 5.75 * 60, undefined])
  expect(double.charges).toHaveLength(5)
})

test.each([
  ['wait', 10],
  ['lost', 2],
] as const)('repeats a charge without an outcome (%s) after %s minutes', async (mood, minutes) => {
  const { double, runAt } = await renewed()
  double.moods.push(mood)
  await runAt(72)
  expect([await nextTry(), double.charges.length]).toEqual([minutes, 1])
})

test('a debt stops the renewal: no card is charged to pay it', async () => {
  const { projectId, end, double, runAt } = await renewed()
  await world.db.updateTable('wallets').set({ debt_minor: 5000 }).where('project_id', '=', projectId).execute()
  await runAt(72)
  expect(double.charges).toEqual([])
  expect(await row(projectId, end)).toMatchObject({ state: 'waiting', reason: 'DebtOpen' })
  await world.db.updateTable('wallets').set({ debt_minor: 0 }).where('project_id', '=', projectId).execute()
  await runAt(48)
  expect(double.charges).toHaveLength(1)
  expect(await row(projectId, end)).toMatchObject({ state: 'done' })
})
