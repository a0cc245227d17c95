// Ends of broadcasts whose beginning another replica published, and nodes that move between replicas.
import { once } from 'node:events'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
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

/** Connections of the node `one` with Ann's project to two replicas. */
async function moving() {
  const far = await world.replica()
  const { url: farUrl } = await far.listen()
  const { key } = (await world.api(streamKeys.get, { project_id: ann.projectId }, { as: ann })).body
  let seq = Date.now() * 1_000
  return {
    farUrl,
    /** Sends an event under the first epoch, and waits for its acknowledgement. */
    tell(node: Awaited<ReturnType<typeof openNode>>, event: object) {
      const about = { projectId: ann.projectId, epoch: 1, at: Date.now() }
      node.send({ type: 'event', seq: ++seq, event: { ...event, ...about } })
      return eventually(() => node.received.some((message) => (message.seq ?? 0) >= seq))
    },
    async hello(at: string, hasProject: boolean) {
      const node = await openNode(at)
      const leases = hasProject ? [{ projectId: ann.projectId, epoch: 1, isSending: true }] : []
      node.send({ type: 'hello', version: 2, latest: 3, node: 'one', projects: [], leases })
      await eventually(() => node.count('welcome') === 1)
      return node
    },
    async admit(node: Awaited<ReturnType<typeof openNode>>) {
      const before = node.count('admitted')
      node.send({ type: 'admit', request: 1, key, app: 'live', encoder: 'Test', address: '192.0.2.1' })
      await eventually(() => node.count('admitted') > before)
    },
  }
}
const began = { type: 'source-began', encoder: 'Test', address: '192.0.2.1' }
const isFile = !process.env['DATABASE_URL']

test.skipIf(isFile)('a replica to which a node returns publishes no change that another one published', async () => {
  const { farUrl, tell, hello, admit } = await moving()
  const first = await hello(url, false)
  await admit(first)
  await tell(first, began)
  first.socket.close()
  const second = await hello(farUrl, true)
  await tell(second, { type: 'ended' })
  await admit(second)
  await tell(second, began)
  await eventually(async () => (await onAirOf(world, ann)).broadcast_id === 2)
  second.socket.close()

  const names = publishedBy(world.services)
  const again = await hello(url, true)
  await tell(again, { type: 'source-lost', how: 'socket' })
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(names).toEqual([])
  again.socket.close()
})

test.skipIf(isFile)('a node that moved gets each change of the desired state once, from its new replica', async () => {
  const { farUrl, tell, hello, admit } = await moving()
  const first = await hello(url, false)
  await admit(first)
  await tell(first, began)
  first.socket.close()
  await once(first.socket, 'close')
  const second = await hello(farUrl, true)
  const { broadcast_id } = await onAirOf(world, ann)
  const pauses = () => second.received.filter((message) => 'paused' in message && message.paused === true).length
  await eventually(() => second.count('desired') > 0)
  await world.api(broadcasts.pause, { project_id: ann.projectId, broadcast_id }, { as: ann })
  await eventually(() => pauses() > 0)
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(pauses()).toBe(1)
  second.socket.close()
})
