// The HTTP edge as a client sees it: accepted requests and refusals.
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { payouts } from '#contract/areas/billing/payouts.ts'
import { auth } from '#contract/areas/account/auth.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { ErrorBody } from '#contract/core/wire.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
let ann: Person
let base: string
beforeAll(async () => {
  world = await testApp()
  base = (await world.app.listen()).url
  ann = await world.user()
})
afterAll(() => world.close())

const get = (url: string, headers: Record<string, string> = {}) => world.app.inject({ method: 'GET', url, headers })
const nameOf = (answer: { body: string }) => ErrorBody.parse(JSON.parse(answer.body)).error.name

test.each(['oauth', 'OAuth', 'OAUTH', 'Bearer', 'bearer'])('accepts the scheme %s', async (scheme) => {
  expect((await get('/method/auth/me', { authorization: `${scheme} ${ann.accessToken}` })).statusCode).toBe(200)
})

test('answers 401 in the shape of the wire without a valid token', async () => {
  for (const authorization of [undefined, 'oauth', 'oauth x', 'Basic eDp5', 'oauth a.b.c']) {
    const answer = await get('/method/auth/me', authorization === undefined ? {} : { authorization })
    expect([answer.statusCode, nameOf(answer)]).toEqual([401, 'Unauthorized'])
  }
})

test('answers the same 403 for a foreign project and an unknown one', async () => {
  const bob = await world.user('Bob')
  const [foreign, unknown] = await Promise.all(
    [bob.projectId, 2_000_000_000].map((project_id) => world.api(restream.slots, { project_id }, { as: ann })),
  )
  expect(foreign?.status).toBe(403)
  expect(unknown?.error).toEqual(foreign?.error)
})

test('refuses a role below the required one, and accepts a higher one', async () => {
  const bob = await world.user('Bob')
  await world.join(bob, ann.projectId, 0)
  expect((await world.api(restream.slots, { project_id: ann.projectId }, { as: bob })).status).toBe(200)
  const cancel = { project_id: ann.projectId, plan_restream_id: 2 }
  expect((await world.api(restream.cancelNext, cancel, { as: bob })).status).toBe(403)
})

test('accepts missing v and language, and refuses unknown values', async () => {
  const headers = { authorization: `oauth ${ann.accessToken}` }
  const path = `/method/plan_restream?project_id=${ann.projectId}`
  expect((await get(path, headers)).statusCode).toBe(200)
  expect((await get(`${path}&v=3&language=cn`, headers)).statusCode).toBe(200)
  for (const wrong of ['v=9', 'v=', 'v=1&v=1', 'language=de', 'language=ru&language=en', 'v[]=1x&v=0']) {
    const answer = await get(`${path}&${wrong}`, headers)
    expect([wrong, answer.statusCode, nameOf(answer)]).toEqual([wrong, 400, 'I18nValidationException'])
  }
})

test('decodes the query by the contract, or names the invalid parameter', async () => {
  const headers = { authorization: `oauth ${ann.accessToken}` }
  for (const wrong of ['1.5', 'abc', '', '0x1', '1e3', ' 1', '-1', '99999999999999999999', 'NaN', '%00', '1%00']) {
    const answer = await get(`/method/plan_restream?project_id=${wrong}`, headers)
    const { error } = ErrorBody.parse(JSON.parse(answer.body))
    expect([wrong, answer.statusCode, error.validator_error?.[0]?.property]).toEqual([wrong, 400, 'project_id'])
  }
  const twice = `/method/plan_restream?project_id=${ann.projectId}&project_id=${ann.projectId}`
  expect((await get(twice, headers)).statusCode).toBe(400)
})

test('ignores keys that name a prototype', async () => {
  const headers = { 'content-type': 'application/json' }
  const payload = '{"__proto__":{"app":"site","refresh":"x"},"constructor":{"prototype":{"polluted":1}}}'
  const answer = await world.app.inject({ method: 'POST', url: auth.refreshAccess.path, headers, payload })
  expect(answer.statusCode).toBe(400)
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  const query = await get(`/method/plan_restream?__proto__[project_id]=1&constructor=1&hasOwnProperty=1`)
  expect(query.statusCode).toBe(401)
})

test('names the invalid parameter and the reason in a refusal', async () => {
  const said = async (url: string) => {
    const answer = await get(`/method/${url}`, { authorization: `oauth ${ann.accessToken}` })
    return ErrorBody.parse(JSON.parse(answer.body)).error
  }
  expect(await said('plan_restream')).toMatchObject({
    msg: 'project_id is missing.',
    validator_error: [{ property: 'project_id', constraints: { required: 'is missing' } }],
  })
  expect((await said('plan_restream?project_id=seven')).msg).toMatch(/^project_id must be a (whole )?number\.$/)
  expect((await said('plan_restream?project_id=0')).msg).toBe('project_id must be at least 1.')
  expect((await said('plan_restream?v=9&language=de')).msg).toBe(
    'v must be one of 1, 2, 3. language must be one of en, ru, cn.',
  )
  const empty = await world.api(auth.refreshAccess, { app: 'x' as 'site', refresh: '' })
  expect(empty.error?.msg).toMatch(/^app must be one of .*\. refresh must not be empty\.$/)
  const all = await world.api(restream.buy, {} as never, { as: ann })
  expect(all.error?.msg).toMatch(/^project_id is missing\. /)
})

test('accepts an operation without parameters without a body, with or without a content type', async () => {
  for (const headers of [{}, { 'content-type': 'application/json' }]) {
    const call = { method: 'POST', url: auth.clientConfiguration.path, headers } as const
    expect((await world.app.inject(call)).statusCode).toBe(201)
    const missing = await world.app.inject({ ...call, url: auth.refreshAccess.path })
    expect(missing.json().error.msg).toContain('app is missing')
  }
})

test('accepts `v` and `language` of a call with a body in its query', async () => {
  const post = (query: Record<string, string>, body = {}) => {
    const payload = { app: 'site', refresh: 'x', ...body }
    return world.app.inject({ method: 'POST', url: auth.refreshAccess.path, query, payload })
  }
  expect((await post({ v: '1', language: 'ru' })).json().error.name).toBe('RefreshTokenRejected')
  expect((await post({ v: '9', language: 'xx' })).json().error.msg).toMatch(/^v must be .*language must be/)
  expect((await post({ language: 'xx' }, { language: 'ru' })).json().error.name).toBe('RefreshTokenRejected')
})

test('reads no number from text in a body beside `v` and `language` in the query', async () => {
  const { create } = payouts
  expect(create.inQuery).toEqual(['v', 'language'])
  const payload = { project_id: ann.projectId, payout_system_account_id: 1, wallet_value: 'x', amount: '50' }
  const headers = { authorization: `oauth ${ann.accessToken}` }
  const answer = await world.app.inject({ method: 'POST', url: `${create.path}?v=1&language=en`, headers, payload })
  expect(answer.json().error.msg).toMatch(/^amount /)
})

test('refuses bodies that are too large, not JSON, or not an object', async () => {
  const post = (payload: string, type: string) =>
    world.app.inject({ method: 'POST', url: auth.refreshAccess.path, headers: { 'content-type': type }, payload })
  const json = 'application/json'
  for (const payload of ['[]', 'null', '1', '"x"', '']) expect((await post(payload, json)).statusCode).toBe(400)
  const broken = await post('{', json)
  expect([broken.statusCode, nameOf(broken)]).toEqual([400, 'BadRequest'])
  expect(broken.body).toContain('not JSON that can be read')
  const other = await post('app=site', 'application/x-www-form-urlencoded')
  expect([other.statusCode, nameOf(other)]).toEqual([415, 'UnsupportedMediaType'])
  expect(other.body).toContain('Content-Type: application/json')
  const large = await post(JSON.stringify({ refresh: 'x'.repeat(70_000) }), json)
  expect([large.statusCode, nameOf(large)]).toEqual([413, 'PayloadTooLarge'])
})

test('refuses unknown paths, wrong methods, and operations that are not served yet', async () => {
  const unknown = await get('/method/no/such/thing')
  expect([unknown.statusCode, nameOf(unknown)]).toEqual([404, 'UnknownOperation'])
  const method = await world.app.inject({ method: 'PUT', url: '/method/auth/me' })
  expect([method.statusCode, nameOf(method), method.headers.allow]).toEqual([405, 'MethodNotAllowed', 'OPTIONS, GET'])
  const later = await get('/method/plan_webinar/list')
  expect([later.statusCode, nameOf(later)]).toEqual([404, 'NotServedYet'])
  const bad = await get('/method/%zz')
  expect([bad.statusCode, nameOf(bad)]).toEqual([400, 'BadRequest'])
  expect((await get('/nothing.txt')).statusCode).toBe(404)
})

test('answers HEAD where GET only reads, and changes nothing where GET writes', async () => {
  const headers = { authorization: `oauth ${ann.accessToken}` }
  const head = (url: string) => world.app.inject({ method: 'HEAD', url, headers })
  expect((await head('/method/auth/me')).statusCode).toBe(200)
  const select = await head(`${projects.select.path}?id=${ann.projectId}`)
  expect(select.statusCode).toBe(405)
})

test('lets other origins call without cookies and read refusals', async () => {
  const headers = { origin: 'https://elsewhere.example' }
  for (const url of ['/method/auth/me', '/method/nope', '/method/release-app']) {
    const answer = await get(url, headers)
    expect(answer.headers['access-control-allow-origin']).toBe('*')
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
    expect(answer.headers['access-control-expose-headers']).toMatch(/Retry-After, Date/)
    expect(answer.headers['cache-control']).toBe('no-store')
  }
  const preflight = await world.app.inject({
    method: 'OPTIONS',
    url: '/method/auth/refresh-access',
    headers: { ...headers, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
  })
  expect([preflight.statusCode, preflight.body]).toEqual([204, ''])
  expect(preflight.headers['access-control-allow-headers']).toMatch(/Authorization, Content-Type/)
})

test('sends Retry-After to an address with too many refreshes', async () => {
  const own = await testApp({ RATE_LIMITS: 'on' })
  const call = () => own.api(auth.refreshAccess, { app: 'site', refresh: 'x' }, { address: '203.0.113.7' })
  const answers = await Promise.all(Array.from({ length: 601 }, call))
  const last = answers.find(({ status }) => status === 429)
  expect(last?.error?.name).toBe('TooManyRequests')
  expect(Number(last?.headers['retry-after'])).toBe(60)
  const elsewhere = await own.api(auth.refreshAccess, { app: 'site', refresh: 'x' }, { address: '203.0.113.8' })
  expect(elsewhere.status).toBe(400)
  own.clock.advance(60_000)
  expect((await call()).status).toBe(400)
  await own.close()
})

test('answers a bug with a 500 and the id of its log entry', async () => {
  await world.app.db
    .updateTable('users')
    .set({ language: 'xx' as 'en' })
    .where('id', '=', ann.id)
    .execute()
  const answer = await get('/method/account/profile', { authorization: `oauth ${ann.accessToken}` })
  await world.app.db.updateTable('users').set({ language: 'en' }).where('id', '=', ann.id).execute()
  const { error } = ErrorBody.parse(JSON.parse(answer.body))
  expect([answer.statusCode, error.name]).toEqual([500, 'InternalError'])
  const line = world.logged.find((text) => text.includes(`"id":"${String(error.data['id'])}"`))
  expect(line).toContain('account.profile.get does not fit the contract at: language')
})

test('serves health, readiness, metrics and the OpenAPI description', async () => {
  expect((await get('/healthz')).json()).toEqual({ status: 'ok' })
  expect((await get('/readyz')).json()).toEqual({ status: 'ready' })
  expect((await get('/metrics')).body).toMatch(
    /relaydeck_http_answers_total\{operation="account.auth.me",status="200"\}/,
  )
  expect((await get('/openapi.json')).json()).toMatchObject({ openapi: '3.1.0' })
})

/** Sends raw bytes. @returns the response, after the service has closed the connection */
async function exchange(text: string): Promise<{ head: string; body: string }> {
  const socket = connect(Number(new URL(base).port), '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.end(text)
  await new Promise((resolve) => socket.once('close', resolve))
  const [head = '', body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n')
  return { head, body }
}

test('refuses input that is not HTTP in the same shape', async () => {
  const { head, body } = await exchange('NOT HTTP AT ALL\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1.1 400/)
  expect(nameOf({ body })).toBe('BadRequest')
})

test.each(['application/json', 'multipart/form-data; boundary=x', 'text/plain'])(
  'does not wait for an announced body of %s that never arrives',
  async (type) => {
    const request = `POST ${auth.refreshAccess.path} HTTP/1.1\r\nhost: x\r\ncontent-type: ${type}\r\nconnection: close`
    const { head, body } = await exchange(`${request}\r\n\r\n`)
    expect(head).toMatch(/^HTTP\/1.1 400/)
    expect(nameOf({ body })).toBe('I18nValidationException')
  },
)
