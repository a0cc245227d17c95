// The lines of relay nodes: a WebSocket per node. Asks the domain, answers the node, and keeps what is on air as wanted.
import { FromNode, type Lease, UnknownEvent } from '#contract/relay/from-node.ts'
import { agreeVersion, protocolVersions, readMessage } from '#contract/relay/protocol.ts'
import type { IncomingMessage } from 'node:http'
import { WebSocket, WebSocketServer } from 'ws'
import type { Services } from '#server/core/context.ts'
import { endHeld, keepHeld } from '#server/domain/broadcasts/stops.ts'
import { admitEncoder, type EncoderAdmission, greetNode, heed, wantedOf } from '#server/domain/broadcasts/broadcasts.ts'
import { watchLostNodes } from '#server/domain/broadcasts/lost-nodes.ts'
import { admitPlayer } from '#server/domain/broadcasts/pulls.ts'
import { keyForSrt } from '#server/domain/ingest/srt-keys.ts'
import { faultOf } from '#server/db/faults.ts'
import { reportNode } from '#server/domain/ingest/nodes.ts'
import type { FarNodes } from './far-nodes.ts'
import { createLiveTeller } from '#server/app/live/live-teller.ts'
import { type Line, stopMessage } from './line.ts'
import { createOwners } from './owners.ts'
import type { UpgradeRoute } from '#server/app/http/upgrades.ts'
import { listRemoved } from '#server/domain/broadcasts/recordings-store.ts'

/** Path that nodes connect to. */
export const relayPath = '/relay'
const messageBytesMax = 256 * 1024
/** How often what is wanted is compared with what nodes were told. */
const sweepMs = 1_000
/** How often nodes are told again of deleted recordings that are still there, and replicas of nodes: rounds of that. */
const clearEvery = 10

interface NodeParts {
  /** Whether a request proves to be from a relay node. */
  readonly isNode: (request: IncomingMessage) => boolean
  readonly lines: Set<Line>
  readonly far: FarNodes
}

/** Handles the lines of nodes. @returns the route, what ends it, and what tells nodes of recordings that were deleted */
export function takeNodes(
  services: Services,
  { isNode, lines, far }: NodeParts,
): { readonly route: UpgradeRoute; readonly end: () => void; readonly clear: () => void } {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: messageBytesMax })
  const { log } = services
  const teller = createLiveTeller(services)
  const owners = createOwners(services, { lines, far, show })
  let opened = 0
  /** The last line that each node said hello on. */
  const greeted = new Map<string, number>()
  const lostNodes = watchLostNodes(services)

  function accept(socket: WebSocket) {
    const gone = Promise.withResolvers<void>()
    let last = Promise.resolve()
    const line: Line = {
      number: ++opened,
      idle: () => last,
      gone: gone.promise,
      node: '',
      told: new Map(),
      held: new Map(),
      posters: new Map(),
      ffmpeg: false,
      send: (message) => {
        if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
      },
      end: () => socket.terminate(),
      fail(error) {
        log.error({ err: error, node: line.node }, 'A message of a relay node was not taken')
        lostNodes.fail()
        // The node sends it again when it reconnects.
        socket.terminate()
      },
    }
    lines.add(line)
    socket.on('close', () => {
      lines.delete(line)
      gone.resolve()
      if (line.node !== '' && othersOf(line).length === 0) far.leave(line.node)
    })
    // One after another, in the order in which things happened.
    socket.on('message', (data: Buffer) => {
      const text = data.toString('utf8')
      const message = readMessage(FromNode, text)
      const other = message ? null : readMessage(UnknownEvent, text)
      if (!message && !other) return socket.close(1008, 'Unknown message')
      last = last.then(() => (message ? take(line, message) : leaveOut(line, other?.seq ?? 0))).catch(line.fail)
    })
  }

  /** What is not known here is lost, and what comes behind it is not: else it would be told again for ever. */
  function leaveOut(line: Line, seq: number): void {
    log.warn({ node: line.node }, 'A relay node told something that is not known here')
    line.send({ type: 'seen', seq })
  }

  /** Other lines of the same node. */
  const othersOf = (line: Line) => [...lines].filter((one) => one !== line && one.node === line.node)

  /** It is closed, or the node has said hello on a later one. */
  const isOver = (line: Line, node: string) => !lines.has(line) || (greeted.get(node) ?? 0) > line.number

  /** Facts have an epoch and a number. Other messages of a line that is over would undo what the node said on its next line. */
  function isLate(line: Line, message: FromNode): boolean {
    const node = message.type === 'hello' ? message.node : line.node
    return (message.type !== 'told' || node === '') && isOver(line, node)
  }

  async function take(line: Line, message: FromNode): Promise<void> {
    if (isLate(line, message)) return line.end()
    if (message.type === 'hello') return greet(line, message)
    if (line.node === '') throw new Error('A node that did not say who it is')
    if (message.type === 'told') {
      const { projectId } = message.event
      await teller.before(projectId)
      await heed(services, line.node, message.seq, message.event).catch((error: unknown) => {
        if (faultOf(error)) throw error
        // A fact that can never be recorded must not hold up those behind it.
        log.error({ err: error, node: line.node, type: message.event.type }, 'A fact of a relay node was dropped')
      })
      teller.tell(projectId)
      // Not where the node began again under a newer epoch.
      const { type, epoch = line.told.get(projectId)?.epoch } = message.event
      if (type === 'ended' && line.told.get(projectId)?.epoch === epoch) {
        line.told.delete(projectId)
        line.posters.delete(projectId)
        show(line)
      }
      line.send({ type: 'seen', seq: message.seq })
    } else if (message.type === 'leases') {
      await owners.renew(line, message.leases)
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

  async function greet(line: Line, hello: FromNode & { type: 'hello' }): Promise<void> {
    const { node, projects } = hello
    const version = agreeVersion(hello)
    if (version === null) return line.send({ type: 'go-away', words: versionRefusal(hello) })
    line.node = node
    greeted.set(node, line.number)
    // A node has one line: earlier ones are dead. The message that one is handling must not take effect after this greeting.
    const before = othersOf(line)
    for (const one of before) one.end()
    await Promise.all(before.map((one) => one.idle()))
    if (isOver(line, node)) return
    const leases: readonly Lease[] = hello.leases ?? projects.map((projectId) => ({ projectId, isSending: true }))
    for (const { projectId, epoch } of leases) line.told.set(projectId, { epoch, wanted: '', keyMark: null })
    const { lost, back } = await greetNode(services, node, leases)
    teller.tellAll()
    for (const projectId of back) teller.tell(projectId)
    // Nodes of version 1 receive the welcome of version 1.
    line.send({ type: 'welcome', ...(version > 1 && { version }), leases: true })
    owners.stop(line, lost)
    show(line)
    await clear(line)
    log.info({ node }, 'A relay node is here')
  }

  async function admit(line: Line, asked: FromNode & { type: 'admit' }): Promise<void> {
    const { request, key, address } = asked
    const verdict = await admitEncoder(services, { key, address, node: line.node })
    if ('refuse' in verdict)
      return line.send({ type: 'refused', request, words: verdict.refuse, reason: verdict.reason })
    // While another node lets go of the project, the line's other messages do not wait.
    if (!verdict.isHeld && verdict.from)
      return void owners
        .replace(verdict.projectId, verdict.from)
        .then(() => letIn(line, request, verdict))
        .catch(line.fail)
    await letIn(line, request, verdict)
  }

  async function letIn(line: Line, request: number, verdict: EncoderAdmission): Promise<void> {
    const { projectId } = verdict
    const { keyMark, isStopped: _isStopped, ...wanted } = await wantedOf(services, projectId)
    if (verdict.isHeld) return line.send({ type: 'admitted', request, projectId, held: true, ...wanted })
    line.told.set(projectId, { epoch: verdict.epoch, wanted: JSON.stringify(wanted), keyMark })
    show(line)
    line.send({ type: 'admitted', request, projectId, epoch: verdict.epoch, ...wanted })
  }

  /** An encoder is held off air, or has gone. Without a hold the node asks for its admission again. */
  async function hold(line: Line, { projectId, gone }: FromNode & { type: 'held' }): Promise<void> {
    if (gone) line.held.delete(projectId)
    else line.held.set(projectId, performance.now())
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
    const now = { epoch: told.epoch, wanted: JSON.stringify(wanted), keyMark }
    line.told.set(projectId, now)
    if (told.keyMark !== null && told.keyMark !== keyMark)
      line.send({ type: 'stop', projectId, words: 'The stream key was replaced' })
    // It was away when somebody stopped it.
    else if (isStopped) line.send(stopMessage(projectId))
    else if (told.wanted !== now.wanted) line.send({ type: 'wish', projectId, ...wanted })
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

  /** What needs no second: each tenth round. */
  async function tidy(): Promise<void> {
    await clearAll()
    for (const projectId of await lostNodes.end()) teller.tell(projectId)
  }

  let round = 0
  let sweeping: Promise<void> | null = null
  const timer = setInterval(() => {
    sweeping ??= (++round % clearEvery === 0 ? sweep().then(tidy) : sweep())
      .catch((error: unknown) => {
        lostNodes.fail()
        log.error({ err: error }, 'Relay nodes could not be brought up to date')
      })
      .finally(() => (sweeping = null))
  }, sweepMs)

  return {
    route: { target: /^\/relay$/, sockets, take: (request) => (isNode(request) ? accept : 401) },
    end() {
      clearInterval(timer)
      teller.close()
      for (const client of sockets.clients) client.terminate()
      sockets.close()
    },
    clear() {
      clearAll().catch((error: unknown) => log.error({ err: error }, 'Relay nodes were not told of deleted recordings'))
    },
  }
}

const versionRefusal = ({ version, latest = version }: FromNode & { type: 'hello' }): string =>
  `The node speaks versions ${version} to ${latest} of the protocol, this service ${protocolVersions.oldest} to ${protocolVersions.latest}`
