// Two replicas at one database, with clocks five minutes apart and a connection of the same node each, act like one.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { platforms } from '#contract/areas/channels/platforms.ts'
import { movableClock } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { createReaderStore } from '#server/app/live/chat-readers.ts'
import { someConnection } from '#server/app/testing/node-socket.ts'
import { admitEncoder } from '#server/domain/broadcasts/broadcasts.ts'
import { listTargets } from '#server/domain/broadcasts/live-targets-store.ts'
import { targetEndJob, targetJob } from '#server/domain/broadcasts/live-targets.ts'
import { endLost } from '#server/domain/broadcasts/lost-nodes.ts'
import { readStreamKey } from '#server/domain/ingest/stream-keys.ts'
import { renewTokens } from '#server/domain/platforms/account-tokens.ts'
import { findAccount } from '#server/domain/platforms/accounts-store.ts'
import { eventually } from '#server/testing/eventually.ts'
import { runJobs } from '#server/testing/jobs.ts'
import { ageLease } from '#server/testing/nodes.ts'
import { onAirOf, someNodeOf } from '#server/testing/on-air.ts'
import { connect, registeredAt } from '#server/testing/providers/connected.ts'
import { type PlatformDouble, platformDouble } from '#server/testing/providers/double.ts'
import { twitchDouble } from '#server/testing/providers/platforms.ts'
import { vkDouble } from '#server/testing/providers/platforms-vk.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'
import { startReconciler } from './reconciler.ts'

let double: PlatformDouble
let world: World
let ann: Person
/** Services of both replicas. */
let replicas: readonly [Services, Services]
beforeEach(async () => {
  double = await platformDouble([vkDouble, twitchDouble])
  double.tokens.add('access-1').add('access-2')
  world = await testApp(registeredAt(double.base))
  ann = await world.user()
  const ahead = movableClock(new Date(world.clock.now().getTime() + 300_000))
  replicas = [world.services, { ...world.services, clock: ahead }]
})
afterEach(async () => {
  await world.close()
  await double.close()
  double.check()
})

const calls = (part: string) => double.calls.filter((call) => call.includes(part)).length

/** Starts a reconciler in each replica, with a connection of the node that has Ann's project. */
function reconcileTwice() {
  const each = replicas.map((services) => {
    const { connection } = someConnection(new Map([[ann.projectId, 1]]))
    const reconciler = startReconciler(services, {
      connections: new Set([connection]),
      signals: {
        subscribe: (channel, listener) => world.app.signals.subscribe(channel, listener),
        onConnection: () => undefined,
      },
      publisher: { before: async () => {}, publish() {}, sample() {}, publishKnown() {}, forget() {}, close() {} },
      lostNodes: { end: async () => [], fail: () => undefined },
      announce: () => undefined,
      tidyMs: 20,
    })
    return { connection, reconciler }
  })
  for (const { connection, reconciler } of each) reconciler.reconcile(connection, ann.projectId)
  return () => Promise.all(each.map(({ reconciler }) => reconciler.end()))
}

test('two connections of one node begin and end one broadcast at the platform', async () => {
  await connect(world, ann, 'vk')
  const { results } = (await world.api(platforms.accounts, {}, { as: ann })).body
  const input = { project_id: ann.projectId, account_id: String(results[0]?.id), channel_id: '-321' }
  const { channel_id } = (await world.api(addChannel.vk, input, { as: ann })).body
  await world.api(channels.setStatus, { channel_id, status: true }, { as: ann })
  const node = someNodeOf(world)
  await node.begin(ann.projectId)
  const { broadcast_id } = await onAirOf(world, ann)
  const end = reconcileTwice()
  const states = async () => (await listTargets(world.app.db, [broadcast_id])).map(({ state }) => state)
  const runBoth = () => Promise.all(replicas.map((services) => runJobs(services, [targetJob, targetEndJob])))
  await eventually(async () => {
    await runBoth()
    return (await states())[0] === 'ready'
  })
  // The address of the platform changes the desired state: both read it again.
  await world.api(channels.setStatus, { channel_id, status: false }, { as: ann })
  await world.api(channels.setStatus, { channel_id, status: true }, { as: ann })
  await runBoth()
  await end()
  await runBoth()
  expect(calls('video.startStreaming')).toBe(1)
  await node.end(ann.projectId)
  await runBoth()
  expect([await states(), calls('video.stopStreaming')]).toEqual([['ended'], 1])
})

test('a project and a chat stay with their owners, whose leases end by the clock of the database', async () => {
  const { key } = await readStreamKey(world.services, ann.projectId)
  const knock = (services: Services, node: string) => admitEncoder(services, { key, address: '192.0.2.1', node })
  const [here, ahead] = replicas
  expect(await knock(here, 'one')).toMatchObject({ epoch: 1 })
  await someNodeOf(world, 'one').begin(ann.projectId)
  expect(await knock(ahead, 'two')).toMatchObject({ reason: 'conflict' })
  expect(await endLost(ahead)).toEqual([])
  await ageLease(world, ann.projectId, 25_000)
  expect(await knock(ahead, 'two')).toMatchObject({ epoch: 2, from: { node: 'one', epoch: 1 } })
  expect(await knock(here, 'one')).toMatchObject({ reason: 'conflict' })

  const place = {
    source: 'twitch:@a',
    platform: 'twitch',
    externalId: '',
    page: '',
    accountId: null,
    videoId: null,
  } as const
  expect(await createReaderStore(here).claim(place, 'one')).toMatchObject({ epoch: 1 })
  expect(await createReaderStore(ahead).claim(place, 'two')).toBeNull()
})

test('both replicas renew the tokens of an account at the same time, by one call to the platform', async () => {
  await connect(world, ann, 'twitch')
  const { results } = (await world.api(platforms.accounts, {}, { as: ann })).body
  const account = await findAccount(world.app.db, results[0]?.id ?? 0)
  if (!account) throw new Error('No account')
  double.calls.length = 0
  const renewed = await Promise.all(replicas.map((services) => renewTokens(services, account)))
  expect(calls('oauth2/token')).toBe(1)
  expect(renewed[0]?.tokens_sealed).toBe(renewed[1]?.tokens_sealed)
  expect(await findAccount(world.app.db, account.id)).toMatchObject({ status: 1 })
  // A read before the renewal is a read of used tokens: they are not sent again.
  expect((await renewTokens(replicas[1], account)).tokens_sealed).toBe(renewed[0]?.tokens_sealed)
  expect(calls('oauth2/token')).toBe(1)
})
