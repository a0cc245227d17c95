// Plants platforms into a copy of the repository: one by key in one file, one with accounts, settings and chat in four.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const mark = `export const mark = { letters: 'Ke', ground: '#004080', ink: '#ffffff' } as const satisfies Mark\n`
const shapes = (names: string) => `import type { ${names} } from '#contract/platforms/facts.ts'\n`

const keyed = {
  'contract/platforms/keyed/facts.ts': `${shapes('Facts, Mark, Servers')}
export const facts = { id: 900, title: 'Keyed', url: 'https://keyed.example', kind: 'key' } as const satisfies Facts
${mark}
export const servers = {
  addresses: [{ title: 'RTMP', url: 'rtmp://in.keyed.example/live' }],
  hosts: ['keyed.example'],
} as const satisfies Servers
`,
}

const stage = {
  'contract/platforms/stage/facts.ts': `${shapes('ChatFacts, Facts, Mark, Servers')}
export const facts = {
  id: 901,
  title: 'Stage',
  url: 'https://stage.example',
  kind: 'account',
  can: ['read_chat', 'viewers'],
  settings: true,
  accounts: { stage: { title: 'Stage', oauth: 'twitch' } },
} as const satisfies Facts
${mark}
export const servers = { addresses: [], hosts: ['stage.example'] } as const satisfies Servers
export const chat = {
  read: 'account',
  send: null,
  reply: false,
  remove: null,
  restrict: null,
  textMax: 200,
  rate: { messages: 1, seconds: 1 },
  popout: null,
  images: ['stage.example'],
} as const satisfies ChatFacts
`,
  'contract/platforms/stage/form.ts': `import * as z from 'zod/mini'
import { type Form, text } from '#contract/platforms/fields.ts'

export const form = {
  operation: 'setStage',
  label: 'stage',
  fields: z.object({ title: text(70), latency: z.optional(z.enum(['low', 'normal'])) }),
} as const satisfies Form
`,
  'server/platforms/stage/platform.ts': `import * as z from 'zod/mini'
import type { PlatformAdapter } from '#server/core/platform-adapter.ts'

const base = 'https://api.stage.example'
const Me = z.object({ id: z.string(), name: z.string() })

export const stage: PlatformAdapter = {
  account: 'stage',
  provider: 'twitch',
  single: true,
  scopes: [],
  headers: (token) => ({ authorization: \`Bearer \${token}\` }),
  identify: async (api) => ({ ...(await api.call({ url: \`\${base}/me\` }, Me)), avatar: '' }),
  channels: async (api) => {
    const { id, name } = await api.call({ url: \`\${base}/me\` }, Me)
    return [{ id, name, photo: '', members: 0, url: \`https://stage.example/\${id}\` }]
  },
  ingest: async () => ({ url: 'rtmp://in.stage.example/live', key: 'stage-key' }),
  describe: async (api, id, { title }) => {
    await api.call({ url: \`\${base}/title\`, json: { id, title } }, z.object({}))
  },
  audience: {
    many: {
      max: 10,
      idOf: ({ externalId }) => externalId,
      ask: async (api, ids) => {
        const answer = z.record(z.string(), z.int())
        const counts = await api.call({ url: \`\${base}/viewers\`, query: { id: ids } }, answer)
        return new Map(Object.entries(counts).map(([id, viewers]) => [id, { viewers }]))
      },
    },
  },
}
`,
  'server/platforms/stage/chat.ts': `import type { ChatSource } from '#server/chat/port.ts'

export const chat: ChatSource = {
  async *open({ place }) {
    yield { is: 'state', state: 'reading' }
    yield { is: 'deleted', id: place.externalId }
  },
}
`,
}

/** Runs in the copy: prints what the service and the forms know about the platforms. */
const check = `
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { platforms } from '#contract/areas/channels/platforms.ts'
import { settings } from '#contract/areas/channels/settings.ts'
import { askForViewers } from '#server/domain/broadcasts/live-viewers.ts'
import { abilitiesOf } from '#server/domain/chat/capabilities-table.ts'
import { chatSources } from '#server/platforms/chats.gen.ts'
import { settledState } from '#server/testing/desired.ts'
import { onAirOf, someNodeOf } from '#server/testing/on-air.ts'
import { connect, registeredAt } from '#server/testing/providers/connected.ts'
import { platformDouble, tokenAfter } from '#server/testing/providers/double.ts'
import { twitchDouble } from '#server/testing/providers/platforms.ts'
import { testApp } from '#server/testing/test-app.ts'
import { wayOf } from '#src/areas/channels/add-ways.ts'
import { fieldsOf } from '#src/areas/channels/detail/stream-fields.ts'

const titles = []
const stage = {
  ...twitchDouble,
  tokenOf: tokenAfter('Bearer'),
  routes: {
    ...twitchDouble.routes,
    'GET api.stage.example/me': { answer: () => ({ id: '55', name: 'Ann on stage' }) },
    'POST api.stage.example/title': { body: ['title'], answer: ({ body }) => (titles.push(body.title), {}) },
    'GET api.stage.example/viewers': { query: ['id'], answer: ({ query }) => ({ [query.get('id')]: 34 }) },
  },
}
const double = await platformDouble([stage])
double.tokens.add('access-1')
const world = await testApp(registeredAt(double.base))
const ann = await world.user()
const as = { as: ann }
const project = { project_id: ann.projectId }
const { results } = (await world.api(platforms.list, {}, as)).body
const listed = results.filter(({ type }) => ['keyed', 'stage'].includes(type))

const draft = { name: 'Mine', address: 'rtmp://in.keyed.example/live', key: 'k-1', page: '' }
const way = wayOf('keyed')
const byKey = (await world.api(way.op, { ...project, ...way.inputOf(draft) }, as)).body
const connected = (await connect(world, ann, 'stage')).body
await world.api(channels.setStatus, { channel_id: connected.channel_id, status: true }, as)
const options = { ...project, channel_id: connected.channel_id, title: 'Opening night', latency: 'low' }
const saved = (await world.api(settings.setStage, options, as)).status
const node = someNodeOf(world)
await node.begin(ann.projectId)
const desired = (await settledState(world.services, ann.projectId)).destinations
for (const id of [byKey.channel_id, connected.channel_id]) await node.channel(ann.projectId, id, 'live')
await askForViewers(world.services)
const { restreams } = await onAirOf(world, ann)
const source = await chatSources.stage()
const events = []
for await (const event of source.open({ place: { externalId: '55' } }, null)) events.push(event.is)
const grant = { account: 'works', scopes: [], page: null, bot: false, setup: true, plan: true }
console.log(JSON.stringify({
  listed: listed.map(({ type, title, own_url, oauth, ingests }) => ({ type, title, own_url, oauth, ingests: ingests.length })),
  fields: fieldsOf('stage').map(({ name, kind }) => [name, kind]),
  saved,
  titles,
  desired: desired.map(({ target }) => target.host),
  restreams: restreams.map(({ state, viewers, name }) => ({ state, viewers, name })),
  events,
  chat: abilitiesOf('stage', grant).read,
}))
await world.close()
await double.close()
`

const folder = mkdtempSync(join(tmpdir(), 'relaydeck-platforms-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function run(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(stdout + stderr)
  return stdout
}

test('a platform by key is one file, one with accounts, settings and chat is four', { timeout: 300_000 }, () => {
  expect([Object.keys(keyed).length, Object.keys(stage).length]).toEqual([1, 4])
  const isProduct = (path: string) => !/\.test\.tsx?$|previous-release|\.tsbuildinfo$/.test(path)
  for (const path of ['contract', 'integrations', 'locales', 'server', 'src', 'scripts', 'handbook', 'deploy'])
    cpSync(path, join(folder, path), { recursive: true, filter: isProduct })
  for (const path of ['package.json', 'CHANGELOG.md', 'tsconfig.base.json']) cpSync(path, join(folder, path))
  cpSync('docs', join(folder, 'docs'), { recursive: true, filter: (path) => !path.includes('screenshots') })
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'), 'junction')
  for (const [path, text] of Object.entries({ ...keyed, ...stage, 'check.ts': check })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  run('scripts/house/registries.ts')
  run(resolve('node_modules/typescript/bin/tsc'), '-p', 'contract', '--noEmit')
  const known = JSON.parse(run('check.ts').trim().split('\n').at(-1) ?? '') as unknown
  expect(known).toEqual({
    listed: [
      { type: 'keyed', title: 'Keyed', own_url: 0, oauth: 0, ingests: 1 },
      { type: 'stage', title: 'Stage', own_url: 1, oauth: 1, ingests: 0 },
    ],
    fields: [
      ['title', 'line'],
      ['latency', 'choice'],
    ],
    saved: 201,
    titles: ['Opening night'],
    desired: ['in.keyed.example', 'in.stage.example'],
    restreams: [
      { state: 'live', viewers: null, name: 'Mine' },
      { state: 'live', viewers: 34, name: 'Ann on stage' },
    ],
    events: ['state', 'deleted'],
    chat: true,
  })
})
