// Schedules over HTTP: what is accepted, refused and listed.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { liveStatus } from '#contract/areas/broadcasts/live-status.ts'
import { scheduler } from '#contract/areas/broadcasts/scheduler.ts'
import { history } from '#contract/areas/projects/history.ts'
import type { Input } from '#contract/core/operation.ts'
import { newChannel } from '#server/testing/channels.ts'
import { scheduleStage, someFilm } from '#server/testing/schedules.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
let ann: Person
let film: number
beforeEach(async () => {
  world = await testApp()
  ann = await world.user()
  film = await someFilm(world, ann.projectId)
})
afterEach(() => world.close())

const now = () => Math.floor(world.clock.now().getTime() / 1000)
const hour = 3_600
const day = 24 * hour
type Fields = Partial<Input<typeof scheduler.create>>
const create = (fields: Fields = {}) =>
  world.api(
    scheduler.create,
    { project_id: ann.projectId, channel_ids: [], start_at: now() + hour, video: { ids: [film] }, ...fields },
    { as: ann },
  )
const list = async (search: Partial<Input<typeof scheduler.list>> = {}) =>
  (await world.api(scheduler.list, { project_id: ann.projectId, ...search }, { as: ann })).body

test('creates, shows, replaces and deletes a schedule, and records each in the history', async () => {
  const { status, body } = await create({ end_at: now() + 2 * hour, video: { ids: [film], loop: true } })
  expect(status).toBe(201)
  const which = { project_id: ann.projectId, id: body.id }
  const start_at = now() + hour
  expect((await world.api(scheduler.get, which, { as: ann })).body).toEqual({
    id: body.id,
    project_id: ann.projectId,
    group_id: null,
    taskId: null,
    start_at,
    end_at: start_at + hour,
    active: true,
    channel_ids: [],
    mode: 'video',
    type: 'video',
    video: { ids: [film], loop: true, items: [{ id: film, name: 'Film', duration: 10, state: 'ready' }] },
    name: 'Film',
    zone: 'UTC',
    repeat: null,
    late: 'join',
    late_max: 600,
    return: 'at_once',
    titles: [],
    planned: null,
    planned_at: [],
    duration: 10,
    next: [start_at],
    run: null,
    last: null,
    missed: 0,
  })
  const channel = await newChannel(world, ann)
  const changed: Input<typeof scheduler.update> = {
    ...which,
    name: 'Evening',
    channel_ids: [channel, channel],
    start_at: now() + 2 * hour,
    video: { ids: [film, film] },
    zone: 'Europe/Berlin',
    repeat: { every: 'week', days: [7, 1], count: 3 },
    return: 'stay',
    planned: {},
  }
  expect((await world.api(scheduler.update, changed, { as: ann })).status).toBe(200)
  expect((await world.api(scheduler.get, which, { as: ann })).body).toMatchObject({
    name: 'Evening',
    group_id: channel,
    channel_ids: [channel],
    end_at: null,
    duration: 20,
    late: 'begin',
    return: 'stay',
    planned: { privacy: 'public' },
    repeat: { every: 'week', n: 1, days: [7, 1], count: 3 },
    // The first of March 2026 is a Sunday.
    next: [0, 1, 7].map((days) => now() + 2 * hour + days * day),
  })
  expect((await world.api(scheduler.remove, which, { as: ann })).body).toEqual({ success: true })
  expect(await list()).toEqual({ total: 0, limit: 20, offset: 0, results: [] })
  const { results } = (await world.api(history.list, { project_id: ann.projectId }, { as: ann })).body
  expect(results.map(({ action }) => action).filter((action) => action.startsWith('schedule_'))).toEqual([
    'schedule_removed',
    'schedule_changed',
    'schedule_created',
  ])
})

test.each<[string, Fields]>([
  ['ScheduleStart', { start_at: undefined }],
  ['ScheduleOver', { start_at: 1 }],
  ['ScheduleOver', { repeat: { every: 'day', until: 1_000 } }],
  ['ScheduleOver', { start_at: 1, repeat: { every: 'day', count: 1_000 } }],
  ['ScheduleTooFar', { start_at: 253_402_300_799 }],
  ['ScheduleEnd', { end_at: 5 }],
  ['ScheduleEnd', { end_at: 0 }],
  ['ScheduleEndless', { video: { ids: [1], loop: true }, repeat: { every: 'day' } }],
  ['ScheduleChannel', { channel_ids: [2_147_483_647] }],
  ['ScheduleVideo', { video: { ids: [2_147_483_647] } }],
  ['ScheduleChannel', { titles: [{ channel_id: 2_147_483_647, title: 'Evening' }] }],
])('refuses with %s: %o', async (name, fields) => {
  expect((await create(fields)).error?.name).toBe(name)
})

test.each<[string, unknown]>([
  ['start_at', -1],
  ['start_at', 1.5],
  ['start_at', 1e18],
  ['start_at', '2026-01-01'],
  ['end_at', 253_402_300_800],
  ['channel_ids', Array.from({ length: 1_000 }, (_, at) => at + 1)],
  ['channel_ids', 'all'],
  ['video', { ids: [] }],
  ['video', { ids: Array.from({ length: 201 }, () => 1) }],
  ['video', null],
  ['zone', 'Mars/Olympus'],
  ['zone', ''],
  ['zone', 'Europe/Berlin'.repeat(20)],
  ['zone', '../../etc/passwd'],
  ['repeat', { every: 'second' }],
  ['repeat', { every: 'day', n: 0 }],
  ['repeat', { every: 'day', days: [1] }],
  ['repeat', { every: 'week', days: [8] }],
  ['repeat', { every: 'week', count: -1 }],
  ['late', 'never'],
  ['late_max', -1],
  ['name', 'a\u0000b'],
  ['return', 'never'],
  ['titles', [{ channel_id: 1, title: '' }]],
  ['titles', [{ channel_id: 1, title: 'a\u0000b' }]],
  ['titles', { 1: 'Evening' }],
  ['planned', { privacy: 'secret' }],
  ['planned', { description: '<b>' }],
  ['mode', 'rtmp'],
])('refuses %s = %o by its name', async (field, value) => {
  const { status, error } = await create({ [field]: value } as Fields)
  expect(status).toBe(400)
  expect(error?.name).toBe('I18nValidationException')
  expect(JSON.stringify(error?.validator_error)).toContain(field)
})

test('takes the farthest times that it accepts', async () => {
  const far = { every: 'month', n: 99, until: 253_402_300_799 } as const
  expect((await create({ start_at: now() + 731 * day, end_at: 253_402_300_799, repeat: far })).status).toBe(201)
  // Its first run is still on.
  expect((await list({ date_from: 253_402_300_799 })).total).toBe(1)
  expect((await list({ date_to: 253_402_300_799 })).total).toBe(1)
})

test('begins a time that summer time leaves out an hour later', async () => {
  // 02:30 in Berlin, every Sunday.
  const start_at = Date.parse('2026-03-08T01:30:00Z') / 1000
  const { body } = await create({ start_at, zone: 'Europe/Berlin', repeat: { every: 'week' } })
  const { next } = (await world.api(scheduler.get, { project_id: ann.projectId, id: body.id }, { as: ann })).body
  expect(next.map((at) => new Date(at * 1000).toISOString().slice(0, 16))).toEqual([
    '2026-03-08T01:30',
    '2026-03-15T01:30',
    '2026-03-22T01:30',
    '2026-03-29T01:30',
    '2026-04-05T00:30',
  ])
})

test('lists by the next run, filtered by channel and by time', async () => {
  const channel = await newChannel(world, ann)
  const other = await newChannel(world, ann)
  await create({ name: 'late', start_at: now() + 5 * hour, channel_ids: [channel] })
  await create({ name: 'daily', start_at: now() - 2 * hour, repeat: { every: 'day' }, channel_ids: [other] })
  await create({ name: 'soon', start_at: now() + hour, end_at: now() + 4 * hour })
  const names = async (search: Partial<Input<typeof scheduler.list>>) =>
    (await list(search)).results.map(({ name }) => name)
  expect(await names({})).toEqual(['soon', 'late', 'daily'])
  expect(await names({ order: 'desc' })).toEqual(['daily', 'late', 'soon'])
  expect(await names({ limit: 1, offset: 1 })).toEqual(['late'])
  expect(await names({ channel_id: channel })).toEqual(['soon', 'late'])
  expect(await names({ date_from: now() + 4.5 * hour, date_to: now() + 10 * hour })).toEqual(['late'])
  // It is still on.
  expect(await names({ date_from: now() + 2 * hour, date_to: now() + 3 * hour })).toEqual(['soon'])
  await create({ name: 'endless', start_at: now() + 6 * hour, video: { ids: [film], loop: true } })
  expect(await names({ date_from: now() + 7 * hour, date_to: now() + 8 * hour })).toEqual(['endless'])
  expect(await names({ date_from: now() + 10 * day, date_to: now() + 11 * day })).toEqual(['endless', 'daily'])
})

test('lists those that are over apart from those that are on or follow', async () => {
  const stage = scheduleStage(world, ann)
  await stage.connect('one')
  await create({ name: 'over', start_at: now() + 60, late: 'skip', late_max: 0 })
  await stage.pass(300)
  ann = stage.me
  await create({ name: 'on', start_now: true, start_at: undefined, video: { ids: [film], loop: true } })
  await stage.work()
  await create({ name: 'soon' })
  const names = async (active?: boolean) =>
    (await list(active === undefined ? {} : { active })).results.map(({ name }) => name).toSorted()
  expect(await names(true)).toEqual(['on', 'soon'])
  expect(await names(false)).toEqual(['over'])
  expect(await names()).toEqual(['on', 'over', 'soon'])
})

test('has 50 schedules that are not over, and keeps the newest of those that are', async () => {
  for (let count = 0; count < 50; count++) expect((await create()).status).toBe(201)
  const refused = await create()
  expect(refused.error).toMatchObject({ name: 'TooManySchedules', data: { max: 50 } })
  const { results } = await list({ limit: 1 })
  const [first] = results
  expect(first?.active).toBe(true)
  const replaced = await world.api(
    scheduler.update,
    { project_id: ann.projectId, id: first?.id ?? 0, channel_ids: [], start_at: now() + day, video: { ids: [film] } },
    { as: ann },
  )
  expect(replaced.status).toBe(200)
})

test('knows no schedule of another project', async () => {
  const { body } = await create()
  const ben = await world.user('Ben')
  const theirs = { project_id: ben.projectId, id: body.id }
  for (const op of [scheduler.remove, scheduler.stop] as const)
    expect((await world.api(op as typeof scheduler.stop, theirs, { as: ben })).error?.name).toBe('ScheduleNotFound')
  expect((await world.api(scheduler.get, theirs, { as: ben })).error?.name).toBe('ScheduleNotFound')
  const foreign = { project_id: ben.projectId, channel_ids: [], start_at: now() + hour, video: { ids: [film] } }
  expect((await world.api(scheduler.create, foreign, { as: ben })).error?.name).toBe('ScheduleVideo')
  expect((await world.api(scheduler.stop, { project_id: ann.projectId, id: body.id }, { as: ann })).error?.name).toBe(
    'ScheduleNotRunning',
  )
})

test('shows the file that is on air in both statuses', async () => {
  const stage = scheduleStage(world, ann)
  await stage.connect('one')
  const { body } = await create({ start_now: true, start_at: undefined, video: { ids: [film], loop: true } })
  await stage.work()
  const run = (await stage.get(body.id)).run?.id ?? 0
  await stage.begin('one', run)
  const status = (await world.api(broadcasts.status, { project_id: ann.projectId }, { as: ann })).body
  expect(status).toMatchObject({ kind: 'scheduler', app: 'scheduler', schedulerId: body.id, video_id: film })
  const flat = (await world.api(liveStatus.get, { project_id: ann.projectId }, { as: ann })).body
  expect(flat).toMatchObject({ app: 'scheduler', video: { task_id: run, video_id: film, name: 'Film', duration: 10 } })
})
