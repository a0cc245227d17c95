// The commands of docs/scripts.md, run as they stand there, and the end of a script's connection.
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { Centrifuge } from 'centrifuge'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { apiTokens } from '#contract/areas/account/api-tokens.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { tokens } from '#contract/areas/realtime/tokens.ts'
import { newChannel } from '#server/testing/channels.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
let ann: Person

beforeEach(async () => {
  world = await testApp()
  world.clock.set(new Date())
  ann = await world.user()
})
afterEach(() => world.close())

const hasTools = ['bash', 'curl'].every((tool) => spawnSync(tool, ['--version']).status === 0)

test.skipIf(!hasTools)('a script calls and changes by its token', async () => {
  const { body } = await world.api(
    apiTokens.create,
    { name: 'Script', scopes: ['project:read', 'control'] },
    { as: ann },
  )
  const channel = await newChannel(world, ann)
  await world.api(channels.setStatus, { channel_id: channel, status: false }, { as: ann })
  const { url: base } = await world.app.listen()
  const page = readFileSync('docs/scripts.md', 'utf8')
  const [, list = '', change = ''] = [...page.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block)
  const env = { ...process.env, base, token: body.token, project: String(ann.projectId), channel: String(channel) }
  const run = async (command: string) => (await promisify(execFile)('bash', ['-euc', command], { env })).stdout
  expect(JSON.parse(await run(list)).results).toMatchObject([{ project_id: ann.projectId }])
  await run(change)
  const shown = await world.api(channels.get, { project_id: ann.projectId, channel_id: channel }, { as: ann })
  expect(shown.body).toMatchObject({ active: true })
})

test('revocation ends the open connection of a token within a second', async () => {
  const created = (await world.api(apiTokens.create, { name: 'Deck', scopes: ['broadcasts:read'] }, { as: ann })).body
  const project = { project_id: ann.projectId }
  const getToken = async () => (await world.api(tokens.connect, project, { as: created.token })).body.access_token
  const { url } = await world.app.listen()
  const client = new Centrifuge(`${url.replace('http', 'ws')}/connection/websocket`, { getToken })
  try {
    client.connect()
    await client.ready(20_000)
    const over = new Promise<number>((resolve) => client.once('disconnected', ({ code }) => resolve(code)))
    const since = performance.now()
    await world.api(apiTokens.revoke, { token_id: created.id }, { as: ann })
    expect(await over).toBe(3503)
    expect(performance.now() - since).toBeLessThan(1000)
  } finally {
    client.disconnect()
  }
})
