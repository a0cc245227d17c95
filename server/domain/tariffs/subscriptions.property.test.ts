// Properties of any sequence of purchases in all lines, cancellations, clock changes, handled ends and concurrent requests.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LineName, lineNames, periodNames } from '#contract/entities/plan.ts'
import { AppError } from '#server/core/errors.ts'
import { roundsOf } from '#server/testing/rounds.ts'
import { brokenRules, fundedProject, type TariffWorld, tariffWorld, endPlans } from '#server/testing/tariffs.ts'
import { getBalance } from '#server/domain/money/ledger.ts'
import { sumOf } from '#server/domain/money/balance.ts'
import { quotePurchase, readState } from './subscriptions.ts'
import { buy, type BuyRequest, cancelNext } from './subscriptions-change.ts'
import type { Slots, Sold } from './subscriptions-slots.ts'
import { listTerms } from './subscriptions-store.ts'

let world: TariffWorld
beforeAll(async () => {
  world = await tariffWorld('2026-11-01T00:00:00.000Z')
  await world.db.updateTable('periods').set({ active: 1 }).execute()
})
afterAll(() => world.close())

const hour = 3_600_000
const periods = fc.constantFrom(...periodNames)
const purchase = fc.oneof(
  fc.record({ line: fc.constant('restream' as const), planId: fc.constantFrom(2, 3, 4), period: periods }),
  fc.record({
    line: fc.constant('restream' as const),
    planId: fc.constant(5),
    period: periods,
    channels: fc.constantFrom(10, 15, 40),
    bitrate: fc.constantFrom(10_000, 30_000),
  }),
  fc.record({
    line: fc.constant('transcoding' as const),
    planId: fc.constantFrom(2, 3, 4),
    period: periods,
    count: fc.constantFrom(1, 2, 5),
  }),
  fc.record({
    line: fc.constant('storage' as const),
    planId: fc.constant(1),
    period: periods,
    size: fc.constantFrom(10, 20, 500),
  }),
)
type Step =
  | { readonly buy: Omit<BuyRequest, 'projectId'> }
  | { readonly cancel: LineName }
  | { readonly roll: true }
  | { readonly passes: number }
  | { readonly atOnce: readonly Step[] }

const act = fc.oneof(
  { weight: 4, arbitrary: fc.record({ buy: purchase }) },
  { weight: 1, arbitrary: fc.record({ cancel: fc.constantFrom(...lineNames) }) },
  { weight: 1, arbitrary: fc.constant({ roll: true } as const) },
)
const passes = fc.oneof(
  fc.constantFrom(1, hour, 24 * hour, 31 * 24 * hour),
  fc.integer({ min: 1, max: 400 * 24 * hour }),
)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: act },
  { weight: 2, arbitrary: fc.record({ passes }) },
  { weight: 1, arbitrary: fc.record({ atOnce: fc.array(act, { minLength: 2, maxLength: 5 }) }) },
)

/** Runs a step. A refusal by a rule is a result, any other error is a bug. */
async function run(projectId: number, todo: Step): Promise<void> {
  const { db, clock } = world
  if ('passes' in todo) return clock.advance(todo.passes)
  if ('atOnce' in todo) return void (await Promise.all(todo.atOnce.map((one) => run(projectId, one))))
  try {
    if ('buy' in todo) await buy(db, clock, { projectId, ...todo.buy })
    else if ('cancel' in todo) await cancelNext(db, clock, { projectId, line: todo.cancel })
    else await endPlans({ db, clock, fit: async () => undefined, onEnd: () => undefined })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
}

const runs = { numRuns: roundsOf({ usual: 60, onPostgres: 10, nightly: 300 }), seed: 20_261_121 }
/** Timeout for thousands of transactions, each of which waits for the disk on PostgreSQL; milliseconds. */
const patience = 300_000
const held = { bonus: 900_000, payment: 1_200_001, profit: 700_007 }

test(
  'money is constant, no balance is negative, slots neither overlap nor leave a gap',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const projectId = await fundedProject(world, 'rub', held)
        for (const todo of steps) {
          await run(projectId, todo)
          expect(await brokenRules(world, projectId)).toEqual([])
        }
      }),
      runs,
    )
  },
  patience,
)

test(
  'a purchase takes the quoted amount, to the minor unit',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), purchase, async (steps, wanted) => {
        const projectId = await fundedProject(world, 'usd', held)
        for (const todo of steps) await run(projectId, todo)
        const request = { projectId, ...wanted }
        const quote = await quotePurchase(world.db, world.clock, request).catch(() => null)
        fc.pre(quote !== null && quote.decision.total <= sumOf(quote.held))
        const before = sumOf(await getBalance(world.db, projectId))
        await buy(world.db, world.clock, { ...request, quotedTotal: quote.decision.total })
        expect(before - sumOf(await getBalance(world.db, projectId))).toBe(quote.decision.total)
      }),
      runs,
    )
  },
  patience,
)

test(
  'a purchase changes no other line',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), act, async (steps, last) => {
        const projectId = await fundedProject(world, 'usd', held)
        for (const todo of steps) await run(projectId, todo)
        const line = 'buy' in last ? last.buy.line : 'cancel' in last ? last.cancel : 'none'
        const others = () =>
          listTerms(
            world.db,
            [projectId],
            lineNames.filter((name) => name !== line),
          )
        await run(projectId, { roll: true })
        const before = await others()
        await run(projectId, last)
        expect(await others()).toEqual(before)
      }),
      runs,
    )
  },
  patience,
)

test(
  'cancelling a queued plan refunds all of it',
  async () => {
    await fc.assert(
      fc.asyncProperty(purchase, purchase, async (first, second) => {
        const projectId = await fundedProject(world, 'usd', held)
        await buy(world.db, world.clock, { projectId, ...first })
        const afterFirst = await getBalance(world.db, projectId)
        world.clock.advance(hour - 1)
        const result = await buy(world.db, world.clock, { projectId, ...second }).catch(() => null)
        const { line } = second
        const { next }: Slots<Sold> = (await readState(world.db, world.clock, projectId, line)).slots
        fc.pre(result !== null && result.outcome === 'bought' && next !== null)
        await cancelNext(world.db, world.clock, { projectId, line, planId: next.planId })
        expect(await getBalance(world.db, projectId)).toEqual(afterFirst)
      }),
      runs,
    )
  },
  patience,
)
