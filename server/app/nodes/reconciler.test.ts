// Messages to a node after changes of a project, with and without the signals of commits.
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readStreamKey } from '#server/domain/ingest/stream-keys.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { settings } from '#contract/areas/channels/settings.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import type { DesiredState } from '#contract/relay/desired-state.ts'
import type { FromService } from '#contract/relay/from-service.ts'
import { inputs, marksChannel } from '#server/db/marks.ts'
import { readDesired } from '#server/domain/broadcasts/desired.ts'
import { setPaused } from '#server/domain/broadcasts/broadcasts.ts'
import { stopBroadcast } from '#server/domain/broadcasts/stops.ts'
import { findOnAir } from '#server/domain/broadcasts/store.ts'
import { newChannel, upgrade } from '#server/testing/channels.ts'
import { eventually } from '#server/testing/eventually.ts'
import { someNodeOf } from '#server/testing/on-air.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'
import { cutLine, cutWhile } from '#server/testing/cut-line.ts'
import type { Signals } from '#server/db/signals.ts'
import { someConnection } from '#server/app/testing/node-socket.ts'
import type { NodeConnection } from './node-connection.ts'
import { type Reconciler, startReconciler } from './reconciler.ts'

let world: World
let ann: Person
let reconciler: Reconciler
let sent: FromService[]
let connection: NodeConnection
let signal: (payload: string) => void
let reconnect: (isConnected: boolean) => void

/** Starts a reconciler with one node that has Ann's project. @param isDeaf signals of commits are lost */
function reconcileAt(isDeaf: boolean, tidyMs = 50, signals?: Signals): void {
  ;({ connection, sent } = someConnection(new Map([[ann.projectId, 1]])))
  reconciler = startReconciler(world.services, {
    connections: new Set([connection]),
    signals: signals ?? {
      subscribe: (_, listener) => void (signal = isDeaf ? () => undefined : listener),
      onConnection: (listener) => void (reconnect = listener),
    },
    publisher: {
      before: async () => {},
      publish: () => undefined,
      sample() {},
      publishKnown() {},
      forget() {},
      close() {},
    },
    lostNodes: { end: async () => [], fail: () => undefined },
    announce: () => undefined,
    tidyMs,
  })
}

beforeEach(async () => {
  world = await testApp()
  ann = await world.user()
  await upgrade(world, ann, 3)
  // An encoder has a key before it is on air: a new key ends the broadcast.
  await readStreamKey(world.services, ann.projectId)
  await someNodeOf(world, 'node').begin(ann.projectId)
  signal = () => undefined
  world.app.signals.subscribe(marksChannel, (payload) => signal(payload))
})
afterEach(async () => {
  await reconciler.end()
  await world.close()
})

const lastDesired = (): DesiredState | undefined => {
  const desired = sent.findLast(({ type }) => type === 'desired')
  if (!desired) return undefined
  const { type: _type, projectId: _projectId, ...state } = desired as FromService & { type: 'desired' }
  return state
}
const fresh = async () => (await readDesired(world.services, ann.projectId, connection.features)).state
const reached = async () => {
  const state = JSON.stringify(await fresh())
  await eventually(() => JSON.stringify(lastDesired()) === state)
}

/** Changes that users make, by the operations of the API. */
const changes: readonly ((channelId: number, value: number) => Promise<unknown>)[] = [
  (channel_id, value) => world.api(channels.setStatus, { channel_id, status: value % 2 === 0 }, { as: ann }),
  (channel_id, value) =>
    world.api(
      settings.setRtmp,
      { channel_id, project_id: ann.projectId, url: `rtmp://example.com/live${value}`, stream_key: `key-${value}` },
      { as: ann },
    ),
  (_, value) => world.api(streamKeys.setWait, { project_id: ann.projectId, wait_minutes: value % 2 }, { as: ann }),
  async (_, value) => {
    const onAir = await findOnAir(world.app.db, ann.projectId)
    return onAir && setPaused(world.services, onAir, value % 2 === 0)
  },
]

test.each([false, true])('sends what a fresh read gives after any change; signals are lost: %s', async (isDeaf) => {
  const ids = [await newChannel(world, ann, { name: 'One' }), await newChannel(world, ann, { name: 'Two' })]
  reconcileAt(isDeaf)
  reconciler.reconcile(connection, ann.projectId)
  await reached()
  const step = fc.tuple(fc.nat(changes.length - 1), fc.nat(1), fc.nat(5))
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      for (const [which, channel, value] of steps) await changes[which]?.(ids[channel] ?? 0, value)
      await reached()
    }),
    { numRuns: isDeaf ? 5 : 15 },
  )
  expect(lastDesired()).toEqual(await fresh())
})

test('reads the projects of its nodes when the connection of signals is back', async () => {
  reconcileAt(true, 60_000)
  reconciler.reconcile(connection, ann.projectId)
  await reached()
  await world.api(streamKeys.setWait, { project_id: ann.projectId, wait_minutes: 0 }, { as: ann })
  reconnect(true)
  await reached()
  expect(lastDesired()?.waitMs).toBe(0)
})

test.skipIf(!process.env['DATABASE_URL'])(
  'sends the last state after the server ended the connection of signals again and again',
  async () => {
    const { line, cut } = await cutLine(world.app.db)
    reconcileAt(false, 60_000, line)
    line.open(() => undefined)
    const input = { project_id: ann.projectId }
    const cuts = await cutWhile(cut, async () => {
      for (let at = 0; at < 40; at++)
        await world.api(streamKeys.setWait, { ...input, wait_minutes: [0, 1, 2, 5][at % 4] ?? 0 }, { as: ann })
    })
    expect(cuts).toBeGreaterThan(0)
    await reached()
    expect(lastDesired()).toEqual(await fresh())
    await line.close()
  },
)

test('stops the broadcast at the node when a user stopped it', async () => {
  reconcileAt(false)
  const onAir = await findOnAir(world.app.db, ann.projectId)
  if (onAir) await stopBroadcast(world.services, onAir, ann.id)
  await eventually(() => sent.some(({ type }) => type === 'stop'))
  expect(sent.findLast(({ type }) => type === 'stop')).toMatchObject({ projectId: ann.projectId, hold: true })
})

test('sends nothing for a change of another project, or of what the node does not need', async () => {
  reconcileAt(false)
  reconciler.reconcile(connection, ann.projectId)
  await reached()
  const count = sent.length
  const ben = await world.user('Ben')
  await newChannel(world, ben)
  await world.app.db.updateTable('channels').set({ name: 'Renamed' }).execute()
  await reconciler.end()
  expect(sent).toHaveLength(count)
})

/** Tables that the desired state reads and no trigger counts, each with the reason. */
const notInputs: Readonly<Record<string, string>> = {
  account: 'alias of platform_accounts',
  channel_platforms: 'names of platforms, for pages',
  guests: 'alias of project_channels, for the number of guests',
  link: 'alias of project_channels',
  platform_accounts: 'names of accounts, for pages; the account of a channel is a column of channels',
  projects: 'suspension, which marks the broadcast on air as held',
  there: 'alias of project_channels, for the number of guests',
}

test('counts the changes of every table that the desired state reads', async () => {
  reconcileAt(false)
  await newChannel(world, ann)
  const read = new Set<string>()
  const { db } = world.services
  const watching = db.withPlugin({
    transformQuery: ({ node }) => {
      for (const [, table] of JSON.stringify(node).matchAll(
        /"kind":"SchemableIdentifierNode","identifier":\{"kind":"IdentifierNode","name":"(\w+)"/g,
      ))
        read.add(table ?? '')
      return node
    },
    transformResult: async ({ result }) => result,
  })
  world.services.caches.drop()
  await readDesired({ ...world.services, db: watching }, ann.projectId, connection.features)
  expect(read.size).toBeGreaterThan(6)
  expect([...read].filter((table) => !(table in inputs) && !(table in notInputs))).toEqual([])
})
