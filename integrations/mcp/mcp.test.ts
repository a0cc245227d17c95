// The packed program against the service, by the client of the SDK over standard input and output.
import { execFile, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { once } from 'node:events'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { apiTokens } from '#contract/areas/account/api-tokens.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { keys } from '#contract/areas/chat/keys.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import type { Scope } from '#contract/core/scopes.ts'
import { pack } from '#scripts/integrations/pack.ts'
import { newChannel, someKey } from '#server/testing/channels.ts'
import { someIngest } from '#server/testing/nodes.ts'
import { beginBroadcast, onAirOf, someNodeOf } from '#server/testing/on-air.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'
import { toolsFor } from './tools.ts'

const all = [
  'project:read',
  'channels:read',
  'broadcasts:read',
  'chat:read',
  'control',
] as const satisfies readonly Scope[]

let world: World
let ann: Person
let url: string
let program: string
let node: ReturnType<typeof someNodeOf>
let twitch: number
let youtube: number

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'relaydeck-mcp-'))
  const installed = join(folder, 'node_modules/@relaydeck/mcp')
  mkdirSync(installed, { recursive: true })
  await promisify(execFile)('tar', ['-xzf', await pack('mcp', folder), '-C', installed, '--strip-components=1'])
  symlinkSync(resolve('node_modules/@modelcontextprotocol'), join(folder, 'node_modules/@modelcontextprotocol'))
  program = join(installed, 'main.js')

  world = await testApp()
  world.clock.set(new Date())
  ann = await world.user()
  url = (await world.app.listen()).url
  youtube = await newChannel(world, ann, { name: 'Main' })
  const rtmp_url = 'rtmp://live.twitch.tv/app'
  twitch = await newChannel(world, ann, { name: 'Evening', type: 'twitch' as never, rtmp_url })
  node = someNodeOf(world)
  await beginBroadcast(world, ann, node)
  await node.channel(ann.projectId, youtube, 'live')
  await node.channel(ann.projectId, twitch, 'rejected', { reason: 'publish-rejected' })
})
afterAll(() => world.close())

const newToken = async (scopes: readonly Scope[], project_id?: number) =>
  (
    await world.api(
      apiTokens.create,
      { name: 'MCP', scopes: [...scopes], ...(project_id && { project_id }) },
      { as: ann },
    )
  ).body

/** Starts the program and connects to it. */
async function connect(token: string, env: Readonly<Record<string, string>> = {}) {
  const client = new Client({ name: 'test', version: '1' })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program],
    env: { RELAYDECK_URL: url, RELAYDECK_TOKEN: token, ...env },
    stderr: 'ignore',
  })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return {
    client,
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name: string, args: Record<string, unknown> = {}) => {
      const { content, isError = false } = await client.callTool({ name, arguments: args })
      return { isError, text: content.map((part) => (part.type === 'text' ? part.text : '')).join('\n') }
    },
  }
}

test('says why Twitch is red in the sentences of Home, in each language', async () => {
  const { token } = await newToken(all)
  const english = await connect(token)
  const why = await english.call('explain', { channel: 'twitch' })
  expect(why).toMatchObject({ isError: false })
  expect(why.text.split('\n')).toEqual([
    'On air. 1 of 2 channels are live',
    'Verdict: Warning',
    expect.stringContaining('Some channels have a problem (1 of 2)'),
    'Channels:',
    '- Evening (Twitch): Refused. The server rejected the stream. Check the stream key.',
  ])
  expect((await english.call('explain')).text).toContain('Main (YouTube): Live')
  expect((await english.call('explain', { channel: 'rumble' })).text).toContain(
    'Channels: Main (YouTube), Evening (Twitch)',
  )
  const chinese = await connect(token, { RELAYDECK_LANGUAGE: 'cn' })
  expect((await chinese.call('explain', { channel: 'Twitch' })).text).toMatch(/Evening \(Twitch\)：[\u4e00-\u9fff]/)
})

test('names the video that channels receive in the place of the encoder', async () => {
  const { token } = await newToken(all, ann.projectId)
  const { call } = await connect(token)
  const { broadcast_id } = await onAirOf(world, ann)
  await call('broadcasts_pause', { broadcast_id })
  world.clock.advance(1_000)
  const ingest = { ...someIngest, fill: 'picture', clip: true } as const
  await node.tell(ann.projectId, { type: 'sample', ingest, destinations: [] })
  const { text } = await call('explain')
  expect(text).toContain('Paused. Your encoder is still connected. Your channels receive your video.')
  expect(text).toContain('Main (YouTube): Your video')
  world.clock.advance(1_000)
  await node.tell(ann.projectId, { type: 'sample', ingest: someIngest, destinations: [] })
  await call('broadcasts_play', { broadcast_id })
})

test('switches channels and controls the broadcast', async () => {
  const { token } = await newToken(all, ann.projectId)
  const { call } = await connect(token)
  expect(await call('channels_setStatus', { channel_id: youtube, status: false })).toMatchObject({ isError: false })
  const shown = await world.api(channels.get, { project_id: ann.projectId, channel_id: youtube }, { as: ann })
  expect(shown.body.active).toBe(false)
  await call('channels_setStatus', { channel_id: youtube, status: true })
  const { broadcast_id } = await onAirOf(world, ann)
  expect(await call('broadcasts_pause', { broadcast_id })).toEqual({ isError: false, text: '{"success":true}' })
  expect((await onAirOf(world, ann)).action).toBe('stopped')
  expect((await call('explain')).text).toContain('Paused')
  expect(await call('broadcasts_play', { broadcast_id })).toMatchObject({ isError: false })
  expect((await onAirOf(world, ann)).action).toBe('active')
})

test('has the tools that the scopes allow, and refuses what they do not', async () => {
  const { token } = await newToken(['broadcasts:read'])
  const { names, call } = await connect(token)
  expect((await names()).toSorted()).toEqual(
    toolsFor(['broadcasts:read'])
      .map(({ name }) => name)
      .toSorted(),
  )
  await expect(call('channels_setStatus', { channel_id: 1, status: true })).rejects.toThrow(/not found|unknown/i)
  const unnamed = await call('broadcasts_status')
  expect(unnamed).toMatchObject({ isError: true })
  expect(unnamed.text).toMatch(/ScopeMissing|project_id/)
  expect(await call('broadcasts_status', { project_id: ann.projectId })).toMatchObject({ isError: false })
  expect((await call('broadcasts_status', { project_id: 'seven' })).isError).toBe(true)
  expect((await call('broadcasts_status', { project_id: 999_999 })).text).toMatch(/\(\w+\)$/)
})

test('names the projects when there are several', async () => {
  const bob = await world.user('Bob')
  await world.join(bob, ann.projectId, 2)
  const { token } = (await world.api(apiTokens.create, { name: 'MCP', scopes: [...all] }, { as: bob })).body
  const { call } = await connect(token)
  const answer = await call('broadcasts_status')
  expect(answer.isError).toBe(true)
  for (const id of [ann.projectId, bob.projectId]) expect(answer.text).toContain(String(id))
})

test('no read shows a key', async () => {
  const secrets = [someKey]
  const project_id = ann.projectId
  const own = await world.api(streamKeys.get, { project_id }, { as: ann })
  const chat = await world.api(keys.add, { project_id, name: 'OBS' }, { as: ann })
  secrets.push(...stringsOf(own.body).filter((one) => /^[\w-]{16,}$/.test(one)))
  secrets.push(...stringsOf(chat.body).filter((one) => /^[\w-]{16,}$/.test(one)))
  expect(secrets.length).toBeGreaterThan(2)
  const { token } = await newToken(all)
  const { client, call } = await connect(token)
  const { broadcast_id } = await onAirOf(world, ann)
  const { tools } = await client.listTools()
  const answers: string[] = []
  for (const { name, annotations, inputSchema } of tools) {
    if (!annotations?.readOnlyHint) continue
    const fields = Object.keys(inputSchema.properties ?? {})
    const some = { project_id, broadcast_id, channel_id: twitch }
    const args = Object.fromEntries(Object.entries(some).filter(([field]) => fields.includes(field)))
    answers.push((await call(name, args)).text)
  }
  expect(answers.length).toBeGreaterThan(20)
  for (const secret of secrets) expect(answers.join('\n')).not.toContain(secret)
  expect(answers.join('\n')).not.toContain(token)
})

const stringsOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(stringsOf)
      : []

test('says what is wrong with a revoked token and an unreachable service, and keeps running', async () => {
  const { token, id } = await newToken(all)
  const { call } = await connect(token)
  await world.api(apiTokens.revoke, { token_id: id }, { as: ann })
  expect((await call('broadcasts_status', { project_id: ann.projectId })).text).toContain('(Unauthorized)')
  const away = await connect(token, { RELAYDECK_URL: 'http://127.0.0.1:1' })
  expect(await away.call('broadcasts_status', { project_id: 1 })).toMatchObject({
    isError: true,
    text: expect.stringContaining('unreachable'),
  })
})

test.each([
  [{}, 'RELAYDECK_URL'],
  [{ RELAYDECK_URL: 'live.example.com' }, 'RELAYDECK_URL'],
  [{ RELAYDECK_URL: 'https://live.example.com' }, 'RELAYDECK_TOKEN'],
  [
    { RELAYDECK_URL: 'https://live.example.com', RELAYDECK_TOKEN: 'rdk_', RELAYDECK_LANGUAGE: 'de' },
    'RELAYDECK_LANGUAGE',
  ],
  [{ RELAYDECK_URL: 'https://live.example.com', RELAYDECK_MCP_LISTEN: '8085' }, 'RELAYDECK_MCP_LISTEN'],
  [{ RELAYDECK_URL: 'https://live.example.com', RELAYDECK_MCP_LISTEN: '127.0.0.1:8085' }, 'RELAYDECK_MCP_URL'],
])('does not start with wrong settings: %o', async (env, named) => {
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = await Promise.all(
    [child.stdout, child.stderr].map(async (stream) => (await stream.toArray()).join('')),
  )
  const code = child.exitCode ?? (await new Promise((done) => child.once('exit', done)))
  expect([code, output[0]]).toEqual([2, ''])
  expect(output[1]).toContain(named)
})

test('serves HTTP where it listens, and says so', async () => {
  const env = { RELAYDECK_URL: url, RELAYDECK_MCP_LISTEN: '127.0.0.1:0', RELAYDECK_MCP_URL: 'http://localhost/mcp' }
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill())
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const port = /MCP at http:\/\/localhost\/mcp, on 127\.0\.0\.1:(\d+)/.exec(line.toString())?.[1]
  const { token } = await newToken(all)
  const client = new Client({ name: 'test', version: '1' })
  const headers = { authorization: `Bearer ${token}` }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), { requestInit: { headers } }),
  )
  onTestFinished(() => client.close())
  const said = await client.callTool({ name: 'explain', arguments: {} })
  expect(said).toMatchObject({ content: [{ text: expect.stringContaining('On air') }] })
})
