// Two services on one database, called concurrently.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projects } from '#contract/areas/projects/projects.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { hourMs } from '#server/core/clock.ts'
import { ageJobs } from '#server/testing/jobs.ts'
import { testApp, type World } from '#server/testing/test-app.ts'
import { brokenRules } from '#server/testing/tariffs.ts'

let world: World
let services: readonly World['app'][]
beforeAll(async () => {
  world = await testApp()
  services = [world.app, await world.replica()]
})
afterAll(() => world.close())

test('parallel purchases on two replicas: as many as the balance pays for, one per key, equal responses', async () => {
  const me = await world.user()
  const call = (at: number, key: string) => {
    const input = { project_id: me.projectId, plan_restream_id: 4, period: 'month', idempotency_key: key } as const
    return world.api(restream.buy, input, { as: me, through: services[at % 2]! })
  }
  // Ten purchases of 29.90, each sent twice, with a balance of 180.00.
  const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => call(at, `purchase-${at >> 1}`)))
  const refused = answers.filter(({ status }) => status !== 200)
  expect(new Set(refused.map(({ error }) => error?.name))).toEqual(new Set(['InsufficientBalance']))

  const seen = await Promise.all(
    services.map(async (through) => ({
      slots: (await world.api(restream.slots, { project_id: me.projectId }, { as: me, through })).body,
      bonus: (await world.api(projects.info, { project_id: me.projectId }, { as: me, through })).body.data
        .balance_bonus,
    })),
  )
  expect(seen[0]).toEqual(seen[1])
  expect(seen[0]).toMatchObject({
    bonus: 18_000 - 6 * 2_990,
    slots: { current: { date_end: '2026-09-01T10:00:00.000Z' } },
  })
  expect(await brokenRules({ db: world.app.db, clock: world.clock }, me.projectId)).toEqual([])
})

test('two replicas handle each end of a plan once', async () => {
  world.clock.set(new Date('2026-03-01T10:00:00.000Z'))
  const people = await Promise.all(Array.from({ length: 5 }, (_, at) => world.user(`Person${at}`)))
  for (const me of people) {
    await world.api(restream.buy, { project_id: me.projectId, plan_restream_id: 2, period: 'month' }, { as: me })
  }
  /** Lets time pass, for jobs as well. */
  const pass = async (ms: number) => {
    world.clock.advance(ms)
    await ageJobs(world.app.db, ms)
  }
  // The net, which looks for ends without a job, must not repeat one.
  const roll = () => Promise.all(services.map(({ jobs }) => jobs.runDue(['jobs.missing', 'tariffs.ends'])))
  await pass(Date.parse('2026-04-01T10:00:00.000Z') - world.clock.now().getTime())
  await roll()
  const ended = () =>
    world.logged
      .map((line) => JSON.parse(line))
      .filter(({ projectId, termId }) => termId && people.some((me) => me.projectId === projectId))
      .map(({ projectId }) => projectId)
      .toSorted((a, b) => a - b)
  expect(ended()).toHaveLength(people.length)
  await pass(hourMs)
  await roll()
  expect(new Set(ended()).size).toBe(people.length)
  expect(ended()).toHaveLength(people.length)
})
