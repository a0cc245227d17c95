// Two services on one database (on SQLite: on its one connection), and concurrent calls.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { movableClock } from '#server/core/clock.ts'
import type { Db } from '#server/db/open.ts'
import { brokenRules, fundedProject, type TariffWorld, tariffWorld, endPlans } from '#server/testing/tariffs.ts'
import type { PlanEnd } from './plan-ends.ts'
import { getBalance } from '#server/domain/money/ledger.ts'
import { readState } from './subscriptions.ts'
import { buy, cancelNext } from './subscriptions-change.ts'

let world: TariffWorld
let other: Db
beforeAll(async () => {
  world = await tariffWorld('2026-11-01T00:00:00.000Z')
  other = await world.replica()
})
afterAll(() => world.close())

const startPlan = { line: 'restream', planId: 2, period: 'month' } as const
const bonus = (amount: number) => ({ bonus: amount, payment: 0, profit: 0 })
/** Makes a call `count` times, alternating between the services. */
const both = <T>(count: number, call: (db: Db, at: number) => Promise<T>) =>
  Promise.allSettled(Array.from({ length: count }, (_, at) => call(at % 2 === 0 ? world.db : other, at)))
/** These projects have no channels. */
const fit = async () => undefined
const done = <T>(results: PromiseSettledResult<T>[]) =>
  results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))

test('runs parallel purchases one by one: as many succeed as the balance covers', async () => {
  const projectId = await fundedProject(world, 'rub', bonus(3 * 39_000 + 38_999))
  const results = await both(8, (db) => buy(db, world.clock, { projectId, ...startPlan }))
  expect(done(results)).toHaveLength(3)
  expect(await getBalance(world.db, projectId)).toEqual(bonus(38_999))
  expect((await readState(other, world.clock, projectId, 'restream')).slots.current).toMatchObject({
    end: '2027-02-01T00:00:00.000Z',
    periods: [{ paid: bonus(39_000) }, { paid: bonus(39_000) }, { paid: bonus(39_000) }],
  })
  expect(await brokenRules(world, projectId)).toEqual([])
})

test('of parallel purchases at a quoted price one succeeds, the others get a new quote', async () => {
  const projectId = await fundedProject(world, 'rub', bonus(900_000))
  await buy(world.db, world.clock, { projectId, ...startPlan })
  const request = { projectId, line: 'restream', planId: 3, period: 'month', quotedTotal: 99_000 - 39_000 } as const
  const results = await both(6, (db) => buy(db, world.clock, request))
  expect(
    done(results)
      .map(({ outcome }) => outcome)
      .toSorted(),
  ).toEqual(['bought', ...Array(5).fill('changed')])
})

test('an idempotency key buys once', async () => {
  const projectId = await fundedProject(world, 'rub', bonus(900_000))
  const results = await both(8, (db) => buy(db, world.clock, { projectId, ...startPlan, key: 'one-purchase' }))
  expect(
    done(results)
      .map(({ outcome }) => outcome)
      .toSorted(),
  ).toEqual(['bought', ...Array(7).fill('repeated')])
  expect(await getBalance(world.db, projectId)).toEqual(bonus(900_000 - 39_000))
})

test('a queued plan is cancelled and refunded once', async () => {
  const projectId = await fundedProject(world, 'rub', bonus(900_000))
  await buy(world.db, world.clock, { projectId, line: 'restream', planId: 3, period: 'month' })
  await buy(world.db, world.clock, { projectId, ...startPlan })
  const results = await both(4, (db) => cancelNext(db, world.clock, { projectId, line: 'restream', planId: 2 }))
  expect(done(results)).toHaveLength(1)
  expect(await getBalance(world.db, projectId)).toEqual(bonus(900_000 - 99_000))
})

test('handles each end of a plan once on several replicas', async () => {
  const projects = await Promise.all(Array.from({ length: 12 }, () => fundedProject(world, 'rub', bonus(900_000))))
  for (const projectId of projects) {
    await buy(world.db, world.clock, { projectId, line: 'restream', planId: 3, period: 'month' })
    await buy(world.db, world.clock, { projectId, ...startPlan })
  }
  const ends: PlanEnd[] = []
  const ours = () => ends.filter(({ projectId }) => projects.includes(projectId))
  const rounds = () => both(4, (db) => endPlans({ db, clock: world.clock, fit, onEnd: (end) => ends.push(end) }))

  world.clock.set(new Date('2026-12-01T00:00:00.000Z'))
  await rounds()
  expect(ours().map(({ planId }) => planId)).toEqual(projects.map(() => 2))
  expect(new Set(ours().map(({ projectId }) => projectId)).size).toBe(projects.length)

  world.clock.set(new Date('2027-03-01T00:00:00.000Z'))
  await rounds()
  expect(ours()).toHaveLength(2 * projects.length)
  await rounds()
  expect(ours()).toHaveLength(2 * projects.length)
  for (const projectId of projects) expect(await brokenRules(world, projectId)).toEqual([])
})

test('a replaced plan has no end', async () => {
  const projectId = await fundedProject(world, 'rub', bonus(900_000))
  await buy(world.db, world.clock, { projectId, ...startPlan })
  await buy(world.db, world.clock, { projectId, line: 'restream', planId: 3, period: 'month' })
  const ends: PlanEnd[] = []
  await endPlans({ db: world.db, clock: world.clock, fit, onEnd: (end) => ends.push(end) })
  expect(ends.filter((end) => end.projectId === projectId)).toEqual([])
})

test('a replica whose clock is behind sees the purchase of another replica', async () => {
  const projectId = await fundedProject(world, 'rub', bonus(900_000))
  const behind = movableClock(new Date(world.clock.now().getTime() - 5_000))
  await buy(world.db, world.clock, { projectId, ...startPlan })
  expect((await readState(other, behind, projectId, 'restream')).slots).toMatchObject({
    current: { planId: 2 },
    next: null,
  })
  await buy(other, behind, { projectId, line: 'restream', planId: 3, period: 'month' })
  expect(await brokenRules(world, projectId)).toEqual([])
})
