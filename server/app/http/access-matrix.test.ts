// Access rights: every operation of the contract with every kind of caller, against one table written by hand.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiTokens } from '#contract/areas/account/api-tokens.ts'
import { auth } from '#contract/areas/account/auth.ts'
import { scopes, scopesFor } from '#contract/core/scopes.ts'
import { widgets } from '#contract/areas/realtime/widgets.ts'
import type { Input } from '#contract/core/operation.ts'
import { operations } from '#contract/index.ts'
import { callers, type Cast, inputFor, newScene, newUsers, type Scene } from '#server/testing/access-scene.ts'
import { requestOf } from '#server/testing/request.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

/**
 * Outcomes by caller: no token, an expired token, a non-member, viewer, editor and owner of the project, the owner of another
 * project that may edit its channel, and an operator of the installation. `in`: rights are not the reason for a refusal.
 */
const rights = {
  public: ['in', 'in', 'in', 'in', 'in', 'in', 'in', 'in'],
  'signed in': [401, 401, 'in', 'in', 'in', 'in', 'in', 'in'],
  viewer: [401, 401, 403, 'in', 'in', 'in', 403, 403],
  editor: [401, 401, 403, 403, 'in', 'in', 403, 403],
  owner: [401, 401, 403, 403, 403, 'in', 403, 403],
  'viewer of the channel': [401, 401, 403, 'in', 'in', 'in', 'in', 403],
  'editor of the channel': [401, 401, 403, 403, 'in', 'in', 'in', 403],
  'editor where the channel belongs': [401, 401, 403, 403, 'in', 'in', 403, 403],
  'editor of the selected project': [401, 401, 'in', 403, 'in', 'in', 'in', 'in'],
  'owner, or the guest itself': [401, 401, 403, 403, 403, 'in', 'in', 403],
  operator: [401, 401, 403, 403, 403, 403, 403, 'in'],
} as const satisfies Readonly<Record<string, readonly (number | 'in')[]>>

/** The table. A star stands for the other operations of a group. */
const table: Readonly<Record<string, keyof typeof rights>> = {
  'account.auth.*': 'public',
  'account.auth.appCode': 'signed in',
  'account.auth.me': 'signed in',
  'account.auth.connect': 'signed in',
  'account.auth.connectCallback': 'signed in',
  'account.auth.connectTelegram': 'signed in',
  'account.auth.disconnect': 'signed in',
  'account.api-tokens.*': 'signed in',
  'account.apps.*': 'signed in',
  'account.profile.*': 'signed in',
  'account.usersProfile.*': 'signed in',
  'account.security.*': 'signed in',
  'account.sessions.*': 'signed in',
  'account.settings.*': 'signed in',
  'account.socials.*': 'signed in',

  'channels.add-channel.*': 'editor',
  'channels.add-channel.vk': 'editor of the channel',
  'channels.add-channel.ok': 'editor of the channel',
  'channels.channels.*': 'editor of the channel',
  'channels.channels.search': 'viewer',
  'channels.channels.short': 'viewer',
  'channels.channels.get': 'viewer of the channel',
  'channels.settings.*': 'editor of the channel',
  'channels.settings.setName': 'editor where the channel belongs',
  'channels.settings.setPage': 'editor where the channel belongs',
  'channels.settings.setRtmp': 'editor where the channel belongs',
  'channels.settings.setSrt': 'editor where the channel belongs',
  'channels.settings.getStatus': 'signed in',
  'channels.planned.*': 'editor of the channel',
  'channels.telegram-chat.*': 'editor of the channel',
  'channels.access.list': 'viewer of the channel',
  'channels.access.*': 'owner',
  'channels.access.del': 'owner, or the guest itself',
  'channels.invites.*': 'owner',
  'channels.invites.received': 'viewer',
  'channels.invites.getForProject': 'viewer of the channel',
  'channels.invites.acceptForProject': 'editor of the channel',
  'channels.invites.declineForProject': 'editor of the channel',
  'channels.invites.getForSecret': 'signed in',
  'channels.invites.acceptForSecret': 'editor of the channel',
  'channels.invites.declineForSecret': 'editor of the channel',
  'channels.platforms.list': 'public',
  'channels.platforms.callback': 'public',
  'channels.platforms.callbackVkId': 'public',
  'channels.platforms.callbackCommunity': 'public',
  'channels.platforms.*': 'signed in',
  'channels.platforms.accountChannels': 'editor',
  'channels.platforms.connect': 'editor',
  'channels.platforms.connectCommunity': 'editor of the channel',

  'projects.projects.*': 'signed in',
  'projects.projects.get': 'viewer',
  'projects.projects.user': 'viewer',
  'projects.projects.select': 'viewer',
  'projects.projects.info': 'viewer',
  'projects.projects.members': 'viewer',
  'projects.projects.update': 'owner',
  'projects.connected-apps.*': 'owner',
  'projects.security.*': 'owner',
  'projects.security.get': 'viewer',
  'projects.members.*': 'owner',
  'projects.members.leave': 'viewer',
  'projects.invites.*': 'owner',
  'projects.invites.accept': 'signed in',
  'projects.invites.getForSecret': 'public',
  'projects.invites.signUp': 'public',
  'projects.invites.decline': 'public',
  'projects.history.*': 'viewer',

  'ingest.stream-keys.*': 'editor',
  'ingest.stream-keys.get': 'viewer',
  'media.files.*': 'editor',
  'media.files.list': 'viewer',
  'media.files.get': 'viewer',
  'media.files.session': 'signed in',
  'media.videos.*': 'viewer',
  'media.videos.create': 'editor',
  'media.videos.update': 'editor',
  'media.videos.remove': 'editor',
  'ingest.remote-source.*': 'editor',
  'ingest.remote-source.get': 'viewer',
  'ingest.pull-keys.*': 'editor',
  'ingest.pull-keys.list': 'viewer',
  'ingest.pull-keys.check': 'viewer',
  'ingest.transcoders.*': 'editor',
  'ingest.transcoders.list': 'viewer',
  'ingest.pull-servers.*': 'signed in',
  'ingest.rtmp-servers.*': 'signed in',
  'ingest.rtmp-servers.list': 'viewer',
  'ingest.rtmp-servers.up': 'public',
  'ingest.rtmp-servers.locations': 'public',

  'broadcasts.broadcasts.*': 'viewer',
  'broadcasts.broadcasts.stop': 'editor',
  'broadcasts.broadcasts.retry': 'editor',
  'broadcasts.scheduler.*': 'editor',
  'broadcasts.scheduler.create': 'editor of the channel',
  'broadcasts.scheduler.update': 'editor of the channel',
  'broadcasts.scheduler.list': 'viewer of the channel',
  'broadcasts.scheduler.get': 'viewer',
  'broadcasts.preview.*': 'viewer',
  'broadcasts.browser-ingest.*': 'editor',
  'broadcasts.recordings.*': 'viewer',
  'broadcasts.recordings.remove': 'editor',
  'broadcasts.broadcasts.pause': 'editor',
  'broadcasts.broadcasts.play': 'editor',
  'broadcasts.broadcasts.longpoll': 'public',
  'broadcasts.broadcasts.restreamsChat': 'public',
  'broadcasts.live.*': 'viewer',
  'broadcasts.live-status.*': 'signed in',
  'analytics.analytics.*': 'viewer',
  'chat.chat.*': 'editor',
  'chat.chat.messages': 'viewer',
  'chat.chat.changes': 'viewer',
  'chat.chat.message': 'viewer',
  'chat.chat.capabilities': 'signed in',
  'chat.chat.watch': 'signed in',
  'chat.chat.test': 'signed in',
  'chat.keys.*': 'editor',
  'chat.moderate.act': 'editor',
  'chat.moderate.star': 'editor',
  'chat.moderate.log': 'viewer',
  'chat.moderate.forget': 'owner',
  'chat.settings.get': 'viewer',
  'chat.settings.set': 'editor',

  'notifications.history.*': 'signed in',
  'notifications.settings.*': 'signed in',
  'notifications.settings.get': 'viewer',
  'notifications.settings.set': 'viewer',
  'notifications.settings.screen': 'viewer',
  'notifications.settings.removeScreen': 'viewer',
  'notifications.settings.test': 'viewer',
  'notifications.webhooks.*': 'owner',
  'notifications.app-webhooks.*': 'viewer',

  'realtime.tokens.*': 'viewer',
  'realtime.tokens.project': 'editor',
  'realtime.tokens.channels': 'signed in',
  'realtime.widgets.*': 'editor',
  'realtime.widgets.get': 'viewer',

  'billing.pay-settings.*': 'owner',
  'billing.papers.*': 'editor',
  'billing.renewals.*': 'owner',
  'billing.payments.*': 'owner',
  'billing.payments.get': 'editor',
  'billing.payments.list': 'editor of the selected project',
  'billing.pay-systems.*': 'owner',
  'billing.pay-systems.list': 'public',
  'billing.methods.*': 'owner',

  'tariffs.restream.*': 'viewer',
  'tariffs.restream.list': 'public',
  'tariffs.restream.discount': 'public',
  'tariffs.restream.buy': 'owner',
  'tariffs.restream.cancelNext': 'owner',
  'tariffs.restream.prolongation': 'owner',
  'tariffs.transcoding.*': 'viewer',
  'tariffs.transcoding.list': 'public',
  'tariffs.transcoding.discount': 'public',
  'tariffs.transcoding.buy': 'owner',
  'tariffs.transcoding.cancelNext': 'owner',
  'tariffs.transcoding.prolongation': 'owner',
  'tariffs.storage.*': 'viewer',
  'tariffs.storage.list': 'public',
  'tariffs.storage.discount': 'public',
  'tariffs.storage.buy': 'owner',
  'tariffs.storage.cancelNext': 'owner',
  'tariffs.storage.prolongation': 'owner',

  'billing.money-flow.*': 'editor',
  'billing.transactions.*': 'editor',
  'tariffs.promo.*': 'owner',
  'billing.payouts.*': 'owner',
  'billing.referrals.info': 'owner',
  'billing.referrals.join': 'signed in',
  'billing.transfers.*': 'owner',
  'operator.settings.*': 'operator',
  'operator.promos.*': 'operator',
  'operator.payouts.*': 'operator',
  'operator.overview.*': 'operator',
  'operator.people.*': 'operator',
  'operator.servers.*': 'operator',
  'operator.ledger.*': 'operator',
  'operator.subscriptions.*': 'operator',
  'operator.papers.*': 'operator',
  'operator.payments.*': 'operator',
  'operator.plans.*': 'operator',
  'operator.customers.*': 'operator',
  'operator.health.*': 'operator',

  'help.articles.*': 'public',
  'help.blog-pages.*': 'public',
  'help.blog-tags.*': 'public',
  'help.policies.*': 'public',
  'help.releases.*': 'public',
}

const rightOf = (id: string): keyof typeof rights | undefined => table[id] ?? table[id.replace(/[^.]+$/, '*')]

let world: World
let cast: Cast
let seq = 0
/** The project under test. Successful writes change it, so the next call gets a new one. */
let scene: Scene | null = null

beforeAll(async () => {
  // Readers of chats look at every broadcast on air with each new scene: half of the time of these tests.
  world = await testApp({ CHAT: 'off' })
  const users = await newUsers(world)
  const { accessToken: ended, refreshToken: refresh } = await world.signIn(users.owner)
  await world.api(auth.logout, { refresh })
  cast = { ...users, ended }
})
afterAll(() => world.close())

test('the table has every operation once, and nothing else', () => {
  const ids = operations.map(({ id }) => id)
  expect(ids.filter((id) => rightOf(id) === undefined)).toEqual([])
  const used = new Set(ids.map((id) => (id in table ? id : id.replace(/[^.]+$/, '*'))))
  expect(Object.keys(table).filter((row) => !used.has(row))).toEqual([])
})

/** Operations of money, for the name of their check. */
const isMoney = (id: string) => /^(billing|tariffs|operator)\./.test(id)
const named = (id: string) => (isMoney(id) ? `billing check 13: ${id}` : id)

test.each(operations.map((op) => [named(op.id), op] as const))('%s', async (_name, op) => {
  const { id } = op
  const outcomes: (number | string)[] = []
  for (const caller of callers) {
    scene ??= await newScene(world, cast, ++seq)
    const request = requestOf(op, inputFor(op, scene, caller), { as: scene.tokens[caller] })
    const response = await world.app.inject({ ...request, url: request.url.replace('{provider}', 'vk') })
    outcomes.push(outcomeOf(response))
    if (op.kind === 'write' && response.statusCode < 400) scene = null
  }
  expect(outcomes).toEqual(rights[rightOf(id) ?? 'public'])
})

test('an API token without the scope of an operation gets 403, whatever it sends', async () => {
  const wrong: string[] = []
  const tokens = new Map<string, string>()
  for (const op of operations.filter(({ scope }) => scope !== 'any')) {
    const enough = scopesFor(op.scope)
    const rest = scopes.filter((scope) => !enough.includes(scope))
    const token = tokens.get(op.scope) ?? (await tokenWith(rest, cast.operator))
    tokens.set(op.scope, token)
    const { url, ...request } = requestOf(op, {}, { as: token })
    const { statusCode, body } = await world.app.inject({ ...request, url: url.replace('{provider}', 'vk') })
    const name = enough[0] === undefined ? '"Forbidden"' : `"scope":"${enough[0]}"`
    if (statusCode !== 403 || !body.includes(name)) wrong.push(`${op.id} ${statusCode} ${body}`)
  }
  expect(wrong).toEqual([])
})

test('an API token of another project of the same owner reaches what a stranger reaches', async () => {
  const plain = scopes.filter((scope) => !scope.startsWith('operator:'))
  const token = await tokenWith(plain, cast.owner, cast.owner.projectId)
  scene ??= await newScene(world, cast, ++seq)
  const stranger = callers.indexOf('stranger')
  const wrong: string[] = []
  for (const op of operations.filter(({ id }) => rights[rightOf(id) ?? 'public'][stranger] === 403)) {
    const { url, ...request } = requestOf(op, inputFor(op, scene, 'owner'), { as: token })
    const { statusCode, body } = await world.app.inject({ ...request, url: url.replace('{provider}', 'vk') })
    if (statusCode !== 403) wrong.push(`${op.id} ${statusCode} ${body}`)
  }
  expect(wrong).toEqual([])
})

test('the token of a widget reaches its operations, and no other by any header', async () => {
  scene ??= await newScene(world, cast, ++seq)
  const project_id = Number(scene.values('owner')['project_id'])
  const { body } = await world.api(
    widgets.add,
    { project_id, kind: 'counter', name: 'Any' },
    { as: scene.tokens.owner },
  )
  const wrong: string[] = []
  for (const op of operations) {
    const values = inputFor(op, scene, 'owner')
    const { url, query, ...request } = requestOf(op, {
      ...values,
      ...('template_id' in values && { template_id: body.template_id }),
    })
    const path = url.replace('{provider}', 'vk')
    const { statusCode } = await world.app.inject({ ...request, url: path, query: { ...query, widget: body.token } })
    if (statusCode < 300 !== op.isForWidgets || (!op.isForWidgets && statusCode !== 403))
      wrong.push(`${op.id} ${statusCode}`)
    if (op.auth === 'none') continue
    for (const headers of [{ authorization: `Bearer ${body.token}` }, { 'x-api-key': body.token }]) {
      const answer = await world.app.inject({ ...request, url: path, ...(query && { query }), headers })
      if (answer.statusCode !== 401) wrong.push(`${op.id} ${answer.statusCode} by a header`)
    }
  }
  expect(wrong).toEqual([])
  expect(operations.filter(({ isForWidgets }) => isForWidgets).map(({ id }) => id)).toEqual([
    'broadcasts.broadcasts.status',
    'broadcasts.broadcasts.restreams',
    'channels.platforms.list',
    'projects.projects.info',
    'realtime.tokens.connect',
    'realtime.tokens.channel',
    'realtime.widgets.get',
  ])
})

async function tokenWith(granted: Input<typeof apiTokens.create>['scopes'], person: Person, project_id?: number) {
  const as = await world.signIn(person)
  const answer = await world.api(
    apiTokens.create,
    { name: 'Any', scopes: granted, ...(project_id && { project_id }) },
    { as },
  )
  return answer.body.token
}

/** An input that is not valid says nothing about rights: then the scene has to learn about the operation. */
function outcomeOf({ statusCode, body }: { readonly statusCode: number; readonly body: string }): number | string {
  if (statusCode === 401 || statusCode === 403 || statusCode >= 500) return statusCode
  return body.includes('I18nValidationException') ? body : 'in'
}
