// Handlers of the messages of relay nodes.
import servers from '#locales/en/servers.json' with { type: 'json' }
import type { RelayEvent } from '#contract/relay/events.ts'
import type { FromNode, Lease } from '#contract/relay/from-node.ts'
import {
  agreeVersion,
  type Handlers,
  type MessageOf,
  type NodeFeature,
  protocolVersions,
} from '#contract/relay/protocol.ts'
import type { LivePublisher } from '#server/app/live/live-publisher.ts'
import { publishSchedules } from '#server/app/live/write-publisher.ts'
import type { Services } from '#server/core/context.ts'
import { fill } from '#server/core/locale.ts'
import { faultOf } from '#server/db/faults.ts'
import {
  admitEncoder,
  type EncoderAdmission,
  greetNode,
  handleEvent,
  listGreetingChanges,
} from '#server/domain/broadcasts/broadcasts.ts'
import { recordEncoderRefusal } from '#server/domain/broadcasts/encoder-refusals.ts'
import { admitPlayer } from '#server/domain/broadcasts/pulls.ts'
import { admitPlay, notePlay, type PlayAdmission, playsOf } from '#server/domain/broadcasts/plays.ts'
import { listRemoved } from '#server/domain/broadcasts/recordings-store.ts'
import { endStop, extendStop } from '#server/domain/broadcasts/stops.ts'
import { readDesired } from '#server/domain/broadcasts/desired.ts'
import { listAccepting, reportNode } from '#server/domain/ingest/nodes.ts'
import { noteRemote, remotesOf } from '#server/domain/ingest/remote-sources.ts'
import {
  failPreparation,
  notePreparing,
  returnPreparation,
  schedulePreparations,
} from '#server/domain/media/preparation.ts'
import { publishFilm } from '#server/domain/realtime/film-progress.ts'
import { keyForSrt } from '#server/domain/ingest/srt-keys.ts'
import type { NodeConnection } from './node-connection.ts'
import { takesWork, wakeWork } from './node-work.ts'
import type { Owners } from './owners.ts'
import type { RemoteNodes } from './remote-nodes.ts'
import { flushSamples, readSamples, takeSample } from './samples.ts'

export interface NodeContext {
  readonly services: Services
  readonly reconcile: (connection: NodeConnection, projectId: number) => void
  readonly publisher: LivePublisher
  readonly owners: Owners
  readonly remote: RemoteNodes
  /** Other connections of the same node. */
  readonly othersOf: (connection: NodeConnection) => readonly NodeConnection[]
  /** Remembers the newest connection of a node. */
  readonly greeted: (connection: NodeConnection) => void
  /** True when the connection has closed, or the node has opened a newer one. */
  readonly isOver: (connection: NodeConnection) => boolean
  /** Publishes the projects of a node to the other replicas. */
  readonly announce: (connection: NodeConnection) => void
  readonly connections: ReadonlySet<NodeConnection>
}

/** Cause and remedy of a node without ffmpeg, as Home shows them. */
const withoutFfmpeg = (name: unknown): string =>
  fill(`${servers.no_ffmpeg.title}. ${servers.no_ffmpeg.remedy}`, { name })

export type NodeHandlers = Handlers<FromNode, [connection: NodeConnection], Promise<void>>

export function nodeHandlers(context: NodeContext): NodeHandlers {
  const { services, publisher, owners, remote, announce } = context
  return {
    hello: (message, connection) => greet(context, message, connection),
    event: (message, connection) => takeEvent(context, message, connection),
    samples: (message, connection) => takeSamples(context, message, connection),
    leases: ({ leases }, connection) => owners.renew(connection, leases),
    async poster({ projectId, at, jpeg }, connection) {
      if (!connection.projects.has(projectId)) return
      connection.posters.set(projectId, { at, jpeg: Buffer.from(jpeg, 'base64') })
      if (services.realtime.isWatched(projectId)) remote.publishPoster(projectId, at, jpeg)
    },
    async report({ report }, connection) {
      const isFirst = connection.ffmpeg === null
      connection.ffmpeg = (report['ffmpeg'] ?? null) !== null
      connection.takesBrowsers = report['browser'] === true
      connection.isFull = report['full'] === true
      await noteRoom(context, report, connection)
      if (isFirst && !connection.ffmpeg) services.log.warn({ node: connection.node }, withoutFfmpeg(report['city']))
      announce(connection)
      await takeReport(services, report, connection)
      const was = connection.isDraining
      connection.isDraining = typeof report['drainUntil'] === 'number'
      if (was || connection.isDraining) await sendListeners(context, connection.machine)
    },
    prepare: (message, connection) => takePreparation(services, message, connection),
    async held({ projectId, gone }, connection) {
      if (gone) connection.parked.delete(projectId)
      else connection.parked.set(projectId, performance.now())
      await publisher.before(projectId)
      if (gone) await endStop(services, projectId)
      else if (!(await extendStop(services, projectId))) connection.send({ type: 'release', projectId })
      publisher.publish(projectId)
    },
    async 'admit-player'({ request, key, address, transport = 'rtmp' }, connection) {
      const verdict = await admitPlayer(services, { key, address, transport, node: connection.node })
      if ('refuse' in verdict) connection.send({ type: 'refused', request, words: verdict.refuse })
      else connection.send({ type: 'player-admitted', request, ...verdict })
    },
    async key(message, connection) {
      const { request } = message
      const found = await keyForSrt(services, message)
      if ('refuse' in found) connection.send({ type: 'refused', request, words: found.refuse })
      else connection.send({ type: 'key', request, key: found.key })
    },
    refused: ({ type: _type, ...encoder }) => recordEncoderRefusal(services, encoder),
    async remote(message, connection) {
      // A source that moved or ended while the node was away.
      if (await noteRemote(services, connection.node, message)) return
      connection.send({ type: 'remotes', remotes: await remotesOf(services, connection.node) })
    },
    async play(message, connection) {
      const noted = await notePlay(services, connection.node, message)
      if (noted === 'unknown') await sendPlays(services, connection)
      if (noted === 'changed') publishSchedules(services, message.projectId)
      if (noted === 'changed') publisher.publish(message.projectId)
    },
    admit: (message, connection) => admit(context, message, connection),
  }
}

/** Informs the draining nodes of a machine whether another process of it accepts on their ports, so that they close theirs. */
async function sendListeners({ services, connections }: NodeContext, machine: string): Promise<void> {
  const draining = [...connections].filter((one) => one.machine === machine && one.isDraining)
  if (draining.length === 0) return
  const accepting = await listAccepting(services, machine)
  for (const { node, send } of draining) send({ type: 'listeners', others: accepting(node) })
}

/** Sends a node what it has to play. */
const sendPlays = async (services: Services, connection: NodeConnection): Promise<void> =>
  connection.send({ type: 'plays', plays: await playsOf(services, connection.node) })

/** Sends the names of deleted recordings that the node still has. */
export async function sendRemoved({ db }: Services, connection: NodeConnection): Promise<void> {
  const names = connection.node === '' ? [] : await listRemoved(db, connection.machine)
  if (names.length > 0) connection.send({ type: 'forget', names })
}

async function greet(context: NodeContext, hello: MessageOf<FromNode, 'hello'>, connection: NodeConnection) {
  const { services, reconcile, publisher, owners, othersOf, greeted, isOver, announce } = context
  const { node, projects, machine = node } = hello
  const version = agreeVersion(hello)
  if (version === null) return connection.send({ type: 'go-away', words: versionRefusal(hello) })
  connection.node = node
  connection.machine = machine
  connection.version = version
  connection.features = new Set(hello.features)
  greeted(connection)
  // A node has one connection: earlier ones are dead. A message that one of them is handling takes effect before this one.
  const earlier = othersOf(connection)
  for (const one of earlier) one.end()
  await Promise.all(earlier.map((one) => one.idle()))
  if (isOver(connection)) return
  const leases: readonly Lease[] = hello.leases ?? projects.map((projectId) => ({ projectId, isSending: true }))
  for (const { projectId, epoch } of leases) connection.projects.set(projectId, { epoch, desired: '', keyMark: null })
  const changing = await listGreetingChanges(services.db, node, leases)
  for (const projectId of changing) await publisher.before(projectId)
  const { lost } = await greetNode(services, node, leases)
  publisher.publishKnown(new Set([...changing, ...connection.projects.keys()]))
  connection.send({ type: 'welcome', version, leases: true })
  owners.stop(connection, lost)
  for (const projectId of connection.projects.keys()) reconcile(connection, projectId)
  announce(connection)
  await sendRemoved(services, connection)
  // A node with others learns it when it reports them.
  const remotes = await remotesOf(services, node)
  if (remotes.length > 0) connection.send({ type: 'remotes', remotes })
  if (connection.features.has('plays')) await sendPlays(services, connection)
  services.log.info({ node }, 'A relay node has connected')
}

const versionRefusal = ({ version, latest = version }: MessageOf<FromNode, 'hello'>): string =>
  `The node speaks versions ${version} to ${latest} of the protocol, this service ${protocolVersions.oldest} to ${protocolVersions.latest}`

/** Takes the samples of a second. Those that change the state of their broadcast are recorded. */
async function takeSamples(
  { services, publisher }: NodeContext,
  message: MessageOf<FromNode, 'samples'>,
  connection: NodeConnection,
) {
  for (const sample of readSamples(services, message, connection))
    if (takeSample(connection, sample)) publisher.sample(sample)
    else await record({ services, publisher }, connection, null, sample)
  connection.samples.ack = { type: 'samples-ack', seq: message.seq }
}

async function takeEvent(
  { services, publisher, announce }: NodeContext,
  { seq, event }: MessageOf<FromNode, 'event'>,
  connection: NodeConnection,
) {
  if (event.type === 'sample' && takeSample(connection, event)) {
    connection.samples.ack = { type: 'ack', seq }
    return publisher.sample(event)
  }
  // Events are recorded in the order in which they came, and acknowledge all earlier ones.
  await flushSamples(services, connection)
  const { projectId, type } = event
  const { projects } = connection
  await record({ services, publisher }, connection, seq, event)
  // A project that is on air again under a newer epoch stays.
  const sent = projects.get(projectId)
  if (type === 'ended' && sent?.epoch === (event.epoch ?? sent?.epoch)) {
    projects.delete(projectId)
    connection.posters.delete(projectId)
    connection.samples.newest.delete(projectId)
    announce(connection)
  }
  connection.send({ type: 'ack', seq })
}

/** Records an event, and publishes the state of its project. @param seq number of the event; null: a repetition changes nothing */
async function record(
  { services, publisher }: Pick<NodeContext, 'services' | 'publisher'>,
  { node, machine }: NodeConnection,
  seq: number | null,
  event: RelayEvent,
) {
  await publisher.before(event.projectId)
  await handleEvent(services, node, seq, event, machine).catch((error: unknown) => {
    if (faultOf(error)) throw error
    // An event that can never be recorded must not block the following ones.
    services.log.error({ err: error, node, type: event.type }, 'An event of a relay node was dropped')
  })
  publisher.publish(event.projectId)
}

async function admit(context: NodeContext, message: MessageOf<FromNode, 'admit'>, connection: NodeConnection) {
  const { request, key, address, isFull = false, isBackup, play: run } = message
  const { services } = context
  const { node } = connection
  const verdict =
    run === undefined
      ? await admitEncoder(services, { key, address, node, isFull, isBackup })
      : await admitPlay(services, { run, key, node, isFull })
  if ('refuse' in verdict)
    return connection.send({ type: 'refused', request, words: verdict.refuse, reason: verdict.reason })
  // Before the node is on air: the times of the run have changed.
  if ('isMoved' in verdict && verdict.isMoved) await sendPlays(services, connection)
  // While another node releases the project, further messages of this one are handled.
  if (!verdict.isStopped && verdict.from)
    return void context.owners
      .replace(verdict.projectId, verdict.from)
      .then(() => sendGrant(context, connection, request, verdict))
      .catch(connection.fail)
  await sendGrant(context, connection, request, verdict)
}

async function sendGrant(
  { services, announce, reconcile }: NodeContext,
  connection: NodeConnection,
  request: number,
  verdict: EncoderAdmission | PlayAdmission,
) {
  const { projectId } = verdict
  const { state, keyMark } = await readDesired(services, projectId, connection.features)
  if (verdict.isStopped) return connection.send({ type: 'admitted', request, projectId, held: true, ...state })
  connection.projects.set(projectId, { epoch: verdict.epoch, desired: JSON.stringify(state), keyMark })
  announce(connection)
  connection.send({ type: 'admitted', request, projectId, epoch: verdict.epoch, ...state })
  // A change between the read and this line had no connection to be sent to.
  reconcile(connection, projectId)
}

/** Stores a report. What waits for a node follows when it begins to take work, and what it has when it ceases to. */
async function takeReport(
  services: Services,
  report: Readonly<Record<string, unknown>>,
  connection: NodeConnection,
): Promise<void> {
  const { node, takesWork: before } = connection
  const now = takesWork(report)
  try {
    await reportNode(services, report, async (trx) => {
      if (now !== before) await wakeWork(trx, now ? null : node)
    })
    connection.takesWork = now
  } catch (error) {
    // An invalid report must not close the connection, because encoders depend on it.
    services.log.warn({ err: error, node }, 'The report of a relay node is invalid')
  }
}

/** Notes whether a node would prepare films, and has it do so when it begins to. */
async function noteRoom(
  { services }: NodeContext,
  report: Readonly<Record<string, unknown>>,
  connection: NodeConnection,
): Promise<void> {
  const had = connection.takesFilms
  connection.takesFilms =
    connection.features.has('prepare' satisfies NodeFeature) &&
    connection.ffmpeg === true &&
    report['preparing'] === false &&
    !connection.isFull
  if (connection.takesFilms && !had) await schedulePreparations(services.db)
}

/** Notes the progress of a preparation. A node that is no longer needed ends it. */
async function takePreparation(
  services: Services,
  { job, state, done, error, words }: MessageOf<FromNode, 'prepare'>,
  { node, send }: NodeConnection,
): Promise<void> {
  if (state === 'working') {
    const film = await notePreparing(services, job, done ?? null)
    return film ? publishFilm(services, film, false) : send({ type: 'unprepare', job })
  }
  const film =
    state === 'failed' && error
      ? await failPreparation(services, job, error)
      : await returnPreparation(services, job, state === 'failed')
  if (!film) return
  if (words !== undefined) services.log.warn({ node, film: film.id, error, words }, 'A film could not be prepared')
  publishFilm(services, film, true)
}
