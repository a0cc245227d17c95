// Where relay nodes come in: a WebSocket per node. Asks the domain, answers the node, and keeps what is on air as wanted.
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer } from 'ws'
import type { Poster, RelayControl, Services } from '#server/core/context.ts'
import { sameText } from '#server/core/secrets.ts'
import { admitEncoder, endAbandoned, heed, wantedOf } from '#server/domain/broadcasts.ts'
import { admitPlayer } from '#server/domain/pulls.ts'
import { listRemoved } from '#server/domain/recordings.ts'
import { keyForSrt } from '#server/domain/srt-keys.ts'
import { reportNode } from '#server/domain/ingest-nodes.ts'
import { createHls, type Hls } from './hls.ts'
import { createMediaGate, isMedia, type MediaGate } from './relay-media.ts'
import { FromNode, type FromService, protocolVersion, readMessage } from '#server/relay/protocol.ts'
import { createLiveTeller } from './live-teller.ts'

/** Path that nodes connect to. */
export const relayPath = '/relay'
const messageBytesMax = 256 * 1024
/** How often what is wanted is compared with what nodes were told. */
const sweepMs = 1_000
/** How often nodes are told again of deleted recordings that are still there: rounds of that. */
const clearEvery = 10

interface Told {
  /** Destinations and the wait as JSON. */
  readonly wanted: string
  /** Which key the stream came in by. */
  readonly keyMark: string
}

interface Line {
  node: string
  /** What it was told about each project that it has on air; null: nothing yet by this service. */
  readonly told: Map<number, Told | null>
  readonly posters: Map<number, Poster>
  ffmpeg: boolean
  send(message: FromService): void
}

export interface RelayGate extends RelayControl {
  /** Takes nodes in, on a server that is about to listen. */
  open(server: Server, services: Services): void
  /** Asks for the live picture. @throws when no node here has it on air, or it does not come */
  preview(projectId: number): Promise<WebSocket>
  /** What players with a pull key fetch. */
  readonly hls: Hls
  /** Asks for a part of a recording. @throws when its node is not here, or it does not come */
  file(node: string, part: Omit<FromService & { type: 'file' }, 'type' | 'id'>): Promise<WebSocket>
  /** Tells a node that the service started to end. */
  quit(node: string): void
  close(): void
}

/** Makes the gate. @param token what nodes prove themselves with */
export function createRelayGate(token: string): RelayGate {
  const lines = new Set<Line>()
  const lineOf = (projectId: number) => [...lines].find(({ told }) => told.has(projectId))
  const lineTo = (node: string) => [...lines].find((line) => line.node === node)
  const media = createMediaGate()
  const hls = createHls(async (projectId) => {
    const line = lineOf(projectId)
    if (!line) throw new Error('No node here has it on air')
    return media.call((id) => line.send({ type: 'hls', id, projectId }))
  })
  let [shut, clear] = [() => {}, () => {}]
  return {
    open(server, services) {
      const taking = takeNodes(server, services, { token, lines, media })
      shut = taking.end
      clear = taking.clear
    },
    retry: (projectId, destinationId) => lineOf(projectId)?.send({ type: 'retry', projectId, destinationId }),
    stop: (projectId, words) => lineOf(projectId)?.send({ type: 'stop', projectId, words }),
    sight(projectId) {
      const line = lineOf(projectId)
      return line ? { poster: line.posters.get(projectId) ?? null, ffmpeg: line.ffmpeg } : null
    },
    async preview(projectId) {
      const line = lineOf(projectId)
      if (!line) throw new Error('No node here has it on air')
      return media.call((id) => line.send({ type: 'preview', id, projectId }))
    },
    hls,
    fetching: hls.facts,
    async file(node, part) {
      const line = lineTo(node)
      if (!line) throw new Error('The node is not here')
      return media.call((id) => line.send({ type: 'file', id, ...part }))
    },
    clear: () => clear(),
    has: (node) => lineTo(node) !== undefined,
    quit: (node) => lineTo(node)?.send({ type: 'quit' }),
    close() {
      hls.close()
      shut()
    },
  }
}

/** @returns what ends it, and what tells nodes of recordings that were deleted */
function takeNodes(
  server: Server,
  services: Services,
  { token, lines, media }: { readonly token: string; readonly lines: Set<Line>; readonly media: MediaGate },
): { readonly end: () => void; readonly clear: () => void } {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: messageBytesMax })
  const { log } = services
  const teller = createLiveTeller(services)

  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (request.url !== relayPath && !isMedia(request.url)) return
    if (!sameText(request.headers.authorization ?? '', `Bearer ${token}`))
      return socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n')
    if (isMedia(request.url)) return media.take(request, socket, head)
    sockets.handleUpgrade(request, socket, head, accept)
  }
  server.on('upgrade', upgrade)

  function accept(socket: WebSocket) {
    const line: Line = {
      node: '',
      told: new Map(),
      posters: new Map(),
      ffmpeg: false,
      send: (message) => {
        if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
      },
    }
    lines.add(line)
    socket.on('close', () => lines.delete(line))
    socket.on('error', () => socket.terminate())
    // One after another, in the order in which things happened.
    let last = Promise.resolve()
    socket.on('message', (data: Buffer) => {
      const message = readMessage(FromNode, data.toString('utf8'))
      if (!message) return socket.close(1008, 'Unknown message')
      last = last
        .then(() => take(line, message))
        .catch((error: unknown) => {
          log.error({ err: error, node: line.node }, 'A message of a relay node was not taken')
          // It is told again when the node comes back.
          socket.terminate()
        })
    })
  }

  async function take(line: Line, message: FromNode): Promise<void> {
    if (message.type === 'hello') return greet(line, message)
    if (line.node === '') throw new Error('A node that did not say who it is')
    if (message.type === 'told') {
      const { projectId } = message.event
      await teller.before(projectId)
      await heed(services, line.node, message.seq, message.event)
      teller.tell(projectId)
      if (message.event.type === 'ended') {
        line.told.delete(projectId)
        line.posters.delete(projectId)
      }
      line.send({ type: 'seen', seq: message.seq })
    } else if (message.type === 'poster') {
      const { projectId, at, jpeg } = message
      if (line.told.has(projectId)) line.posters.set(projectId, { at, jpeg: Buffer.from(jpeg, 'base64') })
    } else if (message.type === 'report') {
      line.ffmpeg = (message.report['ffmpeg'] ?? null) !== null
      // A report that is none is no reason to cut the line: streams come in by it.
      await reportNode(services, message.report).catch((error: unknown) =>
        log.warn({ err: error, node: line.node }, 'A report of a relay node was not taken'),
      )
    } else if (message.type === 'admit-player') {
      await letFetch(line, message)
    } else if (message.type === 'key') {
      const { request } = message
      const found = await keyForSrt(services, message)
      if ('refuse' in found) line.send({ type: 'refused', request, words: found.refuse })
      else line.send({ type: 'key', request, key: found.key })
    } else {
      await admit(line, message)
    }
  }

  async function letFetch(line: Line, asked: FromNode & { type: 'admit-player' }): Promise<void> {
    const { request, key, address, transport = 'rtmp' } = asked
    const verdict = await admitPlayer(services, { key, address, transport, node: line.node })
    if ('refuse' in verdict) line.send({ type: 'refused', request, words: verdict.refuse })
    else line.send({ type: 'player-admitted', request, ...verdict })
  }

  async function greet(line: Line, { version, node, projects }: FromNode & { type: 'hello' }): Promise<void> {
    if (version !== protocolVersion)
      return line.send({ type: 'go-away', words: `It speaks version ${version}, this service ${protocolVersion}` })
    line.node = node
    for (const projectId of projects) line.told.set(projectId, null)
    await endAbandoned(services, node, projects)
    teller.tellAll()
    line.send({ type: 'welcome' })
    await clear(line)
    log.info({ node }, 'A relay node is here')
  }

  async function admit(line: Line, asked: FromNode & { type: 'admit' }): Promise<void> {
    const { request, ...publisher } = asked
    const verdict = await admitEncoder(services, publisher)
    if ('refuse' in verdict) return line.send({ type: 'refused', request, words: verdict.refuse })
    const { projectId } = verdict
    const { keyMark, ...wanted } = await wantedOf(services, projectId)
    line.told.set(projectId, { wanted: JSON.stringify(wanted), keyMark })
    line.send({ type: 'admitted', request, projectId, ...wanted })
  }

  /** Brings nodes to what people want now: channels that were switched, changed, shared or taken away. */
  async function sweep(): Promise<void> {
    for (const line of lines) for (const projectId of line.told.keys()) await compare(line, projectId)
  }

  async function compare(line: Line, projectId: number): Promise<void> {
    const { keyMark, ...wanted } = await wantedOf(services, projectId)
    const told = line.told.get(projectId)
    // It may have ended meanwhile.
    if (told === undefined) return
    const now = { wanted: JSON.stringify(wanted), keyMark }
    line.told.set(projectId, now)
    if (told && told.keyMark !== keyMark) line.send({ type: 'stop', projectId, words: 'The stream key was replaced' })
    else if (told?.wanted !== now.wanted) line.send({ type: 'wish', projectId, ...wanted })
  }

  /** Recordings that were deleted are to go from the disk. */
  async function clear(line: Line): Promise<void> {
    const names = line.node === '' ? [] : await listRemoved(services.db, line.node)
    if (names.length > 0) line.send({ type: 'forget', names })
  }
  async function clearAll(): Promise<void> {
    for (const line of lines) await clear(line)
  }

  let round = 0
  let sweeping: Promise<void> | null = null
  const timer = setInterval(() => {
    sweeping ??= (++round % clearEvery === 0 ? sweep().then(clearAll) : sweep())
      .catch((error: unknown) => log.error({ err: error }, 'Relay nodes could not be brought up to date'))
      .finally(() => (sweeping = null))
  }, sweepMs)

  return {
    end() {
      clearInterval(timer)
      teller.close()
      server.off('upgrade', upgrade)
      media.close()
      for (const client of sockets.clients) client.terminate()
      sockets.close()
    },
    clear() {
      clearAll().catch((error: unknown) => log.error({ err: error }, 'Relay nodes were not told of deleted recordings'))
    },
  }
}
