// Schedules on the service: a run is given to a node before its time, and begins, joins or is missed when it is late.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { scheduler } from '#contract/areas/broadcasts/scheduler.ts'
import { mediaFiles } from '#contract/areas/media/files.ts'
import { history } from '#contract/areas/projects/history.ts'
import type { LateRule } from '#contract/entities/schedule.ts'
import { upgrade } from '#server/testing/channels.ts'
import { onAirOf } from '#server/testing/on-air.ts'
import { scheduleStage, someFilm } from '#server/testing/schedules.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'
import { findNextBegin } from './schedules-store.ts'
import { readStreamKey } from '#server/domain/ingest/stream-keys.ts'

let world: World
let ann: Person
let stage: ReturnType<typeof scheduleStage>
let film: number

beforeEach(async () => {
  world = await testApp()
  ann = await world.user()
  await upgrade(world, ann, 3)
  stage = scheduleStage(world, ann)
  film = await someFilm(world, ann.projectId)
})
afterEach(() => world.close())

const now = () => Math.floor(world.clock.now().getTime() / 1000)
const video = (loop = false) => ({ ids: [film], loop })

test('gives a run to a node earlier when its first file is large', async () => {
  await stage.connect('one')
  // Ten hours at 4,000 kbps: 18 GB.
  const long = await someFilm(world, ann.projectId, { bytes: 18_000_000_000, duration_ms: 36_000_000 })
  const id = await stage.create({ video: { ids: [long, film] }, start_at: now() + 7_200 })
  await stage.create({ video: video(), start_at: now() + 5_450 })
  const widget = () => findNextBegin(world.app.db, ann.projectId, world.clock.now().toISOString())
  await stage.pass(7_200 - 1_861)
  await stage.work()
  expect(stage.playsOf('one')).toEqual([])
  const second = await widget()
  await stage.pass(2)
  await stage.work()
  expect(stage.playsOf('one')).toMatchObject([{ run: await stage.runOf(id) }])
  // The run of the long file is there, and the other schedule begins before it.
  expect([second, await widget()]).toEqual([second, second])
})

test('gives a run to a node a minute before its time, and shows what is on air until its end', async () => {
  await stage.connect('one')
  const second = await someFilm(world, ann.projectId, { name: 'Second' })
  const id = await stage.create({ name: 'Evening', video: { ids: [film, second] } })
  const begin = now() + 600
  await stage.work()
  expect(await stage.get(id)).toMatchObject({ active: true, next: [begin], run: null, duration: 20 })
  await stage.pass(539)
  await stage.work()
  expect(stage.playsOf('one')).toEqual([])
  await stage.pass(2)
  await stage.work()
  const { key } = await readStreamKey(world.services, ann.projectId)
  const items = [
    { file: expect.stringMatching(/^[\da-f]{32}\.mp4$/), ms: 10_000 },
    { file: expect.any(String), ms: 10_000 },
  ]
  const run = await stage.runOf(id)
  expect(stage.playsOf('one')).toEqual([
    { projectId: ann.projectId, run, key, beginAt: begin * 1000, endAt: null, loop: false, items },
  ])
  await stage.note('one', run, 'ready')
  expect((await stage.get(id)).run).toMatchObject({ state: 'ready', start_at: begin, end_at: begin + 20 })
  await stage.pass(60)
  expect(await stage.begin('one', run)).toBe('live')
  const status = { kind: 'scheduler', app: 'scheduler', schedulerId: id, video_id: film, name: 'Film', duration: 10 }
  expect(await onAirOf(world, stage.me)).toMatchObject(status)
  await stage.pass(10)
  await stage.note('one', run, 'live', { item: 1 })
  expect(await onAirOf(world, stage.me)).toMatchObject({ video_id: second, name: 'Second' })
  expect((await stage.get(id)).run).toMatchObject({ state: 'live', video_id: second })
  await stage.pass(10)
  await stage.note('one', run, 'ended')
  await stage.node('one').end(ann.projectId)
  await stage.work()
  expect(stage.playsOf('one')).toEqual([])
  expect(await stage.get(id)).toMatchObject({ active: false, next: [], run: null, missed: 0 })
  expect(await stage.lastOf(id)).toMatchObject({ state: 'ended', reason: null, start_at: begin })
  expect(await stage.notices()).toEqual([])
  const list = await world.api(history.list, { project_id: ann.projectId }, { as: stage.me })
  expect(list.body.results.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['schedule_created', 'broadcast_began', 'broadcast_ended']),
  )
})

test('begins a run at one node once, whichever replica looks first', async () => {
  await stage.connect('one')
  await stage.connect('two')
  const id = await stage.create({ video: video(), start_now: true })
  const other = { ...stage.services }
  await Promise.all([stage.work(), stage.work(other), stage.work(), stage.work(other)])
  const runs = await world.app.db.selectFrom('schedule_runs').selectAll().execute()
  expect(runs).toHaveLength(1)
  const given = ['one', 'two'].filter((name) => stage.playsOf(name).length > 0)
  expect(given).toEqual([runs[0]?.node])
  const elsewhere = given[0] === 'one' ? 'two' : 'one'
  expect(await stage.begin(elsewhere, await stage.runOf(id))).toContain('not for this server')
  expect(await stage.begin(given[0] ?? '', await stage.runOf(id))).toBe('live')
})

test.each<[LateRule, boolean, number, string]>([
  ['join', true, 300, 'joins'],
  ['join', true, 1_200, 'joins'],
  ['join', false, 5, 'joins'],
  ['join', false, 300, 'missed'],
  ['begin', false, 300, 'begins'],
  ['begin', false, 1_200, 'missed'],
  ['begin', true, 300, 'begins'],
  ['skip', false, 300, 'missed'],
  ['skip', true, 5, 'joins'],
])('by the rule %s (loop: %s), a service that is away until %i s after the begin %s', async (late, loop, by, what) => {
  await stage.connect('one')
  const end_at = loop ? now() + 600 + 7_200 : null
  const id = await stage.create({ video: video(loop), late, end_at })
  const begin = now() + 600
  await stage.pass(600 + by)
  await stage.work()
  if (what === 'missed') {
    expect(stage.playsOf('one')).toEqual([])
    expect(await stage.lastOf(id)).toMatchObject({ state: 'missed', start_at: begin })
    expect(await stage.get(id)).toMatchObject({ active: false, missed: 1 })
    expect((await stage.notices()).map(([kind]) => kind)).toEqual(['schedule_missed'])
    return
  }
  const run = await stage.runOf(id)
  expect(await stage.begin('one', run)).toBe('live')
  const begun = what === 'begins' ? begin + by : begin
  await stage.work()
  expect((await stage.get(id)).run).toMatchObject({
    start_at: begin,
    begin_at: begun,
    end_at: loop ? (end_at ?? 0) + (begun - begin) : begun + 10,
  })
  expect(await stage.notices()).toEqual([])
})

test('misses the runs of an absence of days, and informs of those of the last day only', async () => {
  await stage.connect('one')
  const id = await stage.create({ video: video(), repeat: { every: 'day' } })
  const day = 86_400
  await stage.pass(5 * day)
  await stage.work()
  const shown = await stage.get(id)
  expect(shown).toMatchObject({ missed: 5, active: true, last: { state: 'missed', reason: 'late' } })
  expect(shown.next[0]).toBe(now() + 600)
  expect(await stage.notices()).toEqual([['schedule_missed', 'late']])
})

test('waits until the run before is over, and follows the rule of lateness then', async () => {
  await stage.connect('one')
  const first = await stage.create({ video: video(true), start_now: true, end_at: now() + 900 })
  const skips = await stage.create({ video: video(), late: 'skip' })
  const begins = await stage.create({ video: video(), late_max: 3_600 })
  const late = await stage.create({ video: video(), late_max: 60 })
  await stage.work()
  await stage.begin('one', await stage.runOf(first))
  await stage.pass(580)
  await stage.work()
  expect(stage.playsOf('one')).toHaveLength(1)
  await stage.pass(90)
  await stage.work()
  expect(await stage.lastOf(skips)).toMatchObject({ state: 'missed', reason: 'overlap' })
  await stage.pass(30)
  await stage.work()
  expect(await stage.lastOf(late)).toMatchObject({ state: 'missed', reason: 'overlap' })
  expect((await stage.get(begins)).run).toMatchObject({ state: 'waiting' })
  expect(await stage.begin('one', await stage.runOf(begins))).toContain('not for this server')
  await stage.stop(first)
  await stage.work()
  expect(await stage.lastOf(first)).toMatchObject({ state: 'stopped' })
  expect(stage.playsOf('one').map(({ run }) => run)).toEqual([await stage.runOf(begins)])
  expect(await stage.begin('one', await stage.runOf(begins))).toBe('live')
})

test('prepares a run that follows another one without a pause', async () => {
  await stage.connect('one')
  const first = await stage.create({ video: video(true), start_now: true, end_at: now() + 600 })
  const second = await stage.create({ video: video() })
  await stage.work()
  await stage.begin('one', await stage.runOf(first))
  await stage.pass(560)
  await stage.work()
  expect(stage.playsOf('one').map(({ run }) => run)).toEqual([await stage.runOf(first), await stage.runOf(second)])
  expect(await stage.begin('one', await stage.runOf(second))).toContain('not time')
  await stage.pass(41)
  expect(await stage.begin('one', await stage.runOf(second))).toBe('live')
})

test('keeps what a run plays when its schedule changes, and makes one anew that has not begun', async () => {
  await stage.connect('one')
  const id = await stage.create({ video: video(true), start_now: true })
  await stage.work()
  const run = await stage.runOf(id)
  const second = await someFilm(world, ann.projectId, { name: 'Second' })
  const change = (ids: number[], start_at: number) =>
    world.api(
      scheduler.update,
      { project_id: ann.projectId, id, channel_ids: [], start_at, video: { ids, loop: true } },
      { as: stage.me },
    )
  expect((await change([second], now() + 30)).status).toBe(200)
  await stage.work()
  const anew = await stage.runOf(id)
  expect(anew).not.toBe(run)
  expect(stage.playsOf('one').map((play) => play.run)).toEqual([anew])
  expect(await stage.note('one', run, 'ready')).toBe('unknown')
  await stage.pass(30)
  await stage.begin('one', anew)
  await change([film], now() + 3_600)
  await stage.work()
  expect((await stage.get(id)).run).toMatchObject({ id: anew, video_id: second, state: 'live' })
  expect((await stage.get(id)).next).toEqual([now() + 3_600])
})

test('ends the run of a schedule that is deleted', async () => {
  await stage.connect('one')
  const id = await stage.create({ video: video(true), start_now: true })
  await stage.work()
  await stage.begin('one', await stage.runOf(id))
  expect((await stage.remove(id)).status).toBe(200)
  await stage.work()
  expect(stage.playsOf('one')).toEqual([])
  expect(await onAirOf(world, stage.me)).toMatchObject({ kind: 'scheduler', name: 'Film' })
  await stage.node('one').end(ann.projectId)
  expect(await onAirOf(world, stage.me)).toMatchObject({ kind: 'inactive' })
  expect(await world.app.db.selectFrom('schedule_runs').selectAll().execute()).toEqual([])
  expect((await stage.stop(id)).error?.name).toBe('ScheduleNotFound')
})

test('keeps a film that a schedule or its run needs', async () => {
  const remove = async () => {
    const input = { project_id: ann.projectId, media_id: film }
    return (await world.api(mediaFiles.remove, input, { as: stage.me })).error?.name
  }
  await stage.connect('one')
  const id = await stage.create({ video: video() })
  expect(await remove()).toBe('MediaInUse')
  await stage.pass(600)
  await stage.work()
  await stage.begin('one', await stage.runOf(id))
  expect(await remove()).toBe('MediaInUse')
  await stage.note('one', await stage.runOf(id), 'ended')
  expect(await remove()).toBeUndefined()
  expect((await stage.get(id)).video.items).toMatchObject([{ state: 'missing' }])
})

test('refuses a film above the bitrate of the plan, and leaves it out of a run under a smaller one', async () => {
  const heavy = await someFilm(world, ann.projectId, { name: 'Heavy', bytes: 100_000_000 })
  await expect(stage.create({ video: { ids: [film, heavy] } })).rejects.toThrow('ScheduleBitrate')
  await stage.connect('one')
  const id = await stage.create({ video: { ids: [film, film] } })
  await world.app.db.updateTable('schedule_items').set({ media_id: heavy }).where('position', '=', 0).execute()
  await stage.pass(600)
  await stage.work()
  expect(stage.playsOf('one')).toMatchObject([{ run: await stage.runOf(id), items: [{ ms: 10_000 }] }])
})

test('refuses a film that no server has room for, and says which servers have', async () => {
  const large = await someFilm(world, ann.projectId, { name: 'Large', bytes: 9_000_000, duration_ms: 60_000 })
  const clip = { project_id: ann.projectId, media_id: large, type: 'lost' } as const
  const tried = async () => {
    // Nodes report again.
    await stage.pass(1)
    const saved = await stage.create({ video: { ids: [film, large] } }).catch((error: Error) => error.message)
    const { error } = await world.api(mediaFiles.set, clip, { as: stage.me })
    const about = { project_id: ann.projectId, media_id: large }
    const { body } = await world.api(mediaFiles.get, about, { as: stage.me })
    return [typeof saved === 'number' ? 'saved' : saved, error?.name ?? 'chosen', body.servers, body.isDisabled]
  }
  // An older node reports no size.
  await stage.connect('one')
  expect(await tried()).toEqual(['saved', 'chosen', undefined, false])
  await stage.connect('two', { filmBytesMax: 8_999_999 })
  expect(await tried()).toEqual(['saved', 'chosen', 'some', false])
  await stage.connect('one', { filmBytesMax: 5_000_000 })
  expect(await tried()).toEqual(['FilmTooLarge', 'FilmTooLarge', 'none', true])
  const { error } = await world.api(mediaFiles.set, clip, { as: stage.me })
  expect(error?.msg).toBe(
    '“Large” has 9 MB, and the servers play videos of at most 8 MB. Choose a smaller one, or ask the operator for more room (RELAY_FILMS_GB).',
  )
  await stage.connect('two', { filmBytesMax: 9_000_000 })
  expect(await tried()).toEqual(['saved', 'chosen', 'some', false])
  await stage.connect('one', { filmBytesMax: 9_000_000 })
  expect(await tried()).toEqual(['saved', 'chosen', undefined, false])
  // Servers that have ended, or play no films, count for nothing.
  await stage.connect('one', { filmBytesMax: 1 })
  stage.disconnect('one')
  await stage.connect('three', { plays: false, filmBytesMax: 1 })
  await stage.pass(91)
  expect(await tried()).toEqual(['saved', 'chosen', undefined, false])
})

test('waits for a film that is being prepared, and fails without any', async () => {
  const made = await someFilm(world, ann.projectId, { state: 'preparing', duration_ms: 0, file: '' })
  await stage.connect('one')
  const id = await stage.create({ video: { ids: [made] } })
  expect(await stage.get(id)).toMatchObject({
    duration: null,
    video: { items: [{ state: 'processing', duration: 0 }] },
  })
  await stage.pass(605)
  await stage.work()
  expect((await stage.get(id)).run).toMatchObject({ state: 'waiting' })
  const change = (values: object) =>
    world.app.db.updateTable('media_files').set(values).where('id', '=', made).execute()
  await change({ state: 'ready', duration_ms: 5_000, file: `${'c'.repeat(32)}.mp4` })
  await stage.pass(5)
  await stage.work()
  expect(stage.playsOf('one')).toMatchObject([{ items: [{ ms: 5_000 }] }])
  await change({ state: 'failed', file: '' })
  await stage.pass(30)
  await stage.work()
  expect(await stage.lastOf(id)).toMatchObject({ state: 'failed', reason: 'no_video' })
  expect(await stage.notices()).toEqual([['schedule_failed', 'no_video']])
})

test('tells the node of a run whether its files stay on air when an encoder comes back', async () => {
  await stage.connect('one')
  for (const rule of ['stay', 'at_once'] as const) {
    const id = await stage.create({ start_at: undefined, start_now: true, video: video(true), return: rule })
    await stage.work()
    expect(stage.playsOf('one').map(({ stays }) => stays ?? false)).toEqual([rule === 'stay'])
    await stage.stop(id)
    await stage.work()
  }
})
