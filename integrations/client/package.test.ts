// The tarball of `@relaydeck/client`: its content and size, a program that type-checks with it, and the examples of its README.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { beforeAll, expect, test } from 'vitest'
import { apiTokens } from '#contract/areas/account/api-tokens.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { bin } from '#scripts/house/step.ts'
import { pack } from '#scripts/integrations/pack.ts'
import { newChannel } from '#server/testing/channels.ts'
import { oauthScene } from '#server/testing/oauth-app.ts'
import { beginBroadcast, someNodeOf } from '#server/testing/on-air.ts'

const run = promisify(execFile)
/** Largest size of the client, minified and compressed, bytes. */
const sizeMax = 15_000

const scene = oauthScene()
/** Folder of a program that has installed the tarball. */
let program: string

beforeAll(async () => {
  program = mkdtempSync(join(tmpdir(), 'relaydeck-program-'))
  const installed = join(program, 'node_modules/@relaydeck/client')
  mkdirSync(installed, { recursive: true })
  const tarball = await pack('client', program)
  await run('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1'])
  symlinkSync(resolve('node_modules/centrifuge'), join(program, 'node_modules/centrifuge'))
  writeFileSync(join(program, 'package.json'), '{ "type": "module" }')
})

const installedFile = (name: string) => readFileSync(join(program, 'node_modules/@relaydeck/client', name), 'utf8')

test('holds one module, its declarations, manual and licence, with exact dependencies', () => {
  const files = readdirSync(join(program, 'node_modules/@relaydeck/client'))
  expect(files.filter((name) => !name.endsWith('.d.ts')).toSorted()).toEqual([
    'LICENSE',
    'README.md',
    'main.js',
    'package.json',
  ])
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(JSON.parse(installedFile('package.json')).dependencies).toEqual({ centrifuge: dependencies.centrifuge })
  expect(installedFile('main.js').match(/from\s*["'][^"']+["']/g)).toEqual(['from "centrifuge"'])
  for (const name of files.filter((each) => each.endsWith('.d.ts')))
    expect(installedFile(name), name).not.toMatch(/#contract|zod|\.ts["']/)
})

test('is smaller than 15 KB, minified and compressed', async () => {
  const entry = join(program, 'everything.js')
  writeFileSync(entry, `import * as client from '@relaydeck/client'\nglobalThis.client = client\n`)
  const built = await build({
    root: program,
    configFile: false,
    logLevel: 'warn',
    build: { write: false, minify: true, rolldownOptions: { input: entry, external: ['centrifuge'] } },
  })
  const [chunk] = 'output' in built ? built.output : []
  const code = chunk?.type === 'chunk' ? chunk.code : ''
  expect(code).toContain('broadcasts.broadcasts.status')
  const size = gzipSync(code, { level: 9 }).length
  expect(size).toBeGreaterThan(2_000)
  expect(size).toBeLessThan(sizeMax)
})

const consumer = `
import { type CallError, createClient, type Input, type Output, type Realtime, unwrap } from '@relaydeck/client'

const client = createClient({ url: 'https://live.example.com', token: 'rdk_' })
const status: Output<'broadcasts.broadcasts.status'> = unwrap(
  await client.call('broadcasts.broadcasts.status', { project_id: 7 }),
)
if (status.kind === 'live') {
  const action: 'active' | 'stopped' = status.action
  void action
  // @ts-expect-error a status has no such field
  void status.nothing
}
// @ts-expect-error no such operation
void client.call('broadcasts.broadcasts.nothing', {})
// @ts-expect-error an obligatory field is missing
void client.call('broadcasts.broadcasts.status', {})
// @ts-expect-error a field with another type
void client.call('channels.channels.setStatus', { channel_id: '1', status: true })
void client.call('channels.channels.setStatus', { channel_id: 1, status: true, project_id: undefined })
const input: Input<'channels.channels.bulkStatus'> = { project_id: 1, channel_ids: [1], status: false }
const result = await client.call('channels.channels.bulkStatus', input)
// @ts-expect-error data is there after a look at \`ok\` only
void result.data
if (!result.ok && result.error.kind === 'refused') {
  const error: CallError = result.error
  const scope: unknown = result.error.data['scope']
  void [error, scope, result.error.name === 'ScopeMissing']
}
const live: Realtime = client.realtime(7)
live.subscribe('project_live', 7, {
  data: (publication) => {
    if (publication.event === 'live-status') void publication.payload.kind
    // @ts-expect-error publications of another channel
    if (publication.event === 'stream-start') void 0
  },
})
`

test('a strict program compiles with its types, without types of Node and of the schema library', async () => {
  writeFileSync(join(program, 'consumer.ts'), consumer)
  const strict = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    types: [],
    lib: ['es2024', 'dom', 'dom.iterable'],
    module: 'nodenext',
    target: 'es2024',
    // The declarations of centrifuge want types of its own dependencies.
    skipLibCheck: false,
  }
  writeFileSync(join(program, 'tsconfig.json'), JSON.stringify({ compilerOptions: strict, files: ['consumer.ts'] }))
  const tsc = [resolve(bin('typescript', 'tsc')), '-p', program, '--pretty', 'false']
  const { stdout } = await run(process.execPath, tsc).catch((error: { stdout: string }) => error)
  expect(stdout.split('\n').filter((line) => /consumer\.ts|relaydeck/.test(line))).toEqual([])
})

test('the examples of its manual run', async () => {
  const { world, ann, base: url } = scene
  const scopes = ['project:read', 'channels:read', 'broadcasts:read', 'control'] as const
  const { token } = (await world.api(apiTokens.create, { name: 'Examples', scopes: [...scopes] }, { as: ann })).body
  const [good, bad] = [await newChannel(world, ann, { name: 'Good' }), await newChannel(world, ann, { name: 'Bad' })]
  for (const channel_id of [good, bad]) await world.api(channels.setStatus, { channel_id, status: false }, { as: ann })
  const app = await scene.register({ scopes: ['project:read', 'broadcasts:read'] })
  const { tokens } = await scene.connect(app, 'offline_access broadcasts:read')
  const kept = { accessToken: tokens.access_token, refreshToken: tokens.refresh_token, expiresAt: 0 }
  const file = join(program, 'tokens.json')
  writeFileSync(file, JSON.stringify(kept))
  const env = {
    ...process.env,
    RELAYDECK_URL: url,
    RELAYDECK_TOKEN: token,
    CLIENT_ID: app.client_id,
    TOKENS_FILE: file,
  }

  const examples = [...readFileSync('integrations/client/README.md', 'utf8').matchAll(/```js\n(.*?)```/gs)]
  const outputOf = async (at: number) => {
    const script = join(program, `example-${at}.js`)
    writeFileSync(script, examples[at]?.[1] ?? 'throw new Error("missing")')
    return (await run(process.execPath, [script], { env })).stdout.trim().split('\n')
  }
  expect(examples).toHaveLength(5)
  expect(await outputOf(0)).toEqual([expect.stringMatching(/^\S.* off air$/)])
  expect((await outputOf(0)).join()).not.toContain('undefined')
  expect((await outputOf(1)).toSorted()).toEqual(['Bad is on', 'Good is on'])
  const node = someNodeOf(world)
  await beginBroadcast(world, ann, node)
  await node.channel(ann.projectId, good, 'live')
  await node.channel(ann.projectId, bad, 'rejected', { reason: 'publish-rejected' })
  const [followed, [retried], [granted]] = await Promise.all([outputOf(2), outputOf(3), outputOf(4)])
  expect(followed).toEqual([
    'connection: connected',
    expect.stringMatching(/^\w+ .*channels_some/),
    'connection: closed',
  ])
  expect(retried).toBe('Bad (publish-rejected) connects again')
  expect(granted).toBe('may broadcasts:read')
  expect(JSON.parse(readFileSync(file, 'utf8')).refreshToken).not.toBe(kept.refreshToken)
})
