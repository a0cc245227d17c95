// Realtime tokens: roles and claims.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { tokens } from '#contract/areas/realtime/tokens.ts'
import { readRealtimeToken } from '#server/domain/realtime/tokens.ts'
import { handleEvent } from '#server/domain/broadcasts/broadcasts.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
let ann: Person

beforeEach(async () => {
  world = await testApp()
  ann = await world.user()
})
afterEach(() => world.close())

const mine = () => ({ project_id: ann.projectId })
const read = (token: string) => readRealtimeToken(world.services.config, token)
const ask = (channel_name: string, as = ann) =>
  world.api(tokens.channel, { project_id: as.projectId, channel_name }, { as })

async function onAir(): Promise<number> {
  const { clock, services, app } = world
  const at = clock.now().getTime()
  await handleEvent(services, 'node', 1, {
    type: 'source-began',
    projectId: ann.projectId,
    at,
    encoder: '',
    address: '',
  })
  return (await app.db.selectFrom('broadcasts').select('id').executeTakeFirstOrThrow()).id
}

test('the token of a connection is the project’s, for five minutes', async () => {
  const { body } = await world.api(tokens.connect, mine(), { as: ann })
  expect(body.expires_in).toBe(300)
  const now = Math.floor(world.clock.now().getTime() / 1000)
  expect(read(body.access_token)).toMatchObject({
    sub: String(ann.projectId),
    channel: null,
    exp: now + 300,
    holder: { user_id: ann.id },
  })
})

test('a channel’s token is good for that channel, for half an hour', async () => {
  const broadcast = await onAir()
  for (const channel of [`$project_live:${ann.projectId}`, `$project:${ann.projectId}`, `$broadcast:${broadcast}`]) {
    const { body } = await ask(channel)
    expect(body).toMatchObject({ channel, expires_in: 1800 })
    expect(read(body.access_token)).toMatchObject({ channel, sub: String(ann.projectId) })
  }
})

test('refuses tokens for another project, and for unknown channels', async () => {
  const broadcast = await onAir()
  const bob = await world.user('Bob')
  for (const name of [
    `$project_live:${ann.projectId}`,
    `$broadcast:${broadcast}`,
    '$broadcast:999',
    'secrets',
    '$project:0',
  ])
    expect((await ask(name, bob)).status).toBe(403)
})

test('what the channels do is for editors', async () => {
  const viewer = { ...(await world.user('Viewer')), projectId: ann.projectId }
  await world.join(viewer, ann.projectId, 0)
  expect((await ask(`$project_channels:${ann.projectId}`, viewer)).status).toBe(403)
  expect((await ask(`$project_live:${ann.projectId}`, viewer)).status).toBe(200)
  expect((await world.api(tokens.project, mine(), { as: viewer })).status).toBe(403)
})

test('the names of before still give tokens', async () => {
  const broadcast_id = await onAir()
  const connection = (await world.api(tokens.auth, mine(), { as: ann })).body
  const channels = (await world.api(tokens.project, mine(), { as: ann })).body
  const one = (await world.api(tokens.broadcast, { ...mine(), broadcast_id }, { as: ann })).body
  expect(read(connection.access_token)?.channel).toBe(null)
  expect(read(channels.access_token)?.channel).toBe(`$project_channels:${ann.projectId}`)
  expect(read(one.access_token)?.channel).toBe(`$broadcast:${broadcast_id}`)
})

test('the catalogue says what there is', async () => {
  const { results } = (await world.api(tokens.channels, {}, { as: ann })).body
  expect(results.map(({ channel_type }) => channel_type)).toContain('project')
  expect(results.find(({ requires_token }) => !requires_token)?.channel_pattern).toBe('project#{project_id}')
})

test('another token is no token', async () => {
  expect(read(ann.accessToken)).toBe(null)
  expect(read('x.y.z')).toBe(null)
})
