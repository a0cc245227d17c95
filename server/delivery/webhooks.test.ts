// Outgoing webhooks: signatures that the official library verifies, retries, rotation, log, and the stop of failing ones.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Webhook } from 'standardwebhooks'
import { apiTokens } from '#contract/areas/account/api-tokens.ts'
import { appWebhooks } from '#contract/areas/notifications/app-webhooks.ts'
import { webhooks } from '#contract/areas/notifications/webhooks.ts'
import { members } from '#contract/areas/projects/members.ts'
import type { Scope } from '#contract/core/scopes.ts'
import { history } from '#contract/areas/notifications/history.ts'
import { transaction } from '#server/db/transaction.ts'
import { upsertSetting } from '#server/domain/notifications/addresses-store.ts'
import { notifyChannel } from '#server/domain/notifications/channel-facts.ts'
import { type Fact, notify } from '#server/domain/notifications/notify.ts'
import { ageJobs } from '#server/testing/jobs.ts'
import { postWebhooks } from '#server/testing/outbox.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
let receiver: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  receiver = await startReceiver()
  world = await testApp({ ALLOW_PRIVATE_DESTINATIONS: 'on' })
  // The library compares the time of a message with the system clock.
  world.clock.set(new Date())
})
afterAll(async () => {
  await world.close()
  await receiver.close()
})

/** Starts a receiver that answers with the status in the path. */
async function startReceiver() {
  const got: { path: string; headers: IncomingHttpHeaders; body: string }[] = []
  const hanging: ServerResponse[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      got.push({ path: request.url ?? '', headers: request.headers, body })
      if (request.url === '/hang') return void hanging.push(response)
      response.writeHead(Number(request.url?.slice(1, 4)), { location: '/200/redirected' }).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const release = () => hanging.splice(0).forEach((response) => response.destroy())
  return {
    got,
    release,
    base: `http://127.0.0.1:${port}`,
    close: () => new Promise<void>((done) => server.close(() => done())),
  }
}

/** Advances the clock and the jobs. */
async function advance(ms: number): Promise<void> {
  world.clock.advance(ms)
  await ageJobs(world.app.db, ms)
}
const add = async (as: Person, path: string) =>
  (await world.api(webhooks.add, { project_id: as.projectId, url: `${receiver.base}${path}` }, { as })).body
const fail = (as: Person, id: number) =>
  transaction(world.app.db, (trx) =>
    notify(world.services, trx, {
      kind: 'payment_failed',
      projectId: as.projectId,
      ref: id,
      params: { payment_id: id, amount: '1.00 USD' },
    }),
  )
const at = (path: string) => receiver.got.filter((one) => one.path === path)
const attempts = async (as: Person, webhook_id: number) =>
  (await world.api(webhooks.attempts, { project_id: as.projectId, webhook_id }, { as })).body.results
const signed = (message: { headers: IncomingHttpHeaders; body: string } | undefined, secret: string) =>
  new Webhook(secret).verify(message?.body ?? '', message?.headers as Record<string, string>)

test('posts a fact once, with a signature that the library verifies', async () => {
  const ann = await world.user()
  const { secret, webhook_id } = await add(ann, '/200/signed')
  await fail(ann, 1)
  await fail(ann, 1)
  await Promise.all([postWebhooks(world), postWebhooks(await world.replica())])
  expect(at('/200/signed')).toHaveLength(1)
  expect(signed(at('/200/signed')[0], secret)).toMatchObject({
    type: 'payment_failed',
    data: { project_id: ann.projectId, payment_id: 1 },
  })
  expect(await attempts(ann, webhook_id)).toMatchObject([{ name: 'payment_failed', status: 200, result: 'sent' }])
  const rows = await world.app.db.selectFrom('webhooks').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain(secret.slice(6))
})

test('retries with the same id, follows no redirect, and sends again on request', async () => {
  const ann = await world.user()
  const { webhook_id } = await add(ann, '/302/moved')
  await fail(ann, 1)
  for (const ms of [0, 5_000, 300_000]) {
    await advance(ms)
    await postWebhooks(world)
  }
  const ids = at('/302/moved').map(({ headers }) => headers['webhook-id'])
  expect(ids).toHaveLength(3)
  expect(new Set(ids).size).toBe(1)
  expect(at('/200/redirected')).toEqual([])
  const input = { project_id: ann.projectId, webhook_id, message_id: String(ids[0]) }
  expect((await world.api(webhooks.resend, input, { as: ann })).status).toBe(201)
  await postWebhooks(world)
  expect(await attempts(ann, webhook_id)).toHaveLength(4)
})

test('signs with both secrets for a day after a rotation', async () => {
  world.clock.set(new Date())
  const ann = await world.user()
  const { secret, webhook_id } = await add(ann, '/200/rotated')
  const of = { project_id: ann.projectId, webhook_id }
  const { secret: next } = (await world.api(webhooks.rotate, of, { as: ann })).body
  await fail(ann, 1)
  await postWebhooks(world)
  const [message] = at('/200/rotated')
  expect(String(message?.headers['webhook-signature']).split(' ')).toHaveLength(2)
  for (const one of [secret, next]) expect(signed(message, one)).toBeTruthy()
})

test.each([
  ['410 stops immediately', '/410/gone', 1],
  ['five days of failures stop', '/500/broken', 30],
])('%s, and notifies the owners', async (_, path, facts) => {
  let ann = await world.user()
  const { webhook_id } = await add(ann, path)
  let failed = 0
  for (let id = 0; id < facts; id++) {
    await fail(ann, id)
    await postWebhooks(world, (_channel, count) => (failed += count))
    await advance(5 * 3_600_000)
  }
  expect(failed > 0).toBe(true)
  ann = await world.signIn(ann)
  const { results } = (await world.api(webhooks.list, { project_id: ann.projectId }, { as: ann })).body
  expect(results).toMatchObject([{ webhook_id, is_on: false }])
  const rows = (await world.api(history.list, { name: 'webhook_stopped' }, { as: ann })).body.results
  expect(rows).toHaveLength(1)
  expect(rows[0]?.link).toBe(`/p/${ann.projectId}/notifications/webhooks`)
  expect(rows[0]?.text[0]?.title).toBe(`The webhook of ${new URL(receiver.base).host} was stopped`)
})

/** A project with a webhook whose owner receives no notifications. */
async function webhookOnly(path: string): Promise<Person> {
  const person = await world.user()
  await add(person, path)
  for (const channel of ['cabinet', 'telegram', 'mobile', 'email'] as const)
    for (const category of ['important', 'stream'] as const)
      await upsertSetting(world.app.db, { user_id: person.id, project_id: person.projectId, channel, category }, false)
  return person
}

test('posts neither of two contrary facts, also when no member receives notifications of them', async () => {
  const { projectId } = await webhookOnly('/200/contrary')
  for (const kind of ['broadcast_started', 'broadcast_stopped'] as const) {
    const fact = { kind, projectId, ref: 1, params: { broadcast_id: 1 } }
    await transaction(world.app.db, (trx) => notify(world.services, trx, fact))
    await advance(20_000)
  }
  await advance(30_000)
  await postWebhooks(world)
  expect(at('/200/contrary')).toEqual([])
})

test('posts each failure and recovery of channels, also when no member receives notifications of them', async () => {
  const bob = await webhookOnly('/200/joined')
  const change = async (id: number, failed: boolean) => {
    const channel = { id, name: `Channel ${id}`, reason: 'refused', failed }
    await transaction(world.app.db, (trx) =>
      notifyChannel(world.services, trx, { projectId: bob.projectId, broadcastId: 1, channel }),
    )
    await advance(60_000)
    await postWebhooks(world)
  }
  for (const failed of [true, false]) for (const id of [1, 2]) await change(id, failed)
  expect(at('/200/joined').map(({ body }) => JSON.parse(body).type)).toEqual([
    'start_channel_failed',
    'start_channel_failed',
    'start_channel_success',
  ])
  const again = await world.signIn(bob)
  expect((await world.api(history.list, {}, { as: again })).body.total).toBe(0)
  expect((await world.api(history.getStatus, {}, { as: again })).body.count_unread).toBe(0)
})

test('posts no failure of channels that all recovered before it settled', async () => {
  const { projectId } = await webhookOnly('/200/recovered')
  for (const failed of [true, false])
    for (const id of [1, 2]) {
      const channel = { id, name: `Channel ${id}`, reason: 'refused', failed }
      await transaction(world.app.db, (trx) =>
        notifyChannel(world.services, trx, { projectId, broadcastId: 1, channel }),
      )
    }
  await advance(60_000)
  await postWebhooks(world)
  expect(at('/200/recovered')).toEqual([])
})

test('a project has at most five webhooks, at addresses without a password', async () => {
  const ann = await world.user()
  for (let count = 0; count < 5; count++) await add(ann, '/200/many')
  const more = (url: string) => world.api(webhooks.add, { project_id: ann.projectId, url }, { as: ann })
  expect((await more('https://example.com/')).error?.name).toBe('TooManyWebhooks')
  for (const login of ['a:b', ':b', 'a'])
    expect((await more(`https://${login}@example.com/`)).error?.name).toBe('AddressNotAllowed')
})

test('sends the messages that waited while a webhook was off', async () => {
  const ann = await world.user()
  const { webhook_id } = await add(ann, '/200/off')
  const turn = (is_on: boolean) =>
    world.api(webhooks.update, { project_id: ann.projectId, webhook_id, is_on }, { as: ann })
  await fail(ann, 1)
  await turn(false)
  await postWebhooks(world)
  expect(at('/200/off')).toEqual([])
  await turn(true)
  await postWebhooks(world)
  expect(at('/200/off')).toHaveLength(1)
})

test('a receiver that does not answer delays its own messages only', async () => {
  const [ann, ben] = [await world.user(), await world.user()]
  await add(ann, '/hang')
  for (let id = 0; id < 25; id++) await fail(ann, id)
  const stuck = postWebhooks(world)
  await expect.poll(() => at('/hang').length).toBe(1)
  await add(ben, '/200/prompt')
  await fail(ben, 1)
  await fail(ben, 2)
  expect(await postWebhooks(world)).toBe(2)
  expect(at('/200/prompt')).toHaveLength(2)
  expect(at('/hang')).toHaveLength(1)
  const { id } = await world.app.db
    .selectFrom('webhooks')
    .select('id')
    .where('url', 'like', '%/hang')
    .executeTakeFirstOrThrow()
  await world.app.db.updateTable('webhooks').set({ is_on: 0 }).where('id', '=', id).execute()
  receiver.release()
  await stuck
})

// Webhooks that programs register.
const consent = (scopes: readonly Scope[], as: Person) =>
  world.api(apiTokens.create, { name: 'Deck', scopes: [...scopes], project_id: as.projectId }, { as })
const addAs = (token: string, as: Person, path: string) =>
  world.api(appWebhooks.add, { project_id: as.projectId, url: `${receiver.base}${path}` }, { as: token })
const report = (as: Person, fact: Pick<Fact, 'kind' | 'params' | 'ref'>) =>
  transaction(world.app.db, (trx) => notify(world.services, trx, { ...fact, projectId: as.projectId } as Fact))

test('a program hears what its scopes and the role of its user allow, until its token ends', async () => {
  const ann = await world.user()
  const { token, id } = (await consent(['broadcasts:read'], ann)).body
  const { webhook_id, program } = (await addAs(token, ann, '/200/program')).body
  expect(program).toBe(null)
  await fail(ann, 1)
  await report(ann, { kind: 'recordings_removal', ref: 1, params: { removing_at: '2026-01-01', files: 1, size: 1 } })
  await postWebhooks(world)
  expect(at('/200/program').map(({ body }) => (JSON.parse(body) as { type: string }).type)).toEqual([
    'recordings_removal',
  ])
  // Editors do not learn what owners do.
  const bob = await world.user('Bob')
  await world.join(bob, ann.projectId, 1)
  const editors = (
    await world.api(
      apiTokens.create,
      { name: 'Editor', scopes: ['broadcasts:read'], project_id: ann.projectId },
      { as: bob },
    )
  ).body
  await addAs(editors.token, ann, '/200/editor')
  await report(ann, { kind: 'recordings_removal', ref: 2, params: { removing_at: '2026-01-01', files: 1, size: 1 } })
  await postWebhooks(world)
  expect([at('/200/program').length, at('/200/editor').length]).toEqual([2, 0])

  const listed = (await world.api(webhooks.list, { project_id: ann.projectId }, { as: ann })).body
  expect(listed.results.map((one) => one.program)).toEqual(['Deck', 'Editor'])
  const of = { project_id: ann.projectId, webhook_id }
  expect((await world.api(webhooks.rotate, of, { as: ann })).error?.name).toBe('WebhookNotFound')
  await report(ann, { kind: 'recordings_removal', ref: 3, params: { removing_at: '2026-01-01', files: 1, size: 1 } })
  await world.api(apiTokens.revoke, { token_id: id }, { as: ann })
  await report(ann, { kind: 'recordings_removal', ref: 4, params: { removing_at: '2026-01-01', files: 1, size: 1 } })
  await postWebhooks(world)
  expect(at('/200/program')).toHaveLength(2)
  expect((await world.api(webhooks.list, { project_id: ann.projectId }, { as: ann })).body.results).toHaveLength(1)
})

test('a program lists and removes its own webhooks, three at most; a sign-in and a token of all projects have none', async () => {
  const ann = await world.user()
  const { token } = (await consent(['broadcasts:read'], ann)).body
  const other = (await consent(['broadcasts:read'], ann)).body.token
  const added = [1, 2, 3].map(async (n) => (await addAs(token, ann, `/200/own${n}`)).body)
  const [first] = await Promise.all(added)
  expect((await addAs(token, ann, '/200/own4')).error?.name).toBe('TooManyWebhooks')
  const list = async (as: string) =>
    (await world.api(appWebhooks.list, { project_id: ann.projectId }, { as })).body.results.length
  expect([await list(token), await list(other)]).toEqual([3, 0])
  const of = { project_id: ann.projectId, webhook_id: first?.webhook_id ?? 0 }
  expect((await world.api(appWebhooks.del, of, { as: other })).error?.name).toBe('WebhookNotFound')
  expect((await world.api(appWebhooks.del, of, { as: token })).status).toBe(201)
  expect(await list(token)).toBe(2)
  const wide = (await world.api(apiTokens.create, { name: 'All', scopes: ['broadcasts:read'] }, { as: ann })).body.token
  for (const as of [ann.accessToken, wide])
    expect((await addAs(as, ann, '/200/no')).error?.name).toBe('OnlyForPrograms')
  expect((await addAs(token, ann, '/200/a').then(() => addAs(token, ann, 'x'))).status).not.toBe(500)
})

test('a message that waits is not sent to a program whose user has lost the role, or has left the project', async () => {
  const ann = await world.user()
  const of = async (name: string, path: string) => {
    const person = await world.user(name)
    await world.join(person, ann.projectId, 1)
    const more = { name, scopes: ['channels:read' as const, 'broadcasts:read' as const], project_id: ann.projectId }
    await addAs((await world.api(apiTokens.create, more, { as: person })).body.token, ann, path)
    return person
  }
  const demoted = await of('Bob', '/200/demoted')
  const removed = await of('Cid', '/200/removed')
  const params = { broadcast_id: 1 }
  await report(ann, { kind: 'start_channel_success', ref: 1, params: { ...params, channels: [] } })
  await report(ann, { kind: 'broadcast_started', ref: 1, params })
  const set = { project_id: ann.projectId, user_id: demoted.id, access_type: 0 as const }
  expect((await world.api(members.changeAccess, set, { as: ann })).error).toBeUndefined()
  const del = { project_id: ann.projectId, user_id: removed.id }
  expect((await world.api(members.del, del, { as: ann })).error).toBeUndefined()
  await advance(30_000)
  await postWebhooks(world)
  const kindsAt = (path: string) => at(path).map(({ body }) => (JSON.parse(body) as { type: string }).type)
  expect([kindsAt('/200/demoted'), kindsAt('/200/removed')]).toEqual([['broadcast_started'], []])
})

test('parallel requests add no webhook beyond the limit', async () => {
  const ann = await world.user()
  const { token } = (await consent(['broadcasts:read'], ann)).body
  const twelve = <T>(request: (n: number) => Promise<T>) =>
    Promise.all(Array.from({ length: 12 }, (_, n) => request(n)))
  const isAdded = ({ status }: { readonly status: number }) => status === 201
  expect((await twelve((n) => addAs(token, ann, `/200/own${n}`))).filter(isAdded)).toHaveLength(3)
  const byOwner = (n: number) =>
    world.api(webhooks.add, { project_id: ann.projectId, url: `${receiver.base}/200/owner${n}` }, { as: ann })
  expect((await twelve(byOwner)).filter(isAdded)).toHaveLength(5)
})
