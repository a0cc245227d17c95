// Jobs of notifications: receivers that hang delay only messages of their own channel, and those for a short time.
import { createECDH, randomBytes, randomUUID } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { webhooks } from '#contract/areas/notifications/webhooks.ts'
import type { NotifyChannel } from '#contract/entities/notification.ts'
import { createJobRunner, type JobRunner } from '#server/core/jobs.ts'
import { transaction } from '#server/db/transaction.ts'
import { addPush } from '#server/domain/notifications/addresses.ts'
import { notify } from '#server/domain/notifications/notify.ts'
import { eventually } from '#server/testing/eventually.ts'
import { mailServer } from '#server/testing/mail.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'
import { jobKindsOf } from './kinds.ts'

const accounts = 240
/** Webhook whose receiver accepts no connection. */
const closedWebhook = 'http://127.0.0.1:9/'
let world: World
let mail: Awaited<ReturnType<typeof mailServer>>
let receiver: Awaited<ReturnType<typeof hangingReceiver>>
let jobs: JobRunner
beforeEach(async () => {
  mail = await mailServer()
  receiver = await hangingReceiver()
  world = await testApp({ ...mail.settings, ALLOW_PRIVATE_DESTINATIONS: 'on', PUBLIC_URL: 'https://live.example.com' })
  const config = { ...world.services.config, sendsNotifications: true }
  const services = { ...world.services, config }
  jobs = createJobRunner({ services, signals: world.app.signals, kinds: jobKindsOf(services) })
  jobs.start()
})
afterEach(async () => {
  await receiver.close()
  await jobs.stop()
  await world.close()
  await mail.close()
})

/** Starts a receiver of push messages that accepts connections and never answers. */
async function hangingReceiver() {
  const open = new Set<ServerResponse>()
  const server = createServer((_, response) => void open.add(response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    open,
    url: `http://127.0.0.1:${port}/`,
    close: () => {
      const closed = new Promise<void>((done) => server.close(() => done()))
      server.closeAllConnections()
      return closed
    },
  }
}

/** Creates accounts, each with a browser whose push service hangs, and a message for each. */
async function hang({ id: ownerId, projectId }: Person): Promise<void> {
  const date_create = world.clock.now().toISOString()
  const users = await world.app.db
    .insertInto('users')
    .values(
      Array.from({ length: accounts }, () => ({
        external_id: randomUUID(),
        installation_owner: null,
        email: null,
        password_hash: null,
        first_name: 'Eve',
        last_name: '',
        photo: null,
        language: 'en' as const,
        currency: 'usd' as const,
        country_id: 0,
        ref_id: randomUUID(),
        invited_by: null,
        last_project_id: projectId,
        date_create,
      })),
    )
    .returning('id')
    .execute()
  // All of them use the session of one account: sessions are no part of this test.
  const { id: sessionId } = await world.app.db
    .selectFrom('token_families')
    .select('id')
    .where('user_id', '=', ownerId)
    .executeTakeFirstOrThrow()
  const p256dh = createECDH('prime256v1').generateKeys('base64url')
  const auth = randomBytes(16).toString('base64url')
  for (const { id } of users) {
    const endpoint = `${receiver.url}${id}`
    await addPush(world.services, { id, sessionId, grant: null }, { endpoint, p256dh, auth, device: 'Firefox' })
  }
  await transaction(world.app.db, async (trx) => {
    for (const { id } of users) await notifyBy(trx, 'mobile', { projectId, userId: id })
  })
}

const notifyBy = (
  trx: Parameters<typeof notify>[1],
  channel: NotifyChannel,
  { projectId, userId }: { readonly projectId: number; readonly userId: number },
) =>
  notify(world.services, trx, {
    kind: 'notification_test',
    projectId,
    userId,
    ref: randomUUID(),
    params: { date: world.clock.now().toISOString() },
    only: [channel],
  })

test('push receivers that hang do not delay e-mail', async () => {
  await hang(await world.user())
  await eventually(() => receiver.open.size > 0)
  const bob = await world.user()
  const from = performance.now()
  await transaction(world.app.db, (trx) => notifyBy(trx, 'email', { projectId: bob.projectId, userId: bob.id }))
  await eventually(() => mail.got.some(({ to }) => to.includes(bob.email)))
  // A call that hangs ends after 15 s.
  expect(performance.now() - from).toBeLessThan(14_000)
  expect(receiver.open.size).toBeGreaterThan(0)
})

test('messages without a job are sent after an upgrade', async () => {
  await jobs.stop()
  const { db } = world.app
  const bob = await world.user()
  const input = { project_id: bob.projectId, url: closedWebhook }
  const { webhook_id } = (await world.api(webhooks.add, input, { as: bob })).body
  await transaction(db, (trx) =>
    notify(world.services, trx, {
      kind: 'payment_failed',
      projectId: bob.projectId,
      ref: 1,
      params: { payment_id: 1, amount: '1.00 USD' },
    }),
  )
  await db.deleteFrom('jobs').execute()
  jobs.start()
  await eventually(() => mail.got.some(({ to }) => to.includes(bob.email)))
  const attempts = async () =>
    (await world.api(webhooks.attempts, { project_id: bob.projectId, webhook_id }, { as: bob })).body.results
  await eventually(async () => (await attempts()).length > 0)
  expect(await attempts()).toMatchObject([{ name: 'payment_failed', result: 'refused' }])
})
