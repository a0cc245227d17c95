// Connections of relay nodes: a WebSocket per node, whose messages are handled one after another.
import type { IncomingMessage } from 'node:http'
import { WebSocket, WebSocketServer } from 'ws'
import { FromNode, UnknownEvent } from '#contract/relay/from-node.ts'
import { dispatch, readMessage } from '#contract/relay/protocol.ts'
import { fromVersion2, toVersion2 } from '#contract/relay/version-2.ts'
import type { UpgradeRoute } from '#server/app/http/upgrades.ts'
import { createLivePublisher, type LivePublisher } from '#server/app/live/live-publisher.ts'
import type { Services } from '#server/core/context.ts'
import { goneMs } from '#server/domain/broadcasts/run-job.ts'
import { watchLostNodes } from '#server/domain/broadcasts/lost-nodes.ts'
import { unknownNode, type NodeConnection } from './node-connection.ts'
import { nodeHandlers } from './node-handlers.ts'
import { type Reconciler, startReconciler } from './reconciler.ts'
import type { Signals } from '#server/db/signals.ts'
import { transaction } from '#server/db/transaction.ts'
import { createOwners } from './owners.ts'
import type { RemoteNodes } from './remote-nodes.ts'
import { wakeWork } from './node-work.ts'
import { flushSamples } from './samples.ts'

/** Path that nodes connect to. */
export const relayPath = '/relay'
/** Nodes of version 2 send all destinations of a project in one message. */
const messageBytesMax = 4 * 1024 * 1024
/** Interval in which samples are stored, milliseconds. */
const flushMs = 3_000

interface NodeConnectionsOptions {
  /** Returns true when a request authenticates as a relay node. */
  readonly isNode: (request: IncomingMessage) => boolean
  readonly connections: Set<NodeConnection>
  readonly remote: RemoteNodes
  readonly signals: Pick<Signals, 'subscribe' | 'onConnection'>
}

export interface NodeConnections extends Pick<Reconciler, 'clear' | 'end'> {
  readonly route: UpgradeRoute
}

/** Accepts relay nodes until `end` is called. */
export function acceptNodes(
  services: Services,
  { isNode, connections, remote, signals }: NodeConnectionsOptions,
): NodeConnections {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: messageBytesMax })
  const { log } = services
  const publisher = createLivePublisher(services)
  const announce = (connection: NodeConnection) => connection.node !== '' && remote.announce(presenceOf(connection))
  const owners = createOwners(services, { connections, remote, announce })
  forgetMoved(remote, connections, publisher)
  const lostNodes = watchLostNodes(services)
  /** Number of the newest connection of each node. */
  const newest = new Map<string, number>()
  let opened = 0

  const othersOf = (connection: NodeConnection) =>
    [...connections].filter((one) => one !== connection && one.node === connection.node)
  const isOver = (connection: NodeConnection, node = connection.node) =>
    !connections.has(connection) || (newest.get(node) ?? 0) > connection.number

  const reconciler = startReconciler(services, { connections, signals, publisher, lostNodes, announce })
  const flushing = setInterval(() => {
    // Beside the messages, so that admissions do not wait for it.
    for (const connection of connections) void flushSamples(services, connection).catch(connection.fail)
  }, flushMs).unref()
  const handlers = nodeHandlers({
    services,
    reconcile: reconciler.reconcile,
    publisher,
    owners,
    remote,
    othersOf,
    greeted: ({ node, number }) => void newest.set(node, number),
    isOver,
    announce,
    connections,
  })

  async function handle(connection: NodeConnection, message: FromNode): Promise<void> {
    const node = message.type === 'hello' ? message.node : connection.node
    // Events have an epoch and a number. Other messages of a replaced connection would undo those of the newer one.
    const isLate = (message.type !== 'event' || node === '') && isOver(connection, node)
    if (isLate) return connection.end()
    if (message.type !== 'hello' && connection.node === '') throw new Error('The node has not sent hello')
    await dispatch(handlers, message, connection)
  }

  /** Acknowledges an unknown event, because the node repeats it otherwise, and with it all earlier ones. */
  async function skip(connection: NodeConnection, { seq }: UnknownEvent): Promise<void> {
    log.warn({ node: connection.node }, 'A relay node sent an event of an unknown type, or with an impossible value')
    await flushSamples(services, connection)
    connection.send({ type: 'ack', seq })
  }

  function accept(socket: WebSocket) {
    const closed = Promise.withResolvers<void>()
    let last = Promise.resolve()
    const connection: NodeConnection = {
      number: ++opened,
      idle: () => last,
      closed: closed.promise,
      ...unknownNode(),
      run: (task) => void (last = last.then(task).catch(connection.fail)),
      send: (message) => sendTo(socket, connection.version === 2 ? toVersion2(message) : message),
      end: () => socket.terminate(),
      fail(error) {
        log.error({ err: error, node: connection.node }, 'A message of a relay node could not be handled')
        lostNodes.fail()
        socket.terminate()
      },
    }
    connections.add(connection)
    socket.on('close', () => {
      connections.delete(connection)
      closed.resolve()
      if (connection.node === '' || othersOf(connection).length > 0) return
      remote.leave(connection.node)
      void transaction(services.db, (trx) => wakeWork(trx, connection.node, goneMs)).catch((error: unknown) =>
        log.error({ err: error }, 'The work of a disconnected node could not be moved'),
      )
    })
    socket.on('message', (data: Buffer) => {
      const text = fromVersion2(data.toString('utf8'))
      const message = readMessage(FromNode, text)
      const unknown = message ? null : readMessage(UnknownEvent, text)
      if (message) connection.run(() => handle(connection, message))
      else if (unknown) connection.run(() => skip(connection, unknown))
      else socket.close(1008, 'Unknown message')
    })
  }

  return {
    route: { target: /^\/relay$/, sockets, take: (request) => (isNode(request) ? accept : 401) },
    async end() {
      for (const client of sockets.clients) client.terminate()
      sockets.close()
      clearInterval(flushing)
      await reconciler.end()
      publisher.close()
    },
    clear: reconciler.clear,
  }
}

/** What other replicas know about a node. */
const presenceOf = ({ node, machine, ffmpeg, takesBrowsers, takesFilms, isFull, projects }: NodeConnection) => ({
  node,
  machine,
  ffmpeg: ffmpeg === true,
  takesBrowsers,
  takesFilms,
  isFull,
  projects: [...projects.keys()],
})

/** Sends a message, unless the connection is closing. */
function sendTo(socket: WebSocket, message: object): void {
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
}

/** Forgets the published state of projects that are at a node of another replica. */
function forgetMoved(remote: RemoteNodes, connections: ReadonlySet<NodeConnection>, publisher: LivePublisher): void {
  remote.onHere((projects) => {
    const isHere = (id: number) => [...connections].some((one) => one.projects.has(id))
    publisher.forget(projects.filter((id) => !isHere(id)))
  })
}
