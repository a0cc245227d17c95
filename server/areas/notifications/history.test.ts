// History of notifications: rows, filters, reading, actions, settings and banners; also that a fact and its notification are one.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { invites as channelInvites } from '#contract/areas/channels/invites.ts'
import { history } from '#contract/areas/notifications/history.ts'
import { settings } from '#contract/areas/notifications/settings.ts'
import { invites } from '#contract/areas/projects/invites.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { transaction } from '#server/db/transaction.ts'
import { type Fact, notify, retract } from '#server/domain/notifications/notify.ts'
import type { CreatedKind } from '#server/domain/notifications/kinds.ts'
import { newChannel } from '#server/testing/channels.ts'
import { someNodeOf } from '#server/testing/on-air.ts'
import { newTeam } from '#server/testing/team.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
beforeAll(async () => {
  world = await testApp()
})
afterAll(() => world.close())

const put = <K extends CreatedKind>(fact: Fact<K>) =>
  transaction(world.app.db, (trx) => notify(world.services, trx, fact))
const rowsOf = async (as: Person, more: object = {}) => (await world.api(history.list, more, { as })).body.results
const unread = async (as: Person) => (await world.api(history.getStatus, {}, { as })).body.count_unread
const started = (projectId: number, id: number) =>
  ({ kind: 'broadcast_started', projectId, ref: id, params: { broadcast_id: id } }) as const
const failed = (projectId: number, payment_id: number) =>
  ({ kind: 'payment_failed', projectId, ref: payment_id, params: { payment_id, amount: '10.00 USD' } }) as const

test('lists a notification once, after it has settled, in three languages', async () => {
  const ann = await world.user()
  const { projectId } = ann
  await put(started(projectId, 7))
  await put(started(projectId, 7))
  expect(await rowsOf(ann)).toEqual([])
  world.clock.advance(30_000)
  const [row, ...others] = await rowsOf(ann)
  expect(others).toEqual([])
  expect(row).toMatchObject({
    project_id: projectId,
    name: 'broadcast_started',
    category: 'stream',
    channel: 'cabinet',
    status_read: false,
    link: `/p/${projectId}/broadcasts/7`,
  })
  expect(row?.text.map(({ language_iso, title }) => [language_iso, title])).toEqual([
    ['en', 'The broadcast has started'],
    ['ru', 'Трансляция началась'],
    ['cn', '直播已开始'],
  ])
  expect(row?.id).toBe(row?._id)
  expect((await world.api(history.get, { _id: row?._id ?? '' }, { as: ann })).body).toEqual(row)
})

test('removes both when the contrary fact follows within the settling time', async () => {
  const ann = await world.user()
  const of = { projectId: ann.projectId, ref: 9, params: { broadcast_id: 9 } }
  await put({ kind: 'broadcast_started', ...of })
  expect(await put({ kind: 'broadcast_stopped', ...of })).toBe(0)
  await put({ kind: 'broadcast_connecting_lost', ...of })
  expect(
    await transaction(world.app.db, (trx) =>
      retract(world.services, trx, { kind: 'broadcast_connecting_lost', ...of }),
    ),
  ).toBe(true)
  world.clock.advance(60_000)
  expect(await rowsOf(ann)).toEqual([])
})

test('invariant 9: commits with its fact, and not without it', async () => {
  const ann = await world.user()
  await expect(
    transaction(world.app.db, async (trx) => {
      await notify(world.services, trx, failed(ann.projectId, 1))
      throw new Error('rolled back')
    }),
  ).rejects.toThrow('rolled back')
  expect(await rowsOf(ann)).toEqual([])
  await Promise.all([put(failed(ann.projectId, 1)), put(failed(ann.projectId, 1))])
  expect(await rowsOf(ann)).toHaveLength(1)
})

test('invariant 10: counts unread rows, also after concurrent calls of read', async () => {
  const [ann, ben] = [await world.user(), await world.user('Ben')]
  for (let id = 1; id <= 6; id++) await put(failed(ann.projectId, id))
  await put(failed(ben.projectId, 1))
  const ids = (await rowsOf(ann)).map(({ _id }) => _id)
  const [foreign] = await rowsOf(ben)
  const read = (...some: (string | undefined)[]) =>
    world.api(history.read, { notify_history_ids: some.map((id) => id ?? '0') }, { as: ann })
  const counts = await Promise.all([read(ids[0], ids[1]), read(ids[1], ids[2]), read(ids[2], foreign?._id, 'x')])
  expect(counts.reduce((sum, { body }) => sum + body.count, 0)).toBe(3)
  expect([await unread(ann), await unread(ben)]).toEqual([3, 1])
  expect(await rowsOf(ann, { status_read: 'unread' })).toHaveLength(3)
  await world.api(history.setAllCabinetRead, {}, { as: ann })
  expect([await unread(ann), await unread(ben)]).toEqual([0, 1])
  expect((await world.api(history.get, { _id: foreign?._id ?? '' }, { as: ann })).error?.name).toBe(
    'NotificationNotFound',
  )
})

test('notifies members with the right, as long as they are members', async () => {
  const [owner, viewer] = [await world.user('Owner'), await world.user('Viewer')]
  await world.join(viewer, owner.projectId, 0)
  await put(failed(owner.projectId, 1))
  await put({ kind: 'broadcast_connecting_lost', projectId: owner.projectId, ref: 1, params: { broadcast_id: 1 } })
  world.clock.advance(30_000)
  expect((await rowsOf(viewer)).map(({ name }) => name)).toEqual(['broadcast_connecting_lost'])
  expect(await rowsOf(owner, { category: 'important', project_id: owner.projectId })).toHaveLength(2)
  expect(await rowsOf(owner, { name: 'create_reader' })).toEqual([])
  await world.app.db
    .deleteFrom('project_members')
    .where('user_id', '=', viewer.id)
    .where('access_type', '=', 0)
    .execute()
  expect([await rowsOf(viewer), await unread(viewer)]).toEqual([[], 0])
})

test('follows the settings of each channel and category', async () => {
  const ann = await world.user()
  const { projectId: project_id } = ann
  const set = (
    notify_channel: 'cabinet' | 'email',
    notify_category: 'stream' | 'important',
    status: 'enable' | 'disable',
  ) => world.api(settings.set, { project_id, notify_channel, notify_category, status }, { as: ann })
  await set('cabinet', 'stream', 'disable')
  await set('email', 'important', 'disable')
  expect((await world.api(settings.get, { project_id }, { as: ann })).body).toEqual({
    user_id: ann.id,
    channels: { cabinet: true, telegram: false, mobile: false, email: false },
    relation: {
      cabinet: ['important'],
      telegram: ['important', 'stream'],
      mobile: ['important', 'stream'],
      email: [],
      project_id,
    },
    caps: { email_minutes: 10, email_day: 20 },
  })
  await put(started(project_id, 1))
  await put(failed(project_id, 1))
  world.clock.advance(30_000)
  expect((await rowsOf(ann)).map(({ name, deliveries }) => [name, deliveries])).toEqual([['payment_failed', []]])
})

test('accepts an invitation into a project once, with the present rights', async () => {
  const [owner, guest] = [await world.user('Owner'), await world.user('Guest')]
  const project_id = await newTeam(world, owner)
  const input = { project_id, access_type: 1, email: guest.email } as const
  const { project_invite_id: invite_id } = (await world.api(invites.add, input, { as: owner })).body
  // Where anyone may sign up, an account does not prove its e-mail.
  expect(await rowsOf(guest)).toEqual([])
  const params = { invite_id, project: 'Team', from: 'Owner' }
  await put({ kind: 'request_access_project', projectId: guest.projectId, ref: invite_id, userId: guest.id, params })
  const [row] = await rowsOf(guest)
  expect(row).toMatchObject({ name: 'request_access_project', project_id: guest.projectId })
  const run = (action_name: string) =>
    world.api(
      history.runAction,
      { notify_history_id: row?._id ?? '', action_name, group_id: 'invitation' },
      { as: guest },
    )
  for (let round = 0; round < 2; round++) {
    const { body } = await run('accept')
    expect(body.actions['invitation']?.map(({ name, done }) => [name, done])).toEqual([
      ['accept', true],
      ['decline', false],
    ])
  }
  expect((await run('decline')).error?.name).toBe('InviteRejected')
  expect((await run('accept_1')).error?.name).toBe('UnknownAction')
  const mine = (await world.api(projects.list, {}, { as: guest })).body.results
  expect(mine.map(({ project_id: id }) => id)).toContain(project_id)
})

test('declines a shared channel from the notification', async () => {
  const [owner, guest] = [await world.user('Owner'), await world.user('Guest')]
  const channel_id = await newChannel(world, owner)
  const { external_id } = await world.app.db
    .selectFrom('projects')
    .select('external_id')
    .where('id', '=', guest.projectId)
    .executeTakeFirstOrThrow()
  await world.api(
    channelInvites.addById,
    { project_id: owner.projectId, channel_id, access_type: 0, to_project_external_id: external_id },
    { as: owner },
  )
  const [row] = await rowsOf(guest)
  expect(row).toMatchObject({ name: 'request_access_channel', project_id: guest.projectId })
  const input = { notify_history_id: row?._id ?? '', action_name: 'decline', group_id: 'invitation' }
  expect((await world.api(history.runAction, input, { as: guest })).body.status_read).toBe(true)
  expect(
    (await world.api(channelInvites.received, { project_id: guest.projectId }, { as: guest })).body.results,
  ).toEqual([])
})

test('shows the gravest banner of a project until it is closed or its broadcast ends', async () => {
  const ann = await world.user()
  const of = { project_id: ann.projectId }
  const screen = async () => (await world.api(settings.screen, of, { as: ann })).body
  const node = someNodeOf(world, 'banner')
  expect(await screen()).toEqual({ type: 'info', text: '' })
  await node.begin(ann.projectId)
  await node.tell(ann.projectId, { type: 'bitrate', state: 'high', kbps: 9_000, kbpsMax: 6_000 })
  expect(await screen()).toMatchObject({ type: 'warning', title: 'The bitrate exceeds your plan' })
  expect((await world.api(settings.removeScreen, of, { as: ann })).status).toBe(201)
  expect(await screen()).toEqual({ type: 'info', text: '' })
})

test('shows a lost encoder as an error, and its return as information', async () => {
  const ann = await world.user()
  const node = someNodeOf(world, 'returning')
  await node.begin(ann.projectId)
  await node.tell(ann.projectId, { type: 'source-lost', how: 'socket' })
  world.clock.advance(30_000)
  const row = async () => (await rowsOf(ann)).find(({ name }) => name === 'broadcast_connecting_lost')
  expect(await row()).toMatchObject({ level: 'error', text: [{ title: 'The encoder is disconnected' }, {}, {}] })
  await node.begin(ann.projectId)
  expect(await row()).toMatchObject({ level: 'info', text: [{ title: 'The encoder is back' }, {}, {}] })
})

test('joins the failed channels of a broadcast in one row, which reports the recovery', async () => {
  const ann = await world.user()
  const ids = [await newChannel(world, ann, { name: 'One' }), await newChannel(world, ann, { name: 'Two' })]
  const node = someNodeOf(world, 'joined')
  await node.begin(ann.projectId)
  for (const id of ids) await node.channel(ann.projectId, id, 'backoff')
  world.clock.advance(30_000)
  const row = async () => (await rowsOf(ann)).find(({ name }) => name.startsWith('start_channel'))
  expect(await row()).toMatchObject({
    name: 'start_channel_failed',
    text: [{ title: '2 channels are not receiving the stream', text: 'One, Two.' }, {}, {}],
  })
  for (const id of ids) await node.channel(ann.projectId, id, 'live')
  expect(await row()).toMatchObject({ name: 'start_channel_success', category: 'stream' })
})
