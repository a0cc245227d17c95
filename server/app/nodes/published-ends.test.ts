// Ends of broadcasts whose beginning another replica published, and nodes that move between replicas.
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import type { Services } from '#server/core/context.ts'
import { watchLostNodes } from '#server/domain/broadcasts/lost-nodes.ts'
import { createLivePublisher } from '#server/app/live/live-publisher.ts'
import { nodeWorld, openNode } from '#server/app/testing/node-socket.ts'
import { eventually } from '#server/testing/eventually.ts'
import { ageLease } from '#server/testing/nodes.ts'
import { onAirOf, someNodeOf } from '#server/testing/on-air.ts'
import type { Person, World } from '#server/testing/test-app.ts'
import { startReconciler } from './reconciler.ts'

let world: World
let url: string
let ann: Person
beforeEach(async () => {
  ;({ world, url } = await nodeWorld())
  ann = await world.user()
})
afterEach(() => world.close())

/** Names of the events that a service publishes to projects and broadcasts from now on. */
function publishedBy({ realtime }: Pick<Services, 'realtime'>): string[] {
  const names: string[] = []
  const spy = vi.spyOn(realtime, 'publish').mockImplementation(({ type }, data) => {
    if ((type === 'project' || type === 'broadcast') && 'event' in data) names.push(data.event)
  })
  onTestFinished(() => spy.mockRestore())
  return names
}

test('a greeting without the project publishes the end of its broadcast', async () => {
  await someNodeOf(world, 'one').begin(ann.projectId)
  const names = publishedBy(world.services)
  const { send, socket } = await openNode(url)
  send({ type: 'hello', version: 2, latest: 3, node: 'one', projects: [], leases: [] })
  await eventually(() => names.includes('broadcast.ended'))
  expect(names).toEqual(['stream-end', 'broadcast.ended'])
  socket.close()
})

test('a replica publishes the end of the broadcast of a lost node', async () => {
  await someNodeOf(world, 'one').begin(ann.projectId)
  await ageLease(world, ann.projectId, 11 * 60_000)
  const names = publishedBy(world.services)
  const publisher = createLivePublisher(world.services)
  let ms = 0
  const reconciler = startReconciler(world.services, {
    connections: new Set(),
    signals: { subscribe: () => undefined, onConnection: () => undefined },
    publisher,
    // A minute passes between two rounds.
    lostNodes: watchLostNodes(world.services, () => (ms += 30_000)),
    announce: () => undefined,
    tidyMs: 20,
  })
  await eventually(() => names.includes('broadcast.ended'))
  expect(names).toEqual(['stream-end', 'broadcast.ended'])
  await reconciler.end()
  publisher.close()
})

test.skipIf(!process.env['DATABASE_URL'])(
  'a replica to which a node returns publishes no change that another one published',
  async () => {
    const far = await world.replica()
    const { url: farUrl } = await far.listen()
    const { key } = (await world.api(streamKeys.get, { project_id: ann.projectId }, { as: ann })).body
    let seq = Date.now() * 1_000
    const tell = (node: Awaited<ReturnType<typeof openNode>>, event: object, epoch: number) => {
      node.send({ type: 'event', seq: ++seq, event: { ...event, projectId: ann.projectId, epoch, at: Date.now() } })
      return eventually(() => node.received.some((message) => (message.seq ?? 0) >= seq))
    }
    const began = { type: 'source-began', encoder: 'Test', address: '192.0.2.1' }
    const hello = (leases: readonly object[]) => ({
      type: 'hello',
      version: 2,
      latest: 3,
      node: 'one',
      projects: [],
      leases,
    })
    const admit = { type: 'admit', request: 1, key, app: 'live', encoder: 'Test', address: '192.0.2.1' }
    const lease = [{ projectId: ann.projectId, epoch: 1, isSending: true }]

    const first = await openNode(url)
    first.send(hello([]))
    first.send(admit)
    await eventually(() => first.count('admitted') === 1)
    await tell(first, began, 1)
    first.socket.close()
    const second = await openNode(farUrl)
    second.send(hello(lease))
    await eventually(() => second.count('welcome') === 1)
    await tell(second, { type: 'ended' }, 1)
    second.send(admit)
    await eventually(() => second.count('admitted') === 1)
    await tell(second, began, 1)
    await eventually(async () => (await onAirOf(world, ann)).broadcast_id === 2)
    second.socket.close()

    const names = publishedBy(world.services)
    const again = await openNode(url)
    again.send(hello(lease))
    await eventually(() => again.count('welcome') === 1)
    await tell(again, { type: 'source-lost', how: 'socket' }, 1)
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(names).toEqual([])
    again.socket.close()
  },
)
