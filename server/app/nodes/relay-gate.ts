// What the service may have relay nodes do, whichever replica they are connected to.
import type { FromService } from '#contract/relay/from-service.ts'
import type { IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { WebSocket } from 'ws'
import type { RelayControl, Services } from '#server/core/context.ts'
import { sameText } from '#server/core/secrets.ts'
import { createHls, type Hls } from '#server/app/media/hls.ts'
import { type NodeConnection, stopMessage } from './node-connection.ts'
import { acceptNodes, relayPath } from './node-connections.ts'
import { createMediaGate } from './relay-media.ts'
import { type Addressee, createRemoteNodes } from './remote-nodes.ts'
import type { Replicas } from './replicas.ts'
import type { UpgradeRoute } from '#server/app/http/upgrades.ts'

/** What a node opens a connection for. */
type MediaMessage = FromService & { type: 'preview' | 'hls' | 'file' }

/**
 * What a node does: a broadcast on air; `held`: only encoders of stopped broadcasts, which stay connected. `unknown`: the node is
 * not connected to this very service.
 */
export type RelayWork = 'on air' | 'held' | 'idle' | 'unknown'

export interface RelayGate extends RelayControl {
  /** Starts to take nodes. @returns the paths that they connect to */
  open(services: Services): readonly UpgradeRoute[]
  /** Asks for the live picture. @throws when no node has it on air, or it does not come */
  preview(projectId: number): Promise<WebSocket>
  /** What players with a pull key fetch. */
  readonly hls: Hls
  /** Asks for a part of a recording. @throws when its node is away, or it does not come */
  file(node: string, part: Omit<FromService & { type: 'file' }, 'type' | 'id'>): Promise<WebSocket>
  /** Whether a node is connected to this very service. */
  isHere(node: string): boolean
  /** What a node does. */
  workOf(node: string): RelayWork
  /** Ends a node that a service started. Resolves when its connection has closed, after 6 s at the latest. */
  quit(node: string): Promise<void>
  close(): void
}

export interface RelayGateOptions {
  /** What nodes prove themselves with. */
  readonly token: string
  readonly replicas: Replicas
  /** Where nodes of other replicas reach this service, `http://…`. */
  readonly url: () => string
}

/** A node reports parked encoders each second. */
const heldMs = 5_000
/** A node takes 5 s at most to end. */
const quitMs = 6_000

/** Makes the gate. */
export function createRelayGate({ token, replicas, url }: RelayGateOptions): RelayGate {
  const connections = new Set<NodeConnection>()
  const connectionTo = (to: Addressee) =>
    [...connections].find(({ node, projects }) => ('node' in to ? node === to.node : projects.has(to.projectId)))
  const remote = createRemoteNodes(replicas, (to, message) => connectionTo(to)?.send(message))
  const isNode = ({ headers }: IncomingMessage) => sameText(headers.authorization ?? '', `Bearer ${token}`)
  const media = createMediaGate(isNode)

  function send(projectId: number, message: FromService): void {
    const connection = connectionTo({ projectId })
    if (connection) connection.send(message)
    else remote.send({ projectId }, message)
  }

  /** Has a node open a connection for media. @param about what for, by the id of the connection */
  async function call(to: Addressee, about: (id: string) => MediaMessage): Promise<WebSocket> {
    const connection = connectionTo(to)
    if (!connection && !remote.has(to)) throw new Error('No node has it')
    const at = url().replace(/^http/, 'ws') + relayPath
    return media.call((id) => (connection ? connection.send(about(id)) : remote.send(to, { ...about(id), at })))
  }

  const hls = createHls((projectId) => call({ projectId }, (id) => ({ type: 'hls', id, projectId })))
  let [shut, clear] = [() => {}, () => {}]
  return {
    open(services) {
      const nodes = acceptNodes(services, { isNode, connections, remote })
      shut = nodes.end
      clear = nodes.clear
      return [nodes.route, media.route]
    },
    retry: (projectId, destinationId) => send(projectId, { type: 'retry', projectId, destinationId }),
    stop: (projectId) => send(projectId, stopMessage(projectId)),
    sight(projectId) {
      const connection = connectionTo({ projectId })
      return connection
        ? { poster: connection.posters.get(projectId) ?? null, ffmpeg: connection.ffmpeg }
        : remote.sight(projectId)
    },
    preview: (projectId) => call({ projectId }, (id) => ({ type: 'preview', id, projectId })),
    hls,
    fetching: hls.facts,
    file: (node, part) => call({ node }, (id) => ({ type: 'file', id, ...part })),
    clear: () => clear(),
    has: (node) => connectionTo({ node }) !== undefined || remote.has({ node }),
    isHere: (node) => connectionTo({ node }) !== undefined,
    workOf(node) {
      const connection = connectionTo({ node })
      if (!connection) return 'unknown'
      if (connection.projects.size > 0) return 'on air'
      const since = performance.now() - heldMs
      return [...connection.parked.values()].some((at) => at > since) ? 'held' : 'idle'
    },
    async quit(node) {
      const connection = connectionTo({ node })
      if (!connection) return
      connection.send({ type: 'quit' })
      await Promise.race([connection.closed, wait(quitMs, undefined, { ref: false })])
    },
    close() {
      hls.close()
      shut()
      media.close()
    },
  }
}
