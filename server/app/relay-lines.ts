// The lines of relay nodes: a WebSocket per node. Asks the domain, answers the node, and keeps what is on air as wanted.
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer } from 'ws'
import type { Poster, Services } from '#server/core/context.ts'
import { sameText } from '#server/core/secrets.ts'
import { endHeld, findHeld, keepHeld } from '#server/domain/broadcast-stops.ts'
import { admitEncoder, endAbandoned, heed, wantedOf } from '#server/domain/broadcasts.ts'
import { admitPlayer } from '#server/domain/pulls.ts'
import { listRemoved } from '#server/domain/recordings.ts'
import { keyForSrt } from '#server/domain/srt-keys.ts'
import { reportNode } from '#server/domain/ingest-nodes.ts'
import { FromNode, type FromService, protocolVersion, readMessage, ToldOtherwise } from '#server/relay/protocol.ts'
import type { FarNodes } from './far-nodes.ts'
import { createLiveTeller } from './live-teller.ts'
import { isMedia, type MediaGate } from './relay-media.ts'

/** Path that nodes connect to. */
export const relayPath = '/relay'
const messageBytesMax = 256 * 1024
/** How often what is wanted is compared with what nodes were told. */
const sweepMs = 1_000
/** How often nodes are told again of deleted recordings that are still there, and replicas of nodes: rounds of that. */
const clearEvery = 10

/** A person stops what is on air. */
export const stopMessage = (projectId: number): FromService => ({
  type: 'stop',
  projectId,
  words: 'The broadcast was stopped in the dashboard',
  hold: true,
})

interface Told {
  /** Destinations and the wait as JSON. */
  readonly wanted: string
  /** Which key the stream came in by. */
  readonly keyMark: string
}

/** A node that is connected here. */
export interface Line {
  node: string
  /** What it was told about each project that it has on air; null: nothing yet by this service. */
  readonly told: Map<number, Told | null>
  readonly posters: Map<number, Poster>
  ffmpeg: boolean
  send(message: FromService): void
  /** Cuts it. */
  end(): void
}

interface NodeParts {
  readonly token: string
  readonly lines: Set<Line>
  readonly media: MediaGate
  readonly far: FarNodes
}

/** Takes nodes in, on a server that is about to listen. @returns what ends it, and what tells nodes of recordings that were deleted */
export function takeNodes(
  server: Server,
  services: Services,
  { token, lines, media, far }: NodeParts,
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
      end: () => socket.terminate(),
    }
    lines.add(line)
    socket.on('close', () => {
      lines.delete(line)
      if (line.node !== '' && othersOf(line).length === 0) far.leave(line.node)
    })
    socket.on('error', () => socket.terminate())
    // One after another, in the order in which things happened.
    let last = Promise.resolve()
    socket.on('message', (data: Buffer) => {
      const text = data.toString('utf8')
      const message = readMessage(FromNode, text)
      const other = message ? null : readMessage(ToldOtherwise, text)
      if (!message && !other) return socket.close(1008, 'Unknown message')
      last = last
        .then(() => (message ? take(line, message) : leaveOut(line, other?.seq ?? 0)))
        .catch((error: unknown) => {
          log.error({ err: error, node: line.node }, 'A message of a relay node was not taken')
          // It is told again when the node comes back.
          socket.terminate()
        })
    })
  }

  /** What is not known here is lost, and what comes behind it is not: else it would be told again for ever. */
  function leaveOut(line: Line, seq: number): void {
    log.warn({ node: line.node }, 'A relay node told something that is not known here')
    line.send({ type: 'seen', seq })
  }

  /** Other lines of the same node. */
  const othersOf = (line: Line) => [...lines].filter((one) => one !== line && one.node === line.node)

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
        show(line)
      }
      line.send({ type: 'seen', seq: message.seq })
    } else if (message.type === 'poster') {
      const { projectId, at, jpeg } = message
      if (!line.told.has(projectId)) return
      line.posters.set(projectId, { at, jpeg: Buffer.from(jpeg, 'base64') })
      far.show(projectId, at, jpeg)
    } else if (message.type === 'report') {
      line.ffmpeg = (message.report['ffmpeg'] ?? null) !== null
      show(line)
      // A report that is none is no reason to cut the line: streams come in by it.
      await reportNode(services, message.report).catch((error: unknown) =>
        log.warn({ err: error, node: line.node }, 'A report of a relay node was not taken'),
      )
    } else if (message.type === 'held') {
      await hold(line, message)
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
    // A node has one line: what came before is dead, though nobody has noticed.
    for (const before of othersOf(line)) before.end()
    for (const projectId of projects) line.told.set(projectId, null)
    await endAbandoned(services, node, projects)
    teller.tellAll()
    line.send({ type: 'welcome' })
    show(line)
    await clear(line)
    log.info({ node }, 'A relay node is here')
  }

  async function admit(line: Line, asked: FromNode & { type: 'admit' }): Promise<void> {
    const { request, ...publisher } = asked
    const verdict = await admitEncoder(services, publisher)
    if ('refuse' in verdict) return line.send({ type: 'refused', request, words: verdict.refuse })
    const { projectId } = verdict
    const { keyMark, isStopped: _isStopped, ...wanted } = await wantedOf(services, projectId)
    if (await findHeld(services, projectId))
      return line.send({ type: 'admitted', request, projectId, held: true, ...wanted })
    line.told.set(projectId, { wanted: JSON.stringify(wanted), keyMark })
    show(line)
    line.send({ type: 'admitted', request, projectId, ...wanted })
  }

  /** An encoder is kept from being on air, or has gone. One that nobody keeps from it any more begins anew. */
  async function hold(line: Line, { projectId, gone }: FromNode & { type: 'held' }): Promise<void> {
    await teller.before(projectId)
    if (gone) await endHeld(services, projectId)
    else if (!(await keepHeld(services, projectId))) line.send({ type: 'release', projectId })
    teller.tell(projectId)
  }

  /** Lets other replicas know what this node has. */
  function show({ node, ffmpeg, told }: Line): void {
    if (node !== '') far.tell({ node, ffmpeg, projects: [...told.keys()] })
  }

  /** Brings nodes to what people want now: channels that were switched, changed, shared or taken away. */
  async function sweep(): Promise<void> {
    for (const line of lines) for (const projectId of line.told.keys()) await compare(line, projectId)
  }

  async function compare(line: Line, projectId: number): Promise<void> {
    const { keyMark, isStopped, ...wanted } = await wantedOf(services, projectId)
    const told = line.told.get(projectId)
    // It may have ended meanwhile.
    if (told === undefined) return
    const now = { wanted: JSON.stringify(wanted), keyMark }
    line.told.set(projectId, now)
    if (told && told.keyMark !== keyMark) line.send({ type: 'stop', projectId, words: 'The stream key was replaced' })
    // It was away when somebody stopped it.
    else if (isStopped) line.send(stopMessage(projectId))
    else if (told?.wanted !== now.wanted) line.send({ type: 'wish', projectId, ...wanted })
  }

  /** Recordings that were deleted are to go from the disk. */
  async function clear(line: Line): Promise<void> {
    const names = line.node === '' ? [] : await listRemoved(services.db, line.node)
    if (names.length > 0) line.send({ type: 'forget', names })
  }
  async function clearAll(): Promise<void> {
    for (const line of lines) {
      show(line)
      await clear(line)
    }
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
