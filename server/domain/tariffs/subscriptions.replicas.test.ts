// Two services on one database (on SQLite: two users of its one connection), and calls at the same moment.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { movableClock } from '#server/core/clock.ts'
import type { Db } from '#server/db/open.ts'
import { brokenRules, fundedProject, type TariffWorld, tariffWorld } from '#server/testing/tariffs.ts'
import { type Rolled, rollOver, startHousekeeping } from './housekeeping.ts'
import { balances } from './ledger.ts'
import { readState } from './subscriptions.ts'
import { buy, cancelNext } from './subscriptions-change.ts'

let world: TariffWorld
let other: Db
beforeAll(async () => {
  world = await tariffWorld('2026-11-01T00:00:00.000Z')
  other = await world.replica()
})
afterAll(() => world.close())

const startPlan = { planId: 2, period: 'month' } as const
const bonus = (amount: number) => ({ bonus: amount, payment: 0, profit: 0 })
/** The same call through both services in turn. */
const both = <T>(count: number, call: (db: Db, at: number) => Promise<T>) =>
  Promise.allSettled(Array.from({ length: count }, (_, at) => call(at % 2 === 0 ? world.db : other, at)))
const done = <T>(results: PromiseSettledResult<T>[]) =>
  results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))

test('parallel purchases take turns: as many succeed as the purses pay for', async () => {
  const projectId = await fundedProject(world, 'rub', bonus(3 * 39_000 + 38_999))
  const results = await both(8, (db) => buy(db, world.clock, { projectId, ...startPlan }))
  expect(done(results)).toHaveLength(3)
  expect(await balances(world.db, projectId)).toEqual(bonus(38_999))
  expect((await readState(other, world.clock, projectId)).slots.current).toMatchObject({
    end: '2027-02-01T00:00:00.000Z',
    periods: [{ paid: bonus(39_000) }, { paid: bonus(39_000) }, { paid: bonus(39_000) }],
  })
  expect(await brokenRules(world, projectId)).toEqual([])
})

test('parallel purchases at the price that was quoted: one succeeds, the others see that it has changed', async () => {
  const projectId = await fundedProject(world, 'rub', bonus(900_000))
  await buy(world.db, world.clock, { projectId, ...startPlan })
  const request = { projectId, planId: 3, period: 'month', quotedTotal: 99_000 - 39_000 } as const
  const results = await both(6, (db) => buy(db, world.clock, request))
  expect(
    done(results)
      .map(({ outcome }) => outcome)
      .toSorted(),
  ).toEqual(['bought', ...Array(5).fill('changed')])
})

test('the same key buys once', async () => {
  const projectId = await fundedProject(world, 'rub', bonus(900_000))
  const results = await both(8, (db) => buy(db, world.clock, { projectId, ...startPlan, key: 'one-purchase' }))
  expect(
    done(results)
      .map(({ outcome }) => outcome)
      .toSorted(),
  ).toEqual(['bought', ...Array(7).fill('repeated')])
  expect(await balances(world.db, projectId)).toEqual(bonus(900_000 - 39_000))
})

test('a queued plan is cancelled and given back once', async () => {
  const projectId = await fundedProject(world, 'rub', bonus(900_000))
  await buy(world.db, world.clock, { projectId, planId: 3, period: 'month' })
  await buy(world.db, world.clock, { projectId, ...startPlan })
  const results = await both(4, (db) => cancelNext(db, world.clock, projectId, 2))
  expect(done(results)).toHaveLength(1)
  expect(await balances(world.db, projectId)).toEqual(bonus(900_000 - 99_000))
})

test('each period is rolled over once, however many services look', async () => {
  const projects = await Promise.all(Array.from({ length: 12 }, () => fundedProject(world, 'rub', bonus(900_000))))
  for (const projectId of projects) {
    await buy(world.db, world.clock, { projectId, planId: 3, period: 'month' })
    await buy(world.db, world.clock, { projectId, ...startPlan })
  }
  const rolled: Rolled[] = []
  const ours = () => rolled.filter(({ projectId }) => projects.includes(projectId))
  const rounds = () => both(4, (db) => rollOver(db, world.clock, (end) => rolled.push(end)))

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

test('a plan that was replaced has not ended', async () => {
  const projectId = await fundedProject(world, 'rub', bonus(900_000))
  await buy(world.db, world.clock, { projectId, ...startPlan })
  await buy(world.db, world.clock, { projectId, planId: 3, period: 'month' })
  const rolled: Rolled[] = []
  await rollOver(world.db, world.clock, (end) => rolled.push(end))
  expect(rolled.filter((end) => end.projectId === projectId)).toEqual([])
})

test('a service whose clock is behind sees what was bought through another', async () => {
  const projectId = await fundedProject(world, 'rub', bonus(900_000))
  const behind = movableClock(new Date(world.clock.now().getTime() - 5_000))
  await buy(world.db, world.clock, { projectId, ...startPlan })
  expect((await readState(other, behind, projectId)).slots).toMatchObject({ current: { planId: 2 }, next: null })
  await buy(other, behind, { projectId, planId: 3, period: 'month' })
  expect(await brokenRules(world, projectId)).toEqual([])
})

test('housekeeping runs until it is stopped, and survives a round that fails', async () => {
  const { clock } = world
  const projectId = await fundedProject(world, 'rub', bonus(900_000))
  await buy(world.db, clock, { projectId, ...startPlan })
  clock.advance(32 * 86_400_000)
  const errors: unknown[] = []
  const seen = Promise.withResolvers<Rolled>()
  let rounds = 0
  const flaky = {
    now: () => {
      rounds += 1
      if (rounds === 1) throw new Error('no time')
      return clock.now()
    },
  }
  const stop = startHousekeeping({
    db: world.db,
    clock: flaky,
    every: 1,
    onRolled: (rolled) => rolled.projectId === projectId && seen.resolve(rolled),
    onError: (error) => errors.push(error),
  })
  expect(await seen.promise).toMatchObject({ projectId, planId: 1 })
  await stop()
  expect(errors).toEqual([new Error('no time')])
})
