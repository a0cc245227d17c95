// The client against the service: requests of all operations, errors as values, tokens and realtime.
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { apiTokens } from '#contract/areas/account/api-tokens.ts'
import { connectedApps } from '#contract/areas/projects/connected-apps.ts'
import { scopes } from '#contract/core/scopes.ts'
import { operations } from '#contract/index.ts'
import { oauthScene } from '#server/testing/oauth-app.ts'
import { eventually } from '#server/testing/eventually.ts'
import { newChannel } from '#server/testing/channels.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'
import type { OperationId } from './call.ts'
import { createClient } from './client.ts'
import { CallFailed, unwrap } from './errors.ts'
import type { ProjectLiveEvent } from './realtime.ts'
import { prepare } from './request.ts'
import { type OAuthTokens, oauthTokens } from './tokens.ts'

const scene = oauthScene()
let world: World
let ann: Person
let url: string

beforeEach(() => {
  ;({ world, ann, base: url } = scene)
})

const newToken = async (name = 'Deck', only = [...scopes].filter((scope) => !scope.startsWith('operator'))) =>
  (await world.api(apiTokens.create, { name, scopes: only }, { as: ann })).body

/** Starts a server in the place of the service. @returns its address */
async function inItsPlace(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('has the request of every operation as the contract declares it', () => {
  for (const op of operations) {
    const sample = {
      provider: 'a/b',
      list: ['x', 'y'],
      left: undefined,
      ...Object.fromEntries(op.inQuery.map((name) => [name, 'q'])),
    }
    const { path, init, mayRepeat } = prepare(op.id as OperationId, sample, 'ru')
    const { pathname, searchParams } = new URL(path, 'http://x')
    expect([init.method, pathname, mayRepeat], op.id).toEqual([
      op.method,
      op.path.replace('{provider}', 'a%2Fb'),
      op.replay === 'auto',
    ])
    const inBody =
      op.placement === 'body'
        ? (JSON.parse(init.body as string) as Record<string, unknown>)
        : Object.fromEntries(op.placement === 'multipart' ? (init.body as FormData) : [])
    for (const name of ['v', 'language'] as const) {
      const place = op.placement === 'query' || op.inQuery.includes(name) ? searchParams.get(name) : inBody[name]
      const isCarried = op.carries.includes(name) || op.inQuery.includes(name)
      const expected = { v: op.version, language: 'ru' }[name]
      expect(op.inQuery.includes(name) || place === expected || (!isCarried && (place ?? null) === null), op.id).toBe(
        true,
      )
    }
    if (op.placement === 'query') expect(searchParams.getAll('list'), op.id).toEqual(['x', 'y'])
    if (op.placement === 'body') expect(inBody['list'], op.id).toEqual(['x', 'y'])
    expect(init.redirect, op.id).toBe(op.status >= 300 ? 'manual' : 'follow')
  }
  expect(() => prepare('no.such.operation' as OperationId, {}, 'en')).toThrow(/no operation/)
})

test('reaches the handler of every operation', async () => {
  const client = createClient({ url })
  // Without a token no operation changes anything that exists.
  for (const { id, path, method } of operations) {
    const result = await client.call(id as OperationId, {} as never)
    if (result.ok || result.error.kind !== 'refused') continue
    expect([`${method} ${path}`, result.error.status, result.error.name]).not.toEqual([
      `${method} ${path}`,
      404,
      'NotFound',
    ])
    expect(result.error.status, id).toBeLessThan(500)
  }
})

test('returns refusals with their names, fields and facts', async () => {
  const { token } = await newToken('Narrow', ['broadcasts:read'])
  const client = createClient({ url, token, language: 'ru' })
  const project_id = ann.projectId
  const stop = await client.call('broadcasts.broadcasts.stop', { project_id, broadcast_id: 1 })
  expect(stop).toMatchObject({
    ok: false,
    error: { kind: 'refused', status: 403, name: 'ScopeMissing', data: { scope: 'control' }, retryAfterMs: null },
  })
  expect(stop.ok ? '' : stop.error.message).toMatch(/[а-я]/)
  expect(() => unwrap(stop)).toThrow(CallFailed)
  const wrong = await client.call('broadcasts.broadcasts.status', { project_id: -1 })
  expect(wrong).toMatchObject({ error: { status: 400, fields: [{ name: 'project_id' }] } })
  expect(await createClient({ url, token: 'rdk_x' }).call('projects.projects.me', {})).toMatchObject({
    error: { kind: expect.stringMatching(/refused|signed-out/) },
  })
  expect(() => createClient({ url: 'nowhere' })).toThrow(TypeError)
  expect(() => createClient({ url: 'ftp://example.com' })).toThrow(/http/)
})

test('says how long to wait after too many calls', async () => {
  const limited = await testApp({ API_TOKEN_LIMIT: '2', RATE_LIMITS: 'on' })
  onTestFinished(() => limited.close())
  const bob = await limited.user('Bob')
  const { token } = (await limited.api(apiTokens.create, { name: 'Fast', scopes: ['project:read'] }, { as: bob })).body
  const client = createClient({ url: (await limited.app.listen()).url, token })
  const all = await Promise.all([1, 2, 3].map(() => client.call('projects.projects.me', {})))
  const refused = all.flatMap((result) => (result.ok ? [] : [result.error]))
  expect(refused).toMatchObject([{ kind: 'refused', status: 429 }])
  const retryAfterMs = refused[0]?.kind === 'refused' ? refused[0].retryAfterMs : null
  expect(retryAfterMs).toBeGreaterThan(0)
})

test('returns what is wrong with the way to the service', async () => {
  const me = (at: string, options = {}) =>
    createClient({ url: at, token: 'rdk_x' }).call('projects.projects.me', {}, options)
  const silent = await inItsPlace(() => undefined)
  expect(await me(silent, { timeoutMs: 50 })).toMatchObject({ error: { kind: 'timeout' } })
  expect(await me(silent, { signal: AbortSignal.abort() })).toMatchObject({ error: { kind: 'aborted' } })
  const broken = await inItsPlace((request) => request.socket.destroy())
  expect(await me(broken)).toMatchObject({ error: { kind: 'unreachable' } })
  const bodies: [number, string][] = [
    [502, '<h1>Bad gateway</h1>'],
    [200, '<h1>Sign in to the hotel</h1>'],
    [500, '{"error":"text"}'],
    [500, 'null'],
  ]
  for (const [status, body] of bodies) {
    const proxy = await inItsPlace((_, response) => response.writeHead(status).end(body))
    expect(await me(proxy)).toMatchObject({ error: { kind: 'unexpected', status } })
  }
})

test.each([
  ['with locks', {}],
  // As Node 20.
  ['without locks', { navigator: {} }],
])(
  'renews a grant once for calls at the same time, repeats them, and says when it has ended: %s',
  async (_, runtime) => {
    for (const [name, value] of Object.entries(runtime)) vi.stubGlobal(name, value)
    const app = await scene.register()
    const { tokens } = await scene.connect(app, 'offline_access broadcasts:read')
    let kept: OAuthTokens | null = {
      // The service refuses it before its end.
      accessToken: 'refused',
      refreshToken: tokens.refresh_token ?? '',
      expiresAt: Date.now() + 3_600_000,
    }
    const saved: (OAuthTokens | null)[] = []
    const client = createClient({
      url,
      token: oauthTokens({
        url,
        clientId: app.client_id,
        load: () => kept,
        save: (next) => {
          saved.push(next)
          kept = next
        },
      }),
    })
    const status = () => client.call('broadcasts.broadcasts.status', { project_id: ann.projectId })
    const many = await Promise.all(Array.from({ length: 5 }, status))
    expect(many.map(({ ok }) => ok)).toEqual([true, true, true, true, true])
    expect(saved).toHaveLength(1)
    kept = { ...(saved[0] as OAuthTokens), expiresAt: Date.now() + 1000 }
    expect(await status()).toMatchObject({ ok: true })
    expect(saved).toHaveLength(2)
    expect(saved[1]?.refreshToken).not.toBe(saved[0]?.refreshToken)

    const [grant] = (await world.api(connectedApps.list, { project_id: ann.projectId }, { as: ann })).body.results
    await world.api(connectedApps.disconnect, { project_id: ann.projectId, grant_id: grant!.grant_id }, { as: ann })
    expect(await status()).toMatchObject({ error: { kind: 'refused', status: 401 } })
    expect(saved.at(-1)).toBe(null)
    expect(await status()).toMatchObject({ error: { kind: 'signed-out' } })
  },
)

test('keeps the tokens of a grant while the service cannot renew them', async () => {
  const away = await inItsPlace((_, response) => response.writeHead(503).end('{}'))
  const saved: unknown[] = []
  const kept = { accessToken: 'a', refreshToken: 'b', expiresAt: 0 }
  const token = oauthTokens({ url: away, clientId: 'c', load: () => kept, save: (next) => void saved.push(next) })
  const result = await createClient({ url, token }).call('projects.projects.me', {})
  expect([result, saved]).toMatchObject([{ error: { kind: 'unreachable' } }, []])
})

test('follows a broadcast, shares a subscription, and is refused within a second of revocation', async () => {
  const project_id = ann.projectId
  const channel = await newChannel(world, ann)
  const { token, id } = await newToken()
  let isAway = true
  const client = createClient({
    url,
    token,
    fetch: (...args) => {
      // The first request fails, as while the service starts.
      if (!isAway) return fetch(...args)
      isAway = false
      return Promise.reject(new TypeError('fetch failed'))
    },
  })
  const states: string[] = []
  const heard: ProjectLiveEvent[] = []
  const others: unknown[] = []
  const live = client.realtime(project_id, { onState: (state) => states.push(state) })
  onTestFinished(() => live.close())
  let times = 0
  live.subscribe('project_live', project_id, { data: (one) => heard.push(one), subscribed: () => times++ })
  const leave = live.subscribe('project_live', project_id, { data: (one) => others.push(one) })
  let isInProject = false
  live.subscribe('project', project_id, { data: () => undefined, subscribed: () => (isInProject = true) })
  const refusedWhy: string[] = []
  live.subscribe('broadcast', 999_999, { data: () => undefined, refused: (why) => refusedWhy.push(why) })
  await eventually(() => times === 1 && isInProject && refusedWhy.length === 1)
  expect(live.state).toBe('connected')
  leave()
  unwrap(await client.call('channels.channels.setStatus', { project_id, channel_id: channel, status: false }))
  const changed = await eventually(() => heard.find(({ event }) => event === 'changed'))
  expect(changed.payload).toMatchObject({ operation: 'channels.channels.setStatus' })
  expect(others).toEqual([])

  const since = performance.now()
  await world.api(apiTokens.revoke, { token_id: id }, { as: ann })
  await eventually(() => live.state === 'refused')
  expect(performance.now() - since).toBeLessThan(1000)
  expect(states).toEqual(['connected', 'refused'])
  live.close()
  expect(live.state).toBe('closed')
})

test('a connection that is closed before it opens stays closed', async () => {
  const live = createClient({ url, token: (await newToken()).token }).realtime(ann.projectId)
  const leave = live.subscribe('project_live', ann.projectId, { data: () => undefined })
  live.close()
  leave()
  expect(live.state).toBe('closed')
})
