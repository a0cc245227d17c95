// API tokens: rights, refusals, limits, and the end of open connections.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { apiTokens } from '#contract/areas/account/api-tokens.ts'
import { auth } from '#contract/areas/account/auth.ts'
import { sessions } from '#contract/areas/account/sessions.ts'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { overview } from '#contract/areas/operator/overview.ts'
import { members } from '#contract/areas/projects/members.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { tokens } from '#contract/areas/realtime/tokens.ts'
import type { Input } from '#contract/core/operation.ts'
import { isIntact, newApiToken } from '#server/core/api-token-text.ts'
import { realtimeRights } from '#server/domain/realtime/rights.ts'
import { readRealtimeToken } from '#server/domain/realtime/tokens.ts'
import { recordStatements } from '#server/testing/statements.ts'
import { admit } from '#server/domain/projects/access.ts'
import { newOperator, type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
let ann: Person

beforeEach(async () => {
  world = await testApp()
  ann = await world.user()
})
afterEach(() => world.close())

const create = async (input: Partial<Input<typeof apiTokens.create>> = {}, as = ann) =>
  (await world.api(apiTokens.create, { name: 'Deck', scopes: ['broadcasts:read'], ...input }, { as })).body
const statusOf = (as: string, projectId = ann.projectId) =>
  world.api(broadcasts.status, { project_id: projectId }, { as })

test('a token calls what its scopes name, by each published header, and is listed without its secret', async () => {
  const { token, id } = await create()
  expect(token).toMatch(/^rdk_[\dA-Za-z]{36}$/)
  const project_id = ann.projectId
  for (const headers of [
    { authorization: `Bearer ${token}` },
    { authorization: `OAUTH ${token}` },
    { 'x-api-key': token },
  ])
    expect(
      (await world.api(broadcasts.status, { project_id }, { headers: { ...headers, 'user-agent': 'deck/1.0' } }))
        .status,
    ).toBe(200)
  const listed = await world.api(apiTokens.list, {}, { as: ann })
  expect(listed.body.results).toMatchObject([
    {
      id,
      name: 'Deck',
      scopes: ['broadcasts:read'],
      project: null,
      hint: token.slice(-4),
      program: 'deck/1.0',
      address: '127.0.0.x',
    },
  ])
  expect(JSON.stringify(listed.body)).not.toContain(token)
  expect((await world.api(projects.me, {}, { as: token })).body.scopes).toEqual(['broadcasts:read'])
  expect(world.logged.join('')).not.toContain(token)
  expect((await world.api(sessions.list, {}, { as: ann })).body.results).toHaveLength(1)
})

test('names the missing scope, and refuses operations of sessions', async () => {
  const { token } = await create()
  const stop = await world.api(broadcasts.stop, { project_id: ann.projectId, broadcast_id: 1 }, { as: token })
  expect([stop.status, stop.error]).toMatchObject([403, { name: 'ScopeMissing', data: { scope: 'control' } }])
  expect(stop.error?.msg).toContain('control')
  for (const answer of [
    await world.api(sessions.list, {}, { as: token }),
    await world.api(apiTokens.list, {}, { as: token }),
  ])
    expect([answer.status, answer.error?.name]).toEqual([403, 'Forbidden'])
})

test('needs the role that its owner has today', async () => {
  const bob = await world.user('Bob')
  await world.join(bob, ann.projectId, 0)
  const { token } = await create({ scopes: ['broadcasts:write'] }, bob)
  expect((await statusOf(token)).status).toBe(200)
  expect(
    (await world.api(broadcasts.stop, { project_id: ann.projectId, broadcast_id: 1 }, { as: token })).error?.name,
  ).toBe('Forbidden')
  await world.api(members.del, { project_id: ann.projectId, user_id: bob.id }, { as: ann })
  expect((await statusOf(token)).status).toBe(403)
})

test('a token of one project reaches no other, and nothing that belongs to the person', async () => {
  const bob = await world.user('Bob')
  await world.join(ann, bob.projectId, 2)
  const { token } = await create({
    project_id: ann.projectId,
    scopes: ['broadcasts:read', 'project:write', 'profile:write'],
  })
  expect((await statusOf(token)).status).toBe(200)
  expect((await statusOf(token, bob.projectId)).status).toBe(403)
  expect((await world.api(projects.select, { id: bob.projectId }, { as: token })).status).toBe(403)
  expect((await world.api(projects.create, { name: 'Next', currency: 'usd' }, { as: token })).status).toBe(403)
  expect((await world.api(projects.list, {}, { as: token })).body.results.map((row) => row.project_id)).toEqual([
    ann.projectId,
  ])
  const stranger = await world.user('Eve')
  const foreign = { name: 'x', scopes: ['project:read'] as ['project:read'], project_id: ann.projectId }
  expect((await world.api(apiTokens.create, foreign, { as: stranger })).status).toBe(403)
})

test('refuses wrong, revoked, expired and misplaced tokens', async () => {
  const { token, id } = await create({ days: 1 })
  const wrong = `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`
  const { db, statements } = recordStatements(world.app.db)
  const from = { ip: '127.0.0.1', headers: {} }
  await expect(admit({ ...world.services, db }, wrong, null, from)).rejects.toMatchObject({ status: 401 })
  expect(statements).toEqual([])
  for (const one of [wrong, newApiToken(), 'rdk_', `rdk_${'é'.repeat(36)}`, `${token}0`])
    expect(
      (
        await world.app.inject({
          method: 'GET',
          url: `/method/project/me`,
          headers: { authorization: `Bearer ${encodeURI(one)}` },
        })
      ).statusCode,
    ).toBe(401)
  const url = `/method/project/me?v=1&language=en&access_token=${token}`
  for (const headers of [{}, { 'x-api-key': token }]) {
    const answer = await world.app.inject({ method: 'GET', url, headers })
    expect([answer.statusCode, answer.body.includes(token)]).toEqual([400, false])
    expect(answer.body).toContain('TokenInUrl')
  }
  for (const headers of [
    { 'x-api-key': `${token}, ${token}` },
    { 'x-api-key': '' },
    { authorization: `Basic ${token}` },
    { authorization: `Bearer ${'a'.repeat(8000)}` },
  ])
    expect((await world.app.inject({ method: 'GET', url: '/method/project/me', headers })).statusCode).toBe(401)
  const inBody = await world.app.inject({
    method: 'POST',
    url: broadcasts.stop.path,
    payload: { project_id: ann.projectId, token },
  })
  expect([inBody.statusCode, inBody.body.includes(token)]).toEqual([401, false])
  expect((await world.api(apiTokens.revoke, { token_id: id }, { as: await world.user('Eve') })).error?.name).toBe(
    'ApiTokenNotFound',
  )
  await world.api(apiTokens.revoke, { token_id: id }, { as: ann })
  expect([(await statusOf(token)).status, (await statusOf(token)).error?.name]).toEqual([401, 'Unauthorized'])
  const { token: short } = await create({ days: 1 })
  world.clock.advance(25 * 3_600_000)
  expect((await statusOf(short)).status).toBe(401)
  expect(world.logged.join('')).not.toContain(token)
})

test('a call by token makes the same statements as a call by access token', async () => {
  const { token } = await create()
  await statusOf(token)
  const count = async (as: string) => {
    const { db, statements } = recordStatements(world.app.db)
    await admit({ ...world.services, db }, as, ann.projectId, { ip: '127.0.0.1', headers: {} })
    return statements
  }
  expect(await count(token)).toEqual(await count(ann.accessToken))
  expect(await count(token)).toEqual(['SelectQueryNode'])
  world.clock.advance(6 * 60_000)
  expect(await count(token)).toEqual(['SelectQueryNode', 'UpdateQueryNode'])
})

test('a fresh sign-in creates tokens, and only an operator those of operators', async () => {
  const scopes: ['operator:read'] = ['operator:read']
  expect((await world.api(apiTokens.create, { name: 'x', scopes }, { as: ann })).status).toBe(403)
  expect((await create({ scopes }, await newOperator(world))).token).toMatch(/^rdk_/)
  world.clock.advance(16 * 60_000)
  const { accessToken } = await world.signIn(ann)
  await world.app.db.updateTable('token_families').set({ date_auth: '2026-01-01T00:00:00.000Z' }).execute()
  const late = await world.api(apiTokens.create, { name: 'x', scopes: ['project:read'] }, { as: accessToken })
  expect(late.error?.name).toBe('SignInAgain')
})

test('a token of one project reaches nothing of operators', async () => {
  const operator = await newOperator(world)
  const scopes: ['operator:read'] = ['operator:read']
  const fields = { name: 'x', scopes, project_id: operator.projectId }
  expect((await world.api(apiTokens.create, fields, { as: operator })).status).toBe(403)
  const { token } = await create({ scopes }, operator)
  expect((await world.api(overview.get, {}, { as: token })).status).toBe(200)
  // As an earlier release made them.
  await world.app.db.updateTable('token_families').set({ project_id: operator.projectId }).execute()
  const refused = await world.api(overview.get, {}, { as: token })
  expect([refused.status, refused.error?.msg]).toEqual([403, 'The token is for another project.'])
})

test('refuses the 101st token, and says the limit', async () => {
  for (let at = 0; at < 100; at++) await create()
  const more = await world.api(apiTokens.create, { name: 'x', scopes: ['project:read'] }, { as: ann })
  expect(more.error).toMatchObject({ name: 'TooManyApiTokens', data: { max: 100 } })
})

test('survives the sign-out of other sessions', async () => {
  const { token } = await create()
  await world.api(sessions.closeOthers, {}, { as: ann })
  expect((await statusOf(token)).status).toBe(200)
})

test('gets realtime tokens for channels of its scopes, and loses its connection by revocation', async () => {
  const { token, id } = await create({ scopes: ['channels:read'] })
  const ask = (channel_name: string, as = token) =>
    world.api(tokens.channel, { project_id: ann.projectId, channel_name }, { as })
  expect((await ask(`$project_channels:${ann.projectId}`)).status).toBe(200)
  expect((await ask(`$project_live:${ann.projectId}`)).error).toMatchObject({
    name: 'ScopeMissing',
    data: { scope: 'broadcasts:read' },
  })
  const connection = (await world.api(tokens.connect, { project_id: ann.projectId }, { as: token })).body.access_token
  const claims = readRealtimeToken(world.services.config, connection)
  expect(claims?.sub).toBe(`grant-${ann.projectId}`)
  const holder = claims?.holder
  if (!holder) throw new Error('The token has no holder')
  const rights = () => realtimeRights(world.services, [{ ...holder, project_id: ann.projectId }])
  const [right] = await rights()
  expect(
    [`$project_channels:${ann.projectId}`, `project#${ann.projectId}`, '$broadcast:1'].map((name) => right?.may(name)),
  ).toEqual([true, false, false])
  await world.api(apiTokens.revoke, { token_id: id }, { as: ann })
  expect(await rights()).toEqual([])
})

test('reports its limit in headers, and refuses calls above it', async () => {
  const limited = await testApp({ RATE_LIMITS: 'on', API_TOKEN_LIMIT: '2' })
  try {
    const eve = await limited.user('Eve')
    const { body } = await limited.api(apiTokens.create, { name: 'x', scopes: ['project:read'] }, { as: eve })
    const call = () => limited.api(projects.me, {}, { as: body.token })
    const first = await call()
    expect(first.headers['ratelimit-policy']).toBe('"token";q=2;w=60')
    expect(first.headers['ratelimit']).toBe('"token";r=1;t=60')
    await call()
    const third = await call()
    expect([third.status, third.headers['ratelimit'], third.headers['retry-after']]).toEqual([
      429,
      '"token";r=0;t=60',
      '60',
    ])
    expect((await limited.api(auth.me, {}, { as: eve })).headers['ratelimit']).toBeUndefined()
  } finally {
    await limited.close()
  }
})

test('the checksum follows the documented rule', () => {
  expect(isIntact('rdk_00000000000000000000000000000034xQCd')).toBe(false)
  for (let at = 0; at < 100; at++) expect(isIntact(newApiToken())).toBe(true)
})
