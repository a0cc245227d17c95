// Requests of the service to relay nodes, on any replica.
import * as z from 'zod/mini'
import type { FromService } from '#contract/relay/from-service.ts'
import type { IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Bus } from '#server/core/bus.ts'
import type { RelayControl, Services } from '#server/core/context.ts'
import type { Config } from '#server/core/settings.ts'
import { sameText } from '#server/core/secrets.ts'
import { env, settings } from '#server/core/variables.ts'
import { storedOf } from '#server/domain/broadcasts/records.ts'
import { createHls, type Hls } from '#server/app/media/hls.ts'
import { type NodeConnection, stopMessage } from './node-connection.ts'
import { acceptNodes, relayPath } from './node-connections.ts'
import { createEncoderFigures, type EncoderFigures, figuresOf } from './encoder-figures.ts'
import { type Addressee, type BrowserNode, createRemoteNodes, type RemoteNodes } from './remote-nodes.ts'
import type { Signals } from '#server/db/signals.ts'
import type { UpgradeRoute } from '#server/app/http/upgrades.ts'
import { randomBytes } from 'node:crypto'

// Media connections of relay nodes: previews, HLS files and recordings, each opened by the node on request.

/** Largest video message in a tag, bytes. */
const messageBytesMax = 16 * 1024 * 1024
const comeMs = 5_000

interface MediaGate {
  /** Waits for a connection, which is paused. @param ask requests it from the node @throws without a connection after five seconds */
  call(ask: (id: string) => void): Promise<WebSocket>
  readonly route: UpgradeRoute
  close(): void
}

/** Creates the gate for media connections. @param isNode returns true when a request authenticates as a relay node */
function createMediaGate(isNode: (request: IncomingMessage) => boolean): MediaGate {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: messageBytesMax, perMessageDeflate: false })
  const waiting = new Map<string, (socket: WebSocket) => void>()
  return {
    call: (ask) =>
      new Promise((resolve, reject) => {
        const id = randomBytes(16).toString('base64url')
        const timer = setTimeout(() => {
          waiting.delete(id)
          reject(new Error('The node did not open the connection'))
        }, comeMs)
        waiting.set(id, (socket) => {
          clearTimeout(timer)
          waiting.delete(id)
          // No data may arrive before the handler listens.
          socket.pause()
          resolve(socket)
        })
        ask(id)
      }),
    route: {
      target: /^\/relay\/media\/([\w-]+)$/,
      sockets,
      take: (request, id) => (isNode(request) ? (waiting.get(id) ?? 404) : 401),
    },
    close() {
      for (const client of sockets.clients) client.terminate()
      sockets.close()
    },
  }
}

/** Purpose of a media connection. */
type MediaMessage = FromService & { type: 'preview' | 'hls' | 'file' | 'browser' }

/**
 * Activity of a node: a broadcast on air; `stopped`: only encoders of stopped broadcasts, which stay connected. `unknown`: the node
 * is not connected to this service.
 */
export type RelayWork = 'on air' | 'stopped' | 'idle' | 'unknown'

export interface RelayGate extends RelayControl {
  /** Starts to accept nodes. @returns the WebSocket paths */
  open(services: Services): readonly UpgradeRoute[]
  /** Requests the live preview. @throws when no node has it on air, or the node does not send it */
  preview(projectId: number): Promise<WebSocket>
  /** Has a node take the stream of a browser. @param address of the client @throws when no node takes it */
  browser(projectId: number, address: string): Promise<WebSocket>
  /** Requests files for players with a pull key. */
  readonly hls: Hls
  /** Returns the figures of the encoder of a project; null when none sends. */
  figures(projectId: number): Promise<EncoderFigures | null>
  /** Requests a part of a recording. @throws when its machine is unreachable, or does not send it */
  file(machine: string, part: Omit<FromService & { type: 'file' }, 'type' | 'id'>): Promise<WebSocket>
  /** Returns true when a node of a machine is connected to this service. */
  isHere(machine: string): boolean
  /** Activity of the nodes of a machine. */
  workOf(machine: string): RelayWork
  /** Records the ports of this machine's relay while another program uses one of them; null: the relay runs. */
  noteTaken(ports: readonly number[] | null): void
  /** Ends the nodes that a service started on a machine. Resolves when their connections have closed, after 6 s at the latest. */
  quit(machine: string): Promise<void>
  close(): Promise<void>
}

export interface RelayGateOptions {
  /** Token of relay nodes. */
  readonly token: string
  readonly bus: Bus
  readonly signals: Pick<Signals, 'subscribe' | 'onConnection'>
  /** `replicaUrl` null: nodes find this replica by the address of all. */
  readonly config: Pick<Config, 'replicaUrl'>
  /** Address of this service for nodes of other replicas, `http://…`. */
  readonly url: () => string
}

/** Settings of a replica. */
export const replicaSettings = settings({
  replicaUrl: env(
    'REPLICA_URL',
    z.string().check(z.regex(/^(https?:\/\/[^\s/]+)?$/)),
    '',
    'Address of this replica alone for relay nodes, for example `http://10.0.0.11:8080`, where several replicas share PUBLIC_URL: previews, HLS and downloads go straight to it. Empty: nodes use the address of all replicas',
    (url) => (url === '' ? null : url),
  ),
})

/** Node for the stream of a browser: the one that has the project on air, else the one with the fewest projects. */
function browserNodeOf(
  projectId: number,
  {
    connections,
    remote,
    isOnAir,
  }: {
    readonly connections: ReadonlySet<NodeConnection>
    readonly remote: Pick<RemoteNodes, 'browserNodes'>
    readonly isOnAir: boolean
  },
): Addressee | null {
  const here = [...connections].flatMap(({ node, isFull, takesBrowsers, projects }): readonly BrowserNode[] =>
    takesBrowsers ? [{ node, isFull, projects: [...projects.keys()] }] : [],
  )
  const [found] = [...here, ...remote.browserNodes()]
    .filter(({ isFull, projects }) => (isOnAir ? projects.includes(projectId) : !isFull))
    .toSorted((one, other) => one.projects.length - other.projects.length)
  return found ? { node: found.node } : null
}

/** Returns the nodes that would prepare a film, those with the fewest projects first. */
const preparersOf = (connections: ReadonlySet<NodeConnection>, remote: RemoteNodes): readonly string[] =>
  [...[...connections].filter(({ takesFilms }) => takesFilms), ...remote.preparers()]
    .map(({ node, projects }) => ({ node, count: [...projects].length }))
    .toSorted((one, other) => one.count - other.count)
    .map(({ node }) => node)

/** Age limit for the report of a parked encoder, milliseconds; nodes report each second. */
const parkedMs = 5_000
/** A node ends within 5 s. */
const quitMs = 6_000

/** Creates the gate. */
export function createRelayGate({ token, bus, signals, config, url }: RelayGateOptions): RelayGate {
  const connections = new Set<NodeConnection>()
  const connectionTo = (to: Addressee) =>
    [...connections].find(({ node, machine, projects }) =>
      'node' in to ? node === to.node : 'machine' in to ? machine === to.machine : projects.has(to.projectId),
    )
  const connectionsOf = (machine: string) => [...connections].filter((one) => one.machine === machine)
  const remote = createRemoteNodes(bus, (to, message) => connectionTo(to)?.send(message))
  const hasNode = (to: Addressee) => connectionTo(to) !== undefined || remote.has(to)
  const isNode = ({ headers }: IncomingMessage) => sameText(headers.authorization ?? '', `Bearer ${token}`)
  const media = createMediaGate(isNode)

  function send(to: Addressee, message: FromService): void {
    const connection = connectionTo(to)
    if (connection) connection.send(message)
    else remote.send(to, message)
  }

  /** Requests a media connection from a node. @param about purpose, by the id of the connection */
  async function call(to: Addressee, about: (id: string) => MediaMessage): Promise<WebSocket> {
    const connection = connectionTo(to)
    if (!connection && !remote.has(to)) throw new Error('No node has it')
    // Behind a balancer not even the address of the node's own connection leads here again.
    if (connection && config.replicaUrl === null) return media.call((id) => connection.send(about(id)))
    const at = (config.replicaUrl ?? url()).replace(/^http/, 'ws') + relayPath
    return media.call((id) => send(to, { ...about(id), at }))
  }

  const findBrowserNode = (projectId: number) =>
    browserNodeOf(projectId, { connections, remote, isOnAir: hasNode({ projectId }) })

  const figures = createEncoderFigures(bus, {
    here(projectId) {
      const samples = connectionTo({ projectId })?.samples
      const sample = samples?.newest.get(projectId)
      return samples && (sample ? figuresOf(sample, performance.now() - samples.newestAt) : null)
    },
    isElsewhere: (projectId) => remote.has({ projectId }),
  })
  const hls = createHls((projectId) => call({ projectId }, (id) => ({ type: 'hls', id, projectId })))
  let [shut, clear] = [async () => {}, () => {}]
  let taken: readonly number[] | null = null
  return {
    open(services) {
      const nodes = acceptNodes(services, { isNode, connections, remote, signals })
      shut = nodes.end
      clear = nodes.clear
      return [nodes.route, media.route]
    },
    retry: (projectId, destinationId) => send({ projectId }, { type: 'retry', projectId, destinationId }),
    stop: (projectId) => send({ projectId }, stopMessage(projectId)),
    drain: (node, ms) => send({ node }, ms === null ? { type: 'undrain' } : { type: 'drain', ms }),
    fetch: (node, remotes) => send({ node }, { type: 'remotes', remotes }),
    preparers: () => preparersOf(connections, remote),
    prepare: (node, work) => send({ node }, { type: 'prepare', ...work }),
    play: (node, plays) => send({ node }, { type: 'plays', plays }),
    newestSample(projectId) {
      const sample = connectionTo({ projectId })?.samples.newest.get(projectId)
      return sample ? storedOf(sample) : null
    },
    previewSources(projectId) {
      const connection = connectionTo({ projectId })
      return connection
        ? { poster: connection.posters.get(projectId) ?? null, ffmpeg: connection.ffmpeg === true }
        : remote.previewSources(projectId)
    },
    preview: (projectId) => call({ projectId }, (id) => ({ type: 'preview', id, projectId })),
    takesBrowser: (projectId) => findBrowserNode(projectId) !== null,
    async browser(projectId, address) {
      const to = findBrowserNode(projectId)
      if (!to) throw new Error('No node takes browsers')
      return call(to, (id) => ({ type: 'browser', id, projectId, address }))
    },
    hls,
    figures,
    fetching: hls.facts,
    file: (machine, part) => call({ machine }, (id) => ({ type: 'file', id, ...part })),
    clear: () => clear(),
    has: (node) => hasNode({ node }),
    hasMachine: (machine) => hasNode({ machine }),
    machines: () => [...new Set([...[...connections].map(({ machine }) => machine), ...remote.machines()])],
    takenPorts: () => taken,
    noteTaken: (ports) => void (taken = ports),
    isHere: (machine) => connectionsOf(machine).length > 0,
    workOf(machine) {
      const here = connectionsOf(machine)
      if (here.length === 0) return 'unknown'
      if (here.some(({ projects }) => projects.size > 0)) return 'on air'
      const since = performance.now() - parkedMs
      return here.some(({ parked }) => [...parked.values()].some((at) => at > since)) ? 'stopped' : 'idle'
    },
    async quit(machine) {
      const here = connectionsOf(machine)
      for (const connection of here) connection.send({ type: 'quit' })
      const closed = Promise.all(here.map((connection) => connection.closed))
      await Promise.race([closed, wait(quitMs, undefined, { ref: false })])
    },
    async close() {
      hls.close()
      media.close()
      await shut()
    },
  }
}
