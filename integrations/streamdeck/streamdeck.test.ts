// The packed plugin in a double of Stream Deck, against the service.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { apiTokens } from '#contract/areas/account/api-tokens.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import type { Scope } from '#contract/core/scopes.ts'
import { pack } from '#scripts/integrations/pack.ts'
import { newChannel } from '#server/testing/channels.ts'
import { eventually } from '#server/testing/eventually.ts'
import { beginBroadcast, onAirOf, someNodeOf } from '#server/testing/on-air.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

const all: readonly Scope[] = ['project:read', 'channels:read', 'broadcasts:read', 'control']
const prefix = 'org.relaydeck.streamdeck.'

let folder: string
let world: World
let ann: Person
let url: string
let node: ReturnType<typeof someNodeOf>
let channel: number

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'relaydeck-streamdeck-'))
  await promisify(execFile)('tar', ['-xzf', await pack('streamdeck', folder), '-C', folder, '--strip-components=1'])
})

beforeEach(async () => {
  world = await testApp()
  onTestFinished(() => world.close())
  world.clock.set(new Date())
  ann = await world.user()
  url = (await world.app.listen()).url
  node = someNodeOf(world)
  channel = await newChannel(world, ann, { name: 'Evening' })
})

const newToken = async (scopes = all, as = ann) =>
  (await world.api(apiTokens.create, { name: 'Deck', scopes: [...scopes] }, { as })).body

/** What a key shows. */
interface Shown {
  title: string
  image: string
  state: number
  alerts: number
}

interface Message {
  readonly event: string
  readonly context: string
  readonly payload: {
    readonly title?: string
    readonly image?: string
    readonly state?: number
    readonly trouble?: string | null
  }
}

/** A double of the Stream Deck software with one deck, and the plugin in its process. */
async function streamDeck(settings: object) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  onTestFinished(() => server.close())
  const application = { font: '', language: 'en', platform: 'mac', platformVersion: '14', version: '6.9.0' }
  const device = { id: 'deck', name: 'Deck', size: { columns: 5, rows: 3 }, type: 0 }
  const info = {
    application,
    plugin: { uuid: 'org.relaydeck.streamdeck', version: '0.1.0' },
    devicePixelRatio: 2,
    colors: {},
    devices: [device],
  }
  const args = [
    'main.js',
    '-port',
    String((server.address() as AddressInfo).port),
    '-pluginUUID',
    'plugin',
    '-registerEvent',
    'registerPlugin',
    '-info',
    JSON.stringify(info),
  ]
  const connected = once(server, 'connection') as Promise<[WebSocket]>
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] })
  onTestFinished(() => void child.kill())
  const [socket] = await connected
  const keys = new Map<string, Shown>()
  let global = settings
  const seen: Message[] = []
  const send = (message: object) => socket.send(JSON.stringify(message))
  const sendGlobal = () => send({ event: 'didReceiveGlobalSettings', payload: { settings: global } })
  socket.on('message', (data) => {
    const message = JSON.parse((data as Buffer).toString()) as Message
    seen.push(message)
    const key = keys.get(message.context)
    if (message.event === 'getGlobalSettings') sendGlobal()
    if (message.event === 'setTitle' && key) key.title = message.payload.title ?? ''
    if (message.event === 'setImage' && key) key.image = message.payload.image ?? ''
    if (message.event === 'setState' && key) key.state = message.payload.state ?? 0
    if (message.event === 'showAlert' && key) key.alerts++
  })
  await eventually(() => seen.some(({ event }) => event === 'registerPlugin'))
  const about = (context: string, kind: string) => ({ action: prefix + kind, context, device: 'deck' })
  return {
    seen,
    configure(next: object) {
      global = next
      sendGlobal()
    },
    place(kind: string, own: object = {}) {
      const context = `${kind} ${keys.size}`
      const key: Shown = { title: '', image: '', state: 0, alerts: 0 }
      keys.set(context, key)
      const payload = {
        settings: own,
        coordinates: { column: 0, row: 0 },
        controller: 'Keypad',
        isInMultiAction: false,
        state: 0,
        resources: {},
      }
      send({ event: 'willAppear', ...about(context, kind), payload })
      const press = () => send({ event: 'keyDown', ...about(context, kind), payload })
      return { key, press }
    },
  }
}

test('has a manifest that Stream Deck accepts, and needs no module beside it', () => {
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(manifest.Version).toBe(`${version}.0`)
  const pictures = [
    manifest.Icon,
    manifest.CategoryIcon,
    ...manifest.Actions.flatMap((one: { Icon: string; States: { Image: string }[] }) => [
      one.Icon,
      ...one.States.map(({ Image }) => Image),
    ]),
  ]
  for (const name of pictures)
    expect(
      ['.svg', '.png'].some((end) => existsSync(join(folder, name + end))),
      name,
    ).toBe(true)
  const imported = [...readFileSync(join(folder, 'main.js'), 'utf8').matchAll(/^import .*from\s*["'](.+)["']/gm)]
  expect(imported.map(([, name]) => name).filter((name = '') => !isBuiltin(name))).toEqual([])
})

test('a press reaches another deck within half a second', async () => {
  const decks = await Promise.all([1, 2].map(async () => streamDeck({ url, token: (await newToken()).token })))
  const [own, remote] = decks.map((deck) => deck.place('channel', { channel }))
  await eventually(() => own!.key.title === 'Evening' && remote!.key.title === 'Evening')
  const times: number[] = []
  for (const _ of [1, 2, 3, 4, 5]) {
    const next = own!.key.state === 1 ? 0 : 1
    const since = performance.now()
    own!.press()
    await eventually(() => own!.key.state === next && remote!.key.state === next)
    times.push(performance.now() - since)
    const shown = await world.api(channels.get, { project_id: ann.projectId, channel_id: channel }, { as: ann })
    expect(shown.body.active).toBe(next === 1)
  }
  // The median: one of five may meet a busy machine.
  expect(times.toSorted((a, b) => a - b)[2]).toBeLessThan(500)
})

test('shows what is on air, pauses, resumes and stops', async () => {
  const deck = await streamDeck({ url, token: (await newToken()).token, project: ann.projectId })
  const [pause, stop, health] = ['pause', 'stop', 'health'].map((kind) => deck.place(kind))
  await eventually(() => health!.key.title === 'Off air')
  pause!.press()
  await eventually(() => pause!.key.alerts === 1)
  await beginBroadcast(world, ann, node)
  await node.channel(ann.projectId, channel, 'rejected', { reason: 'publish-rejected' })
  // The node is a double, which publishes nothing: a write makes the deck read.
  deck.place('channel', { channel }).press()
  await eventually(() => health!.key.title === 'Problem' && health!.key.image === 'imgs/problem')
  pause!.press()
  await eventually(async () => pause!.key.title === 'Paused' && (await onAirOf(world, ann)).action === 'stopped')
  pause!.press()
  await eventually(async () => pause!.key.title === 'Pause' && (await onAirOf(world, ann)).action === 'active')
  const { broadcast_id } = await onAirOf(world, ann)
  stop!.press()
  const stoppedBy = async () =>
    (await world.app.db.selectFrom('broadcasts').select('stopped_by').where('id', '=', broadcast_id).executeTakeFirst())
      ?.stopped_by
  await eventually(async () => (await stoppedBy()) === ann.id)
  expect([pause!.key.alerts, stop!.key.alerts]).toEqual([1, 0])
})

test('shows within a second that its token is revoked, and what is wrong with its settings', async () => {
  const { token, id } = await newToken()
  const deck = await streamDeck({ url: 'live.example.com', token })
  const { key, press } = deck.place('health')
  await eventually(() => key.title === 'Set up')
  press()
  deck.configure({ url, token: `${token.slice(0, -1)}!` })
  await eventually(() => key.title === 'Token\nrefused')
  deck.configure({ url, token: (await newToken(['broadcasts:read'])).token })
  await eventually(() => key.title === 'Scope\nmissing')
  deck.configure({ url: 'http://127.0.0.1:1', token })
  await eventually(() => key.title === 'Offline')
  const bob = await world.user('Bob')
  await world.join(bob, ann.projectId, 2)
  deck.configure({ url, token: (await newToken(all, bob)).token })
  await eventually(() => key.title === 'Project?')
  deck.configure({ url, token })
  await eventually(() => key.title === 'Off air')
  const since = performance.now()
  await world.api(apiTokens.revoke, { token_id: id }, { as: ann })
  await eventually(() => key.title === 'Token\nrefused')
  expect(performance.now() - since).toBeLessThan(1000)
  expect(deck.seen.every((message) => !JSON.stringify(message).includes(token))).toBe(true)
})
