// Scheduled jobs, and the events that they publish to open pages.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { channels } from '#contract/areas/channels/channels.ts'
import { history } from '#contract/areas/projects/history.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import type { Operation } from '#contract/core/operation.ts'
import type { Channel } from '#contract/events/channels.ts'
import type { Publication } from '#contract/events/publications.ts'
import { upgrade } from '#server/testing/channels.ts'
import { ageJobs, runJobs } from '#server/testing/jobs.ts'
import { someNodeOf } from '#server/testing/on-air.ts'
import { testApp, type World } from '#server/testing/test-app.ts'
import { planEnds } from './kinds.ts'

let world: World
beforeEach(async () => {
  world = await testApp()
})
afterEach(() => world.close())

/** Runs the jobs once. @returns the events published meanwhile */
async function round(): Promise<{ readonly about: Channel; readonly data: Publication }[]> {
  const published: { readonly about: Channel; readonly data: Publication }[] = []
  const realtime = {
    publish: (about: Channel, data: Publication) => void published.push({ about, data }),
    isWatched: () => true,
    watch: () => undefined,
    recheck: () => undefined,
  }
  await runJobs({ ...world.services, realtime }, [planEnds])
  await ageJobs(world.app.db, 30_000)
  return published
}

/** Lets time pass, for jobs as well. */
async function pass(ms: number): Promise<void> {
  world.clock.advance(ms)
  await ageJobs(world.app.db, ms)
}

const rolled = async () =>
  (await world.app.db.selectFrom('plan_terms').select('date_rolled').executeTakeFirstOrThrow()).date_rolled

test('handles the end of a plan at its time', async () => {
  const ann = await world.user()
  await upgrade(world, ann, 2)
  const { date_end } = await world.app.db.selectFrom('plan_terms').select('date_end').executeTakeFirstOrThrow()
  const left = Date.parse(date_end) - world.clock.now().getTime()
  await pass(left - 5_000)
  await round()
  expect(await rolled()).toBeNull()
  await pass(5_000)
  await round()
  expect(await rolled()).toBe(date_end)
})

test('handles the end of a plan when the broadcast that holds it ends', async () => {
  const ann = await world.user()
  const node = someNodeOf(world)
  await upgrade(world, ann, 2)
  const { date_end } = await world.app.db.selectFrom('plan_terms').select('date_end').executeTakeFirstOrThrow()
  await pass(Date.parse(date_end) - world.clock.now().getTime() - 60_000)
  await node.begin(ann.projectId)
  await pass(3_600_000)
  await round()
  expect(await rolled()).toBeNull()
  await node.end(ann.projectId)
  await round()
  expect(await rolled()).not.toBeNull()
})

test('notifies open pages of the project once when its plan expires', async () => {
  const ann = await world.user('Ann')
  await world.user('Ben')
  await upgrade(world, ann, 2)
  expect(await round()).toEqual([])
  await pass(40 * 86_400_000)
  const project = { type: 'project', id: ann.projectId }
  const live = { type: 'project_live', id: ann.projectId }
  const banner = {
    type: 'add',
    content_type: 'warning',
    content_title: 'Start has ended',
    content_text: 'The project returns to the Free plan. Channels that it does not allow are switched off.',
    content_actions: [],
  }
  const changed = ({ id: operation, stale }: Operation) => ({ event: 'changed', payload: { operation, stale } })
  expect(await round()).toEqual([
    { about: live, data: changed(restream.buy) },
    { about: live, data: changed(channels.setStatus) },
    { about: project, data: { event: 'project-update', payload: {} } },
    { about: project, data: { event: 'important-event', payload: banner } },
  ])
  expect(await round()).toEqual([])
  const { accessToken } = await world.signIn(ann)
  const { results } = (await world.api(history.list, { project_id: ann.projectId, limit: 50 }, { as: accessToken }))
    .body
  expect(results.flatMap(({ action, details }) => (action === 'plan_notice' ? [details] : []))).toEqual([
    { line: 'restream', plan: 'Start', name: 'plan_restream_expired', date_end: '2026-04-01T10:00:00.000Z' },
  ])
})
