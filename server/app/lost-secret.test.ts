// A service whose `SECRET` was replaced: nothing that was encrypted before can be read, and no operation fails.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { webhooks } from '#contract/areas/notifications/webhooks.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { settings as channelSettings } from '#contract/areas/channels/settings.ts'
import { history } from '#contract/areas/notifications/history.ts'
import { settings } from '#contract/areas/notifications/settings.ts'
import { platforms } from '#contract/areas/channels/platforms.ts'
import { pullKeys } from '#contract/areas/ingest/pull-keys.ts'
import { payments } from '#contract/areas/billing/payments.ts'
import { payouts } from '#contract/areas/billing/payouts.ts'
import { operations } from '#contract/index.ts'
import type { App } from '#server/app/create-app.ts'
import { transaction } from '#server/db/transaction.ts'
import { postWebhooks } from '#server/testing/outbox.ts'
import { createHostBackoff } from '#server/delivery/host-backoff.ts'
import { createPushSender } from '#server/delivery/push.ts'
import { startSession } from '#server/domain/account/tokens.ts'
import { beginPayment } from '#server/domain/billing/payments/begin.ts'
import { saveMethod, sealPay } from '#server/domain/billing/payments/methods.ts'
import { findPayment } from '#server/domain/billing/payments/store.ts'
import { forgetAccount, withAccount } from '#server/domain/platforms/accounts.ts'
import { findAccount, upsertAccount } from '#server/domain/platforms/accounts-store.ts'
import { sealTokens } from '#server/domain/platforms/account-tokens.ts'
import { notify } from '#server/domain/notifications/notify.ts'
import { inputFor, newScene, newUsers, type Scene } from '#server/testing/access-scene.ts'
import { settledState } from '#server/testing/desired.ts'
import { someAddress, someKey } from '#server/testing/channels.ts'
import { newWay } from '#server/testing/promos.ts'
import { topUp } from '#server/testing/tariffs.ts'
import { requestOf } from '#server/testing/request.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'
import { listChecks } from '#server/testing/pay/pay-jobs.ts'

let world: World
let scene: Scene
/** The service with another secret. */
let other: App
let owner: Person
let operator: Person
let projectId: number
let accountId: number
let warned: number
/** Outcome of a start before the secret was accepted. */
let refused: unknown

const reads = operations.filter(({ kind }) => kind === 'read')
const valueOf = (name: string) => Number(scene.values('owner')[name])
const of = () => ({ project_id: projectId })
const device = { app: 'site', fingerprint: '', userAgent: 'test', address: '127.0.0.1' } as const

/** Calls all operations that read. @returns those that failed */
async function readAll(through: App, as: Person, caller: 'owner' | 'operator') {
  const failed: string[] = []
  for (const op of reads) {
    const request = requestOf(op, inputFor(op, scene, caller), { as })
    const { statusCode, body } = await through.inject({ ...request, url: request.url.replace('{provider}', 'vk') })
    if (statusCode >= 500) failed.push(`${op.id} ${statusCode} ${body}`)
  }
  return failed
}

beforeAll(async () => {
  const stripe = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }
  const publicUrl = { PUBLIC_URL: 'https://live.example.com' }
  world = await testApp({ CHAT: 'off', ALLOW_PRIVATE_DESTINATIONS: 'on', ...stripe, ...publicUrl })
  const { services, clock, api } = world
  const { db } = services
  const cast = { ...(await newUsers(world)), ended: '' }
  scene = await newScene(world, cast, 1)
  projectId = valueOf('project_id')
  owner = await world.signIn(cast.owner)
  operator = await world.signIn(cast.operator)
  await readAll(world.app, owner, 'owner')
  const target = { endpoint: 'https://push.example.com/1', p256dh: 'p', auth: 'a', device: 'Firefox' }
  await api(settings.addPush, target, { as: owner })
  const way = await newWay(db)
  await topUp({ db, clock }, projectId, { bonus: 0, payment: 0, profit: 5000 })
  const request = { ...of(), payout_system_account_id: way, amount: 1000, wallet_value: '4000 0000 0000 1234' }
  await api(payouts.create, request, { as: owner })
  const tokens_sealed = sealTokens(services, { accessToken: 'a', refreshToken: 'r', expires: null, along: {} })
  const account = { platform: 'twitch', external_id: '1', name: 'Ann', avatar: '', scopes: '', tokens_sealed } as const
  const now = clock.now().toISOString()
  await transaction(db, async (trx) => {
    accountId = (await upsertAccount(trx, now, { user_id: owner.id, ...account })).id
    const method = { token: 'pm_1', title: 'Visa', expires: null }
    await saveMethod(services, trx, { project_id: projectId, provider: 'stripe' }, method)
    await trx
      .updateTable('payments')
      .set({ redirect_sealed: sealPay(services, 'https://pay.example.com') })
      .where('id', '=', valueOf('payment_id'))
      .execute()
  })
  const lost = { givenSecret: 'another secret of 32 characters..' }
  refused = await world.replica(lost).catch((error: unknown) => error)
  other = await world.replica(lost, { acceptsSecret: true })
  const session = (person: Person) =>
    transaction(other.db, async (trx) => ({
      ...person,
      ...(await startSession(other.services, trx, person.id, device)),
    }))
  owner = await session(owner)
  operator = await session(operator)
  warned = world.logged.length
})
afterAll(() => world.close())

test('does not start before the secret is accepted, and names the command', () => {
  expect((refused as Error).message).toMatch(/^SECRET is not the one .* "npm start -- accept-secret" once/)
})

test('no operation that reads fails', async () => {
  expect(await readAll(other, owner, 'owner')).toEqual([])
  expect(await readAll(other, operator, 'operator')).toEqual([])
  expect(world.logged.slice(warned).join('')).toContain('the key of web push is new')
})

test('makes a new key for web push, and lists no browser that cannot be reached', async () => {
  const { body } = await world.api(settings.preferences, {}, { as: owner, through: other })
  expect(body.devices).toEqual([])
  const again = await world.api(settings.preferences, {}, { as: owner, through: other })
  expect(again.body.push_key).toBe(body.push_key)
  const message = { id: 'm', channel: 'mobile', userId: owner.id, projectId, language: 'en', email: null } as const
  const sendByPush = createPushSender(createHostBackoff(world.clock))
  expect(await sendByPush(other.services, { ...message, chatId: null, items: [] })).toEqual({ is: 'gone' })
})

test('shows an empty key of a channel, does not send to it, and keeps a key that is entered again', async () => {
  const channel = { ...of(), channel_id: valueOf('channel_id') }
  const call = { as: owner, through: other }
  expect((await world.api(channels.get, channel, call)).body.stream_key).toBeNull()
  expect((await settledState(other.services, projectId)).destinations).toEqual([])
  const named = { report: expect.stringContaining('"state":"rejected"') as string }
  const channelId = channel.channel_id
  const reports = () =>
    other.db
      .selectFrom('restreams')
      .select('report')
      .where('channel_id', '=', channelId)
      .orderBy('id', 'desc')
      .execute()
  expect((await reports())[0]).toMatchObject(named)
  expect((await reports())[0]?.report).toContain('"reason":"key-unreadable"')
  await settledState(other.services, projectId)
  // Other channels, such as one with an SRT address, have a line of their own.
  const lines = world.logged.slice(warned).filter((line) => line.includes('KeyUnreadable'))
  expect(lines.filter((line) => line.includes(`"channel":${channelId},`))).toHaveLength(1)
  const moved = { ...channel, url: someAddress }
  expect((await world.api(channelSettings.setRtmp, moved, call)).error?.name).toBe('KeyUnreadable')
  await world.api(channelSettings.setRtmp, { ...moved, stream_key: someKey }, call)
  expect((await world.api(channels.get, channel, call)).body.stream_key).toBe(someKey)
  expect((await settledState(other.services, projectId)).destinations).toHaveLength(1)
  expect((await reports())[0]?.report).toContain('"state":"idle"')
})

test('replaces pull keys that no player can use', async () => {
  const call = { as: owner, through: other }
  expect((await world.api(pullKeys.list, of(), call)).body.results).toEqual([])
  await world.api(pullKeys.create, { ...of(), transport: 'hls' }, call)
  expect((await world.api(pullKeys.list, of(), call)).body.results).toHaveLength(1)
})

test('marks an account as invalid, and removes it without its platform', async () => {
  const account = await findAccount(other.db, accountId)
  const listed = await world.api(platforms.accounts, {}, { as: owner, through: other })
  expect(listed.body.results).toMatchObject([{ id: accountId, status: 0 }])
  await expect(withAccount(other.services, account!, () => Promise.resolve())).rejects.toThrow('Connect it again')
  expect((await findAccount(other.db, accountId))?.status).toBe(0)
  await forgetAccount(other.services, account!)
  expect(await findAccount(other.db, accountId)).toBeUndefined()
})

test('refuses a payment that cannot be continued', async () => {
  const payment = await findPayment(other.db, valueOf('payment_id'))
  await expect(beginPayment(other.services, payment!)).rejects.toMatchObject({ name: 'PaymentUnreadable' })
})

test('ends a charge of a saved method that cannot be read', async () => {
  const { id } = await other.db.selectFrom('payment_methods').select('id').executeTakeFirstOrThrow()
  const charge = { ...of(), type: 'top_up', amount: 1000, method_id: id, idempotency_key: 'charge-1' } as const
  const call = { as: owner, through: other }
  expect((await world.api(payments.create, charge, call)).error?.name).toBe('PaymentUnreadable')
  const rows = await other.db.selectFrom('payments').select(['id', 'status']).where('method_id', '=', id).execute()
  expect(rows).toMatchObject([{ status: 'error' }])
  expect(await listChecks(other.services)).not.toContain(rows[0]?.id)
})

test('switches off a webhook that cannot sign, and notifies the owners', async () => {
  await transaction(other.db, (trx) =>
    notify(other.services, trx, {
      kind: 'payment_failed',
      projectId,
      ref: 1,
      params: { payment_id: 1, amount: '1.00 USD' },
    }),
  )
  await postWebhooks(other)
  const call = { as: owner, through: other }
  const [row] = (await world.api(webhooks.list, of(), call)).body.results
  expect(row).toMatchObject({ is_on: false })
  const [item] = (await world.api(history.list, { name: 'webhook_stopped' }, call)).body.results
  expect(JSON.stringify(item)).toContain('Create a new webhook secret')
  expect(await postWebhooks(other)).toBe(0)
})
