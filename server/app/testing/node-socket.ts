// Connections of relay nodes without a relay: a node whose messages a test sends, and a connection inside the service.
import { WebSocket } from 'ws'
import type { FromService } from '#contract/relay/from-service.ts'
import { nodeFeatures } from '#contract/relay/protocol.ts'
import { emptyBuffer, type NodeConnection } from '#server/app/nodes/node-connection.ts'
import { testApp } from '#server/testing/test-app.ts'

const token = 'a token that the nodes and the service share'

/** Starts a service that accepts nodes, at the time of this machine. */
export async function nodeWorld() {
  const world = await testApp({ RELAY_TOKEN: token })
  world.clock.set(new Date())
  return { world, url: (await world.app.listen()).url }
}

/** Connects as a node whose messages the test sends. @param url of the service */
export async function openNode(url: string) {
  const address = `${url.replace('http', 'ws')}/relay`
  const socket = new WebSocket(address, { headers: { authorization: `Bearer ${token}` } })
  const received: { readonly type: string; readonly seq?: number }[] = []
  socket.on('message', (data: Buffer) => received.push(JSON.parse(data.toString())))
  await new Promise((resolve) => socket.once('open', resolve))
  const count = (type: string) => received.filter((message) => message.type === type).length
  return { socket, received, count, send: (message: object) => socket.send(JSON.stringify(message)) }
}

/** A connection of the node `node` with projects on air under epochs, and the messages sent to it. */
export function someConnection(epochs: ReadonlyMap<number, number>) {
  const sent: FromService[] = []
  const connection: NodeConnection = {
    number: 1,
    version: 3,
    features: new Set<string>(nodeFeatures),
    idle: () => Promise.resolve(),
    node: 'node',
    machine: 'node',
    isDraining: false,
    projects: new Map([...epochs].map(([id, epoch]) => [id, { epoch, desired: '', keyMark: null }])),
    posters: new Map(),
    samples: emptyBuffer(),
    run: (task) => void task(),
    parked: new Map(),
    reading: new Set(),
    ffmpeg: null,
    takesBrowsers: false,
    isFull: false,
    takesFilms: false,
    takesWork: false,
    closed: new Promise<void>(() => undefined),
    send: (message) => void sent.push(message),
    end: () => undefined,
    fail: () => undefined,
  }
  return { connection, sent }
}
