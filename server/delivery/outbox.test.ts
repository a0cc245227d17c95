// Outbox: a replica ends at each step of a message and another one continues; storms, refusals, rights and quiet hours.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { history } from '#contract/areas/notifications/history.ts'
import { settings } from '#contract/areas/notifications/settings.ts'
import type { NotifyChannel } from '#contract/entities/notification.ts'
import { transaction } from '#server/db/transaction.ts'
import { notifyChannel } from '#server/domain/notifications/channel-facts.ts'
import { notify } from '#server/domain/notifications/notify.ts'
import { begin, finish, type Message, type Outcome } from '#server/domain/notifications/outbox.ts'
import { upsertSetting, upsertTelegramLink } from '#server/domain/notifications/addresses-store.ts'
import { laneKind } from '#server/domain/notifications/deliveries-store.ts'
import { ageJobs, leaseAll } from '#server/testing/jobs.ts'
import { sendNotifications } from '#server/testing/outbox.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'
import { createLaneJobs, type OnFailed, type Senders } from './outbox.ts'

let world: World
let ann: Person
/** Messages that a double of all channels accepted. */
let got: Message[]
let answer: (message: Message) => Outcome
/** Deliveries that failed for good, by channel. */
let undelivered: Record<string, number>
beforeEach(async () => {
  world = await testApp()
  ann = await world.user()
  got = []
  undelivered = {}
  answer = () => ({ is: 'sent' })
  const at = world.clock.now().toISOString()
  await transaction(world.app.db, (trx) =>
    upsertTelegramLink(trx, { user_id: ann.id, chat_id: '7', name: 'Ann', date_create: at }),
  )
})
afterEach(() => world.close())

const send: Senders['email'] = (_, message) => {
  const outcome = answer(message)
  if (outcome.is !== 'refused' && outcome.is !== 'gone') got.push(message)
  return Promise.resolve(outcome)
}
const senders: Senders = { email: send, telegram: send, mobile: send }

const count: OnFailed = (channel, by) => {
  if (by > 0) undelivered[channel] = (undelivered[channel] ?? 0) + by
}
const run = () => sendNotifications(world, { by: senders, onFailed: count })
/** Advances the clock and the jobs. */
async function advance(ms: number): Promise<void> {
  world.clock.advance(ms)
  await ageJobs(world.app.db, ms)
}
/** Advances the time in steps, and runs the outbox after each. */
async function pass(ms: number, step = ms): Promise<void> {
  for (let done = 0; done < ms; done += step) {
    await advance(step)
    await run()
  }
}
const important = (ref: number) =>
  transaction(world.app.db, (trx) =>
    notify(world.services, trx, {
      kind: 'payment_failed',
      projectId: ann.projectId,
      ref,
      params: { payment_id: ref, amount: '1.00 USD' },
    }),
  )
const stream = (ref: number) =>
  transaction(world.app.db, (trx) =>
    notify(world.services, trx, {
      kind: 'broadcast_started',
      projectId: ann.projectId,
      ref,
      params: { broadcast_id: ref },
    }),
  )
const by = (channel: NotifyChannel) => got.filter((message) => message.channel === channel)
const rows = async () => {
  ann = await world.signIn(ann)
  return (await world.api(history.list, { limit: 100 }, { as: ann })).body.results
}

test('a channel that the installation does not have is left out without a report', async () => {
  answer = ({ channel }) => ({ is: channel === 'email' ? 'off' : 'sent' })
  await important(1)
  await pass(60_000)
  expect(undelivered).toEqual({})
  expect((await rows()).map(({ name }) => name)).toEqual(['payment_failed'])
})

/** Steps that a replica does before it ends. */
const deaths = [
  'before the claim',
  'after the claim',
  'before the call',
  'after the call',
  'before the release',
] as const

test.each(deaths)(
  'scenario 15: a replica ends %s: important at least once with one id, stream at most once',
  async (point) => {
    const other = await world.replica()
    await upsertSetting(
      world.app.db,
      { user_id: ann.id, project_id: ann.projectId, channel: 'email', category: 'stream' },
      true,
    )
    await important(1)
    await stream(1)
    await advance(30_000)
    const at = deaths.indexOf(point)
    for (const job of at < 1 ? [] : await leaseAll(other.db, createLaneJobs(other.services))) {
      if (job.kind === laneKind('cabinet').kind || at < 2) continue
      const begun = await begin(other.services, job)
      if (!begun || at < 3) continue
      const outcome = await send(other.services, begun.message)
      if (at === 4) await finish(other.services, begun, outcome)
    }
    await pass(5 * 60_000, 61_000)
    for (const channel of ['email', 'telegram'] as const) {
      const sent = by(channel).flatMap(({ id, items }) => items.map(({ kind }) => ({ id, kind })))
      const ids = (kind: string) => sent.filter((one) => one.kind === kind).map(({ id }) => id)
      expect(ids('payment_failed').length).toBeGreaterThanOrEqual(1)
      expect(new Set(ids('payment_failed')).size).toBe(1)
      expect(ids('broadcast_started').length).toBeLessThanOrEqual(1)
      if (at < 2) expect(ids('broadcast_started')).toHaveLength(1)
    }
    expect(await rows()).toHaveLength(2)
  },
)

test('two replicas send each message once', async () => {
  const other = await world.replica()
  for (let ref = 0; ref < 20; ref++) await important(ref)
  await Promise.all([run(), sendNotifications(other, { by: senders }), sendNotifications(other, { by: senders })])
  await pass(3_600_000, 300_000)
  for (const channel of ['email', 'telegram'] as const)
    expect(by(channel).reduce((sum, { items }) => sum + items.length, 0)).toBe(20)
})

test('scenario 14: ten channels flap for five minutes: one row, at most four messages and one e-mail, recovered at the end', async () => {
  const names = Array.from({ length: 10 }, (_, id) => id + 1)
  const change = (id: number, failed: boolean) =>
    transaction(world.app.db, (trx) =>
      notifyChannel(world.services, trx, {
        projectId: ann.projectId,
        broadcastId: 1,
        channel: { id, name: `Channel ${id}`, reason: 'ended', failed },
      }),
    )
  for (let second = 0; second < 300; second += 10) {
    for (const id of names) await change(id, (second / 10 + id) % 3 !== 0)
    await pass(10_000)
  }
  for (const id of names) await change(id, false)
  const [telegram, email] = [by('telegram').length, by('email').length]
  expect(telegram).toBeGreaterThanOrEqual(1)
  expect(telegram).toBeLessThanOrEqual(4)
  expect(email).toBe(1)
  await pass(20 * 60_000, 60_000)
  expect(by('telegram').length).toBeLessThanOrEqual(telegram + 1)
  expect(by('telegram').at(-1)?.items[0]?.title).toBe('All channels are live again')
  expect(await rows()).toMatchObject([{ name: 'start_channel_success' }])
})

test('retries after refusals, then reports the channel once in the dashboard', async () => {
  answer = ({ channel }) => ({ is: channel === 'email' ? 'refused' : 'sent' })
  await important(1)
  await run()
  await pass(24 * 3_600_000, 600_000)
  const all = await rows()
  expect(all.map(({ name }) => name)).toEqual(['channel_unreachable', 'payment_failed'])
  expect(undelivered).toEqual({ email: 1 })
  expect(all[1]?.deliveries.map(({ channel, state }) => [channel, state])).toEqual([
    ['telegram', 'sent'],
    ['email', 'failed'],
  ])
})

test('repeats an unknown outcome of an e-mail with its id, and of Telegram once', async () => {
  answer = () => ({ is: 'unknown' })
  await important(1)
  await run()
  await pass(24 * 3_600_000, 600_000)
  expect([by('email').length, by('telegram').length]).toEqual([6, 2])
  expect(new Set(by('email').map(({ id }) => id)).size).toBe(1)
})

test('a message with an unknown outcome delays no later one', async () => {
  let lost: string | undefined
  answer = ({ channel, id }) => ({ is: channel === 'email' && (lost ??= id) === id ? 'unknown' : 'sent' })
  await important(1)
  await run()
  await advance(60_000)
  await important(2)
  await run()
  expect(by('email').map(({ id }) => id === lost)).toEqual([true, true, false])
  await pass(24 * 3_600_000, 600_000)
  expect(by('email').filter(({ id }) => id === lost)).toHaveLength(6)
  expect(by('email')).toHaveLength(7)
})

test('checks rights and settings again when it sends', async () => {
  const { projectId } = ann
  const cell = { user_id: ann.id, project_id: projectId, channel: 'telegram', category: 'important' } as const
  await important(1)
  await upsertSetting(world.app.db, cell, false)
  await world.app.db.updateTable('project_members').set({ access_type: 0 }).where('user_id', '=', ann.id).execute()
  await run()
  expect(got).toEqual([])
})

test('checks rights and settings again before it repeats a message with an unknown outcome', async () => {
  answer = () => ({ is: 'unknown' })
  await important(1)
  await run()
  expect(got).toHaveLength(2)
  await world.app.db.deleteFrom('project_members').where('user_id', '=', ann.id).execute()
  await pass(24 * 3_600_000, 3_600_000)
  expect(got).toHaveLength(2)
})

test('repeats no message in quiet hours, and repeats it with its id after them', async () => {
  answer = ({ channel }) => ({ is: channel === 'telegram' ? 'unknown' : 'sent' })
  await important(1)
  await run()
  const quiet = { from: '09:00', to: '12:00', time_zone: 'UTC', important: false }
  expect((await world.api(settings.setPreferences, { quiet }, { as: ann })).status).toBe(201)
  await pass(3_600_000, 1_800_000)
  await important(2)
  await run()
  expect(by('telegram')).toHaveLength(1)
  await pass(2 * 3_600_000, 600_000)
  const [first, second] = by('telegram')
  expect([second?.id, second?.items.length]).toEqual([first?.id, 1])
})

test('holds back stream notifications in quiet hours, and sends them as one message after', async () => {
  const quiet = { from: '09:00', to: '12:00', time_zone: 'UTC', important: true }
  expect((await world.api(settings.setPreferences, { quiet }, { as: ann })).status).toBe(201)
  for (let ref = 0; ref < 3; ref++) await stream(ref)
  await pass(60_000)
  await important(1)
  await run()
  expect(by('telegram').map(({ items }) => items.map(({ kind }) => kind))).toEqual([['payment_failed']])
  await pass(2 * 3_600_000, 600_000)
  expect(
    by('telegram')
      .at(-1)
      ?.items.map(({ kind }) => kind),
  ).toEqual(Array(3).fill('broadcast_started'))
})
