// Notices about plans that end: once 7, 3 and 1 days before, none with a queued plan or automatic renewal.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { history } from '#contract/areas/projects/history.ts'
import { storage } from '#contract/areas/tariffs/storage.ts'
import { transcoding } from '#contract/areas/tariffs/transcoding.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'
import { notifyEndingPlans } from './plan-notices.ts'

let world: World
let me: Person
beforeAll(async () => {
  world = await testApp()
  world.clock.set(new Date('2026-11-01T00:00:00.000Z'))
  me = await world.user()
})
afterAll(() => world.close())

const notices = async () => {
  me = await world.signIn(me)
  const { results } = (await world.api(history.list, { project_id: me.projectId, limit: 50 }, { as: me })).body
  return results.flatMap(({ action, details }) => (action === 'plan_notice' ? [details] : [])).toReversed()
}

test('announces the end of a plan three times, and no end that a renewal or a queued plan prevents', async () => {
  const of = { project_id: me.projectId, period: 'month' } as const
  await world.api(transcoding.buy, { ...of, plan_transcoding_id: 2, count: 2 }, { as: me })
  await world.api(storage.buy, { ...of, plan_storage_id: 1, size: 100 }, { as: me })
  await world.api(storage.prolongation, { project_id: me.projectId, enabled: true }, { as: me })
  const notice = {
    line: 'transcoding',
    plan: 'Full HD',
    name: 'plan_transcoder_expires',
    date_end: '2026-12-01T00:00:00.000Z',
  }
  for (const [time, count] of [
    ['2026-11-23T23:59:00.000Z', 0],
    ['2026-11-24T00:00:00.000Z', 1],
    ['2026-11-29T00:00:00.000Z', 2],
    ['2026-11-30T00:00:00.000Z', 3],
    ['2026-11-30T12:00:00.000Z', 3],
  ] as const) {
    world.clock.set(new Date(time))
    await Promise.all([notifyEndingPlans(world.services), notifyEndingPlans(world.services)])
    expect(await notices()).toEqual(Array(count).fill(notice))
  }
})
