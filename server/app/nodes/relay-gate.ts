// What the service may have relay nodes do, whichever replica they are connected to.
import type { FromService } from '#contract/relay/from-service.ts'
import type { IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { WebSocket } from 'ws'
import type { RelayControl, Services } from '#server/core/context.ts'
import { sameText } from '#server/core/secrets.ts'
import { type Addressee, createFarNodes } from './far-nodes.ts'
import { createHls, type Hls } from '#server/app/media/hls.ts'
import { type Line, stopMessage } from './line.ts'
import { relayPath, takeNodes } from './relay-lines.ts'
import { createMediaGate } from './relay-media.ts'
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
  /** Ends a node that a service started. Resolves when its line has closed, after 6 s at the latest. */
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
  const lines = new Set<Line>()
  const lineTo = (to: Addressee) =>
    [...lines].find((line) => ('node' in to ? line.node === to.node : line.told.has(to.projectId)))
  const far = createFarNodes(replicas, (to, message) => lineTo(to)?.send(message))
  const isNode = ({ headers }: IncomingMessage) => sameText(headers.authorization ?? '', `Bearer ${token}`)
  const media = createMediaGate(isNode)

  function tell(projectId: number, message: FromService): void {
    const line = lineTo({ projectId })
    if (line) line.send(message)
    else far.send({ projectId }, message)
  }

  /** Has a node open a connection for media. @param about what for, by the id of the connection */
  async function call(to: Addressee, about: (id: string) => MediaMessage): Promise<WebSocket> {
    const line = lineTo(to)
    if (!line && !far.has(to)) throw new Error('No node has it')
    const at = url().replace(/^http/, 'ws') + relayPath
    return media.call((id) => (line ? line.send(about(id)) : far.send(to, { ...about(id), at })))
  }

  const hls = createHls((projectId) => call({ projectId }, (id) => ({ type: 'hls', id, projectId })))
  let [shut, clear] = [() => {}, () => {}]
  return {
    open(services) {
      const taking = takeNodes(services, { isNode, lines, far })
      shut = taking.end
      clear = taking.clear
      return [taking.route, media.route]
    },
    retry: (projectId, destinationId) => tell(projectId, { type: 'retry', projectId, destinationId }),
    stop: (projectId) => tell(projectId, stopMessage(projectId)),
    sight(projectId) {
      const line = lineTo({ projectId })
      return line ? { poster: line.posters.get(projectId) ?? null, ffmpeg: line.ffmpeg } : far.sight(projectId)
    },
    preview: (projectId) => call({ projectId }, (id) => ({ type: 'preview', id, projectId })),
    hls,
    fetching: hls.facts,
    file: (node, part) => call({ node }, (id) => ({ type: 'file', id, ...part })),
    clear: () => clear(),
    has: (node) => lineTo({ node }) !== undefined || far.has({ node }),
    isHere: (node) => lineTo({ node }) !== undefined,
    workOf(node) {
      const line = lineTo({ node })
      if (!line) return 'unknown'
      if (line.told.size > 0) return 'on air'
      const since = performance.now() - heldMs
      return [...line.held.values()].some((at) => at > since) ? 'held' : 'idle'
    },
    async quit(node) {
      const line = lineTo({ node })
      if (!line) return
      line.send({ type: 'quit' })
      await Promise.race([line.gone, wait(quitMs, undefined, { ref: false })])
    },
    close() {
      hls.close()
      shut()
      media.close()
    },
  }
}
