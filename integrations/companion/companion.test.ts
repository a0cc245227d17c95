// The packed module in a double of Companion, against the service.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { InstanceBase } from '@companion-module/base'
import type { InstanceContext } from '@companion-module/base/host-api'
import { validateManifest } from '@companion-module/base/manifest'
import { beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { apiTokens } from '#contract/areas/account/api-tokens.ts'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import type { Scope } from '#contract/core/scopes.ts'
import { pack } from '#scripts/integrations/pack.ts'
import { newChannel } from '#server/testing/channels.ts'
import { eventually } from '#server/testing/eventually.ts'
import { beginBroadcast, onAirOf, someNodeOf } from '#server/testing/on-air.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'
import type { DeckTypes } from './definitions.ts'

type Context = InstanceContext<DeckTypes>
type Module = new (context: unknown) => InstanceBase<DeckTypes>

const all: readonly Scope[] = ['project:read', 'channels:read', 'broadcasts:read', 'control']

let Instance: Module
let folder: string
let world: World
let ann: Person
let url: string
let node: ReturnType<typeof someNodeOf>
let first: number
let second: number
/** Lines of the log of all connections. */
let logged: string[]

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'relaydeck-companion-'))
  await promisify(execFile)('tar', ['-xzf', await pack('companion', folder), '-C', folder, '--strip-components=1'])
  Instance = ((await import(pathToFileURL(join(folder, 'main.js')).href)) as { default: Module }).default
})

beforeEach(async () => {
  logged = []
  const log = (_: unknown, level: string, message: string) => void logged.push(`${level}: ${message}`)
  vi.stubGlobal('COMPANION_LOGGER', log)
  world = await testApp()
  onTestFinished(() => world.close())
  world.clock.set(new Date())
  ann = await world.user()
  url = (await world.app.listen()).url
  node = someNodeOf(world)
  first = await newChannel(world, ann, { name: 'First' })
  second = await newChannel(world, ann, { name: 'Second' })
})

const newToken = async (scopes = all, as = ann) =>
  (await world.api(apiTokens.create, { name: 'Deck', scopes: [...scopes] }, { as })).body

/** A double of Companion with one connection. */
async function companion(token: string, config: Partial<DeckTypes['config']> = {}) {
  const statuses: [status: string, message: string | null][] = []
  const variables: Record<string, unknown> = {}
  const placed: { id: string; options: object; value: boolean }[] = []
  let actions: Parameters<Context['setActionDefinitions']>[0] | undefined
  let feedbacks: Parameters<Context['setFeedbackDefinitions']>[0] | undefined
  let defined: string[] = []
  const check = () => {
    for (const one of placed) {
      const definition = feedbacks?.[one.id as 'on_air']
      if (definition) one.value = (definition.callback as (event: object) => boolean)({ options: one.options })
    }
  }
  const context = {
    _isInstanceContext: true,
    id: 'one',
    label: 'Relaydeck',
    updateStatus: (status: string, message: string | null) => void statuses.push([status, message]),
    setActionDefinitions: (next: typeof actions) => void (actions = next),
    setFeedbackDefinitions: (next: typeof feedbacks) => {
      feedbacks = next
      check()
    },
    setVariableDefinitions: (next: object) => void (defined = Object.keys(next)),
    setVariableValues: (values: object) => {
      expect(defined).toEqual(expect.arrayContaining(Object.keys(values)))
      Object.assign(variables, values)
    },
    checkAllFeedbacks: check,
  } as unknown as Context
  const instance = new Instance(context)
  onTestFinished(async () => {
    await instance.destroy()
    expect([...logged, ...statuses.flat()].join('\n')).not.toContain(token || 'nothing')
  })
  await instance.init({ url, project: 0, ...config }, true, { token })
  return {
    instance,
    statuses,
    variables,
    choices: () => (actions?.channel ? (actions.channel.options[0] as { choices: { id: number }[] }).choices : []),
    place: (id: keyof DeckTypes['feedbacks'], options = {}) => {
      const one = { id, options, value: false }
      placed.push(one)
      check()
      return one
    },
    press: async (id: keyof DeckTypes['actions'], options = {}) => {
      const definition = actions?.[id]
      if (!definition) throw new Error(`There is no action ${id}`)
      await (definition.callback as (event: object) => Promise<void>)({ options })
    },
    ready: () =>
      eventually(() => statuses.at(-1)?.[0] === 'ok' && variables['air'] !== undefined && variables['air'] !== ''),
  }
}

test('has a manifest that Companion accepts, with the versions of module and host', () => {
  const manifest = JSON.parse(readFileSync(join(folder, 'companion/manifest.json'), 'utf8'))
  expect(() => validateManifest(manifest, false)).not.toThrow()
  const { version, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect([manifest.version, manifest.runtime.apiVersion]).toEqual([version, devDependencies['@companion-module/base']])
  const imported = [...readFileSync(join(folder, 'main.js'), 'utf8').matchAll(/^import .*from\s*["'](.+)["']/gm)]
  expect(imported.map(([, name]) => name).filter((name = '') => !isBuiltin(name))).toEqual([])
})

test('a press reaches the feedback of another deck within half a second', async () => {
  const [one, other] = [await companion((await newToken()).token), await companion((await newToken()).token)]
  await Promise.all([one.ready(), other.ready()])
  expect(new Set(one.choices().map(({ id }) => id))).toEqual(new Set([first, second]))
  const [own, remote] = [one, other].map((deck) => deck.place('channel_on', { channel: first }))
  const times: number[] = []
  for (const _ of [1, 2, 3, 4, 5]) {
    const next = !own!.value
    const since = performance.now()
    const pressed = one.press('channel', { channel: first, to: 'toggle' })
    await eventually(() => own!.value === next && remote!.value === next)
    times.push(performance.now() - since)
    await pressed
    const shown = await world.api(channels.get, { project_id: ann.projectId, channel_id: first }, { as: ann })
    expect(shown.body.active).toBe(next)
  }
  // The median: one of five may meet a busy machine.
  expect(times.toSorted((a, b) => a - b)[2]).toBeLessThan(500)
  await one.press('channel', { channel: 999, to: 'on' })
  expect(logged.at(-1)).toContain('999')
})

test('shows what is on air, and pauses, resumes, retries and stops', async () => {
  const deck = await companion((await newToken()).token)
  await deck.ready()
  const onAir = deck.place('on_air')
  const paused = deck.place('paused')
  const failing = deck.place('channel_state', { channel: second, state: 'problem' })
  const warning = deck.place('verdict', { level: 'warning' })
  await deck.press('pause', { to: 'toggle' })
  expect(logged.at(-1)).toBe('warn: Nothing is on air.')
  await beginBroadcast(world, ann, node)
  await node.channel(ann.projectId, first, 'live')
  await node.channel(ann.projectId, second, 'rejected', { reason: 'publish-rejected' })
  // The node is a double, which publishes nothing: a write makes the deck read.
  await deck.press('channel', { channel: first, to: 'on' })
  expect([onAir.value, paused.value, failing.value, warning.value]).toEqual([true, false, true, true])
  expect(deck.variables).toMatchObject({
    air: 'on',
    channels_live: 1,
    verdict: 'warning',
    [`channel_${second}_state`]: 'problem',
  })
  await deck.press('pause', { to: 'toggle' })
  expect([(await onAirOf(world, ann)).action, paused.value]).toEqual(['stopped', true])
  await deck.press('pause', { to: 'resume' })
  expect([(await onAirOf(world, ann)).action, paused.value]).toEqual(['active', false])
  await deck.press('retry', { channel: second })
  const { broadcast_id } = await onAirOf(world, ann)
  await deck.press('stop')
  await node.end(ann.projectId)
  await deck.press('channel', { channel: first, to: 'on' })
  expect([onAir.value, deck.variables['air']]).toEqual([false, 'off'])
  const which = { project_id: ann.projectId, broadcast_id, sort_by_date: 'asc' } as const
  const kinds = (await world.api(broadcasts.events, which, { as: ann })).body.results.map(({ kind }) => kind)
  expect(kinds).toEqual(expect.arrayContaining(['paused', 'resumed', 'stopped']))
})

test('sets the title, and names the channels that do not take it', async () => {
  const deck = await companion((await newToken()).token)
  await deck.ready()
  await deck.press('title', { title: 'Evening show', description: '' })
  const { body } = await world.api(channels.get, { project_id: ann.projectId, channel_id: first }, { as: ann })
  expect(body.streamInfo?.title).toBe('Evening show')
  await deck.press('title', { title: 'x'.repeat(500), description: '' })
  expect(logged.at(-1)).toMatch(/^warn: /)
})

test('is disconnected within a second of the revocation, and no feedback is true', async () => {
  await beginBroadcast(world, ann, node)
  const { token, id } = await newToken()
  const deck = await companion(token)
  await deck.ready()
  const onAir = deck.place('on_air')
  expect(onAir.value).toBe(true)
  const since = performance.now()
  await world.api(apiTokens.revoke, { token_id: id }, { as: ann })
  await eventually(() => deck.statuses.at(-1)?.[0] === 'authentication_failure')
  expect(performance.now() - since).toBeLessThan(1000)
  expect([onAir.value, deck.variables['air']]).toEqual([false, ''])
  await deck.press('pause', { to: 'pause' })
  expect(logged.at(-1)).toContain('warn')
})

test('says what is wrong with its settings, and starts when they are right', async () => {
  const deck = await companion('', { url: 'live.example.com' })
  expect(deck.statuses.at(-1)?.[0]).toBe('bad_config')
  const { token } = await newToken()
  await deck.instance.configUpdated({ url: 'http://127.0.0.1:1', project: 0 }, { token })
  await eventually(() => deck.statuses.at(-1)?.[0] === 'connection_failure')
  await deck.instance.configUpdated({ url, project: 0 }, { token: (await newToken(['broadcasts:read'])).token })
  await eventually(() => deck.statuses.at(-1)?.[0] === 'insufficient_permissions')
  await deck.instance.configUpdated({ url, project: 0 }, { token: `${token.slice(0, -1)}!` })
  await eventually(() => deck.statuses.at(-1)?.[0] === 'authentication_failure')
  const bob = await world.user('Bob')
  await world.join(bob, ann.projectId, 2)
  const many = await newToken(all, bob)
  await deck.instance.configUpdated({ url, project: 0 }, { token: many.token })
  await eventually(() => deck.statuses.at(-1)?.[1]?.includes(String(ann.projectId)))
  await deck.instance.configUpdated({ url, project: ann.projectId }, { token: many.token })
  await deck.ready()
})
