// What the service may have relay nodes do, whichever replica they are connected to.
import type { Server } from 'node:http'
import type { WebSocket } from 'ws'
import type { RelayControl, Services } from '#server/core/context.ts'
import type { FromService } from '#server/relay/protocol.ts'
import { type Addressee, createFarNodes } from './far-nodes.ts'
import { createHls, type Hls } from './hls.ts'
import { type Line, relayPath, stopMessage, takeNodes } from './relay-lines.ts'
import { createMediaGate } from './relay-media.ts'
import type { Replicas } from './replicas.ts'

/** What a node opens a connection for. */
type MediaMessage = FromService & { type: 'preview' | 'hls' | 'file' }

export interface RelayGate extends RelayControl {
  /** Takes nodes in, on a server that is about to listen. */
  open(server: Server, services: Services): void
  /** Asks for the live picture. @throws when no node has it on air, or it does not come */
  preview(projectId: number): Promise<WebSocket>
  /** What players with a pull key fetch. */
  readonly hls: Hls
  /** Asks for a part of a recording. @throws when its node is away, or it does not come */
  file(node: string, part: Omit<FromService & { type: 'file' }, 'type' | 'id'>): Promise<WebSocket>
  /** Whether a node is connected to this very service. */
  isHere(node: string): boolean
  /** Tells a node that the service started to end. */
  quit(node: string): void
  close(): void
}

export interface RelayGateOptions {
  /** What nodes prove themselves with. */
  readonly token: string
  readonly replicas: Replicas
  /** Where nodes of other replicas reach this service, `http://…`. */
  readonly url: () => string
}

/** Makes the gate. */
export function createRelayGate({ token, replicas, url }: RelayGateOptions): RelayGate {
  const lines = new Set<Line>()
  const lineTo = (to: Addressee) =>
    [...lines].find((line) => ('node' in to ? line.node === to.node : line.told.has(to.projectId)))
  const far = createFarNodes(replicas, (to, message) => lineTo(to)?.send(message))
  const media = createMediaGate()

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
    open(server, services) {
      const taking = takeNodes(server, services, { token, lines, media, far })
      shut = taking.end
      clear = taking.clear
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
    quit: (node) => lineTo({ node })?.send({ type: 'quit' }),
    close() {
      hls.close()
      shut()
    },
  }
}
