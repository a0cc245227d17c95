// Recordings beyond the space: nothing is removed without STORAGE_GRACE_DAYS; with it, the oldest on the announced date.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { recordings } from '#contract/areas/broadcasts/recordings.ts'
import { history } from '#contract/areas/projects/history.ts'
import { storage } from '#contract/areas/tariffs/storage.ts'
import { mailServer, writtenOf } from '#server/testing/mail.ts'
import { ageJobs } from '#server/testing/jobs.ts'
import { sendNotifications } from '#server/testing/outbox.ts'
import { someFile, someNodeOf } from '#server/testing/on-air.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'
import { reviewStorage } from './storage-removal.ts'

let world: World
let me: Person
let mail: Awaited<ReturnType<typeof mailServer>>
beforeAll(async () => {
  mail = await mailServer()
})
afterAll(() => mail.close())
afterEach(async () => {
  mail.got.length = 0
  await world.close()
})

const times = [2, 1, 3].map((day) => Date.UTC(2026, 1, day))

/** Starts a service with three recordings of 8 GB, in a space of 20 GB. */
async function begin(env: Readonly<Record<string, string>> = {}): Promise<void> {
  world = await testApp({ ...mail.settings, PUBLIC_URL: 'https://live.example.com', ...env })
  me = await world.user()
  const node = someNodeOf(world)
  for (const time of times)
    await node.tell(me.projectId, {
      type: 'recording',
      recording: someFile(me.projectId, time, { bytes: 8_000_000_000 }),
    })
  // The notices about the nearly full space.
  await sendNotifications(world)
  mail.got.length = 0
}

const of = () => ({ project_id: me.projectId })
const limits = async () => (await world.api(recordings.limits, of(), { as: me })).body
/** Advances the clock, and runs the job on two replicas concurrently. */
async function after(hours: number): Promise<void> {
  world.clock.advance(hours * 3_600_000)
  await ageJobs(world.app.db, hours * 3_600_000)
  await Promise.all([reviewStorage(world.services), reviewStorage(world.services)])
  await sendNotifications(world)
  me = await world.signIn(me)
}
async function entries(name: string) {
  const { results } = (await world.api(history.list, { ...of(), limit: 50 }, { as: me })).body
  return results.flatMap(({ action, details }) => (action === name ? [details] : [])).toReversed()
}

test('notifies the owners once when a file raises the used space to 80 and to 95 %', async () => {
  await begin()
  const node = someNodeOf(world)
  const grow = (time: number, bytes: number) =>
    node.tell(me.projectId, { type: 'recording', recording: someFile(me.projectId, time, { bytes }) })
  const percents = async () => {
    const rows = await world.app.db
      .selectFrom('notifications')
      .select('params')
      .where('kind', '=', 'storage_nearly_full')
      .orderBy('id')
      .execute()
    return rows.map(({ params }) => (JSON.parse(params) as { percent: number }).percent)
  }
  // 8, 16 and 24 of 20 GB.
  expect(await percents()).toEqual([80, 100])
  await grow(times[0] ?? 0, 8_000_000_000)
  await grow(times[0] ?? 0, 9_000_000_000)
  expect(await percents()).toEqual([80, 100])
})

test('billing check 12: removes nothing without STORAGE_GRACE_DAYS', async () => {
  await begin()
  await after(0)
  await after(24 * 400)
  expect(await limits()).toEqual({ video_limit: 20e9, video_current: 24e9, removal: null })
  expect(mail.got).toEqual([])
})

test('billing check 12: removes the oldest recordings on the date that was fixed and announced', async () => {
  await begin({ STORAGE_GRACE_DAYS: '3' })
  await after(0)
  const removal = { removing_at: '2026-03-04T10:00:00.000Z', files: 1, size: 8e9 }
  expect((await limits()).removal).toEqual(removal)
  await after(47)
  expect(await entries('storage_notice')).toEqual([removal])
  await after(1)
  expect(await entries('storage_notice')).toEqual([removal, removal])
  await after(23)
  expect(await limits()).toEqual({ video_limit: 20e9, video_current: 24e9, removal })
  expect(mail.got).toHaveLength(2)
  expect(writtenOf(mail.got[1]?.text ?? '')).toContain('1 file, 8 GB')
  await after(1)
  expect(await limits()).toEqual({ video_limit: 20e9, video_current: 16e9, removal: null })
  const removed = { broadcast_id: null, recorded_at: '2026-02-01T00:00:00.000Z', reason: 'storage' }
  expect(await entries('recording_removed')).toEqual([removed])
})

test('keeps a day after a late notice', async () => {
  await begin({ STORAGE_GRACE_DAYS: '30' })
  await after(0)
  expect(await entries('storage_notice')).toEqual([])
  await after(24 * 40)
  expect(await limits()).toMatchObject({ video_current: 24e9, removal: { removing_at: '2026-04-11T10:00:00.000Z' } })
  await after(24)
  expect(await limits()).toMatchObject({ video_current: 16e9 })
  expect(mail.got).toHaveLength(1)
})

test('bought space clears the date', async () => {
  await begin({ STORAGE_GRACE_DAYS: '3' })
  await after(0)
  await world.api(storage.buy, { ...of(), plan_storage_id: 1, size: 100, period: 'month' }, { as: me })
  expect((await limits()).removal).toBe(null)
  await after(24 * 5)
  expect(await limits()).toMatchObject({ video_current: 24e9, removal: null })
  expect(await entries('recording_removed')).toEqual([])
})
