// Parts of a node, and the flow of events and messages between them.
import { join } from 'node:path'
import type { RelayEvent } from '#contract/relay/events.ts'
import type { FromService } from '#contract/relay/from-service.ts'
import { dispatch, type Handlers } from '#contract/relay/protocol.ts'
import { type Admissions, createAdmissions } from './admissions.ts'
import type { Capacity } from './capacity.ts'
import { createDrain, type Drain } from './drain.ts'
import { createEgress } from './egress.ts'
import { keepLeases, type LeaseKeeper } from './leases.ts'
import type { NodeOptions } from './node-options.ts'
import { takePosters } from './posters.ts'
import { createPreviews, type Previews } from './preview.ts'
import { createMediaConnections, type MediaConnections } from './media-connections.ts'
import { mayHaveCard } from './programs/cards.ts'
import { openPrograms, type Programs } from './programs/programs.ts'
import { createHlsSender, type HlsSender } from './pulls/hls.ts'
import { createFileSender, type FileSender } from './recording/files.ts'
import { Recordings } from './recording/recordings.ts'
import { createRelay, type Relay } from './relay.ts'
import { createRemoteSources, type RemoteSources } from './remote/sources.ts'
import { createFilmShelf, type FilmShelf, noFilms } from './library/films.ts'
import { createPlays, type Plays } from './library/plays.ts'
import { createPreparer, type Preparer } from './library/prepare.ts'
import { SampleQueue } from './sample-queue.ts'
import type { ServiceConnection } from './service-connection.ts'
import { createSlateShelf } from './sources/slates.ts'
import { slots } from './transcoders/slots.ts'
import type { TranscoderTools } from './transcoders/transcoder.ts'

// Journal of events that the service has not acknowledged.

/** Events that are kept: days of channels that reconnect. Above, the oldest are dropped. */
const entriesMax = 5_000

interface Entry<E> {
  readonly seq: number
  readonly event: E
}

/** Numbers and stores events. Numbers begin at the start time, so that they grow over restarts of the node. */
class Journal<E> {
  #seq = Date.now() * 1000
  #entries: Entry<E>[] = []

  /** Stores an event. @returns its number */
  add(event: E): number {
    const seq = ++this.#seq
    this.#entries.push({ seq, event })
    if (this.#entries.length > entriesMax) this.#entries.shift()
    return seq
  }

  /** The service acknowledged all events up to this number. */
  acknowledge(seq: number): void {
    this.#entries = this.#entries.filter((entry) => entry.seq > seq)
  }

  /** Returns unacknowledged events in order. */
  pending(): readonly Entry<E>[] {
    return this.#entries
  }
}

/** Timeout from the socket to `publish`, milliseconds. */
const readyMs = 10_000
/** Connections of one address that have not been admitted. */
const pendingMax = 20

export interface NodeParts {
  readonly relay: Relay
  readonly programs: Programs
  readonly journal: Journal<RelayEvent>
  readonly samples: SampleQueue
  readonly leases: LeaseKeeper
  readonly transcoding: TranscoderTools
  readonly films: FilmShelf
  readonly drain: Drain
  readonly admissions: Pick<Admissions, 'repeat'>
  readonly preparer: Preparer
  handle(message: FromService): void
  close(): Promise<void>
}

interface PartsOptions extends NodeOptions {
  /** Sends a report of the node now. */
  readonly onReport: () => void
  /** Called with whether another process of the machine accepts on the same ports. */
  readonly onOthers: (others: boolean) => void
}

export function createParts(options: PartsOptions, connection: ServiceConnection, capacity: Capacity): NodeParts {
  const { send } = connection
  const samples = new SampleQueue(connection)
  const journal = new Journal<RelayEvent>()
  const programs = openPrograms(options.ffmpeg, (options.cardTranscoders ?? 0) > 0 && mayHaveCard())
  const folder = options.recordings ?? ''
  const lives = () => relay.projects().flatMap((projectId) => relay.live(projectId) ?? [])

  function publish(event: RelayEvent) {
    send({ type: 'event', seq: journal.add(event), event })
    effects[event.type]?.(event.projectId)
  }

  const effects: Partial<Record<RelayEvent['type'], (projectId: number) => void>> = {
    'source-began': (projectId) => (leases.check(), recordings.begin(projectId)),
    'source-lost': () => leases.check(),
    ended(projectId) {
      leases.check()
      admissions.forget(projectId)
      previews.end(projectId)
      recordings.end(projectId)
      hls.end(projectId)
    },
  }

  const admissions = createAdmissions({
    isOpen: connection.isOpen,
    send,
    projects: () => relay.projects(),
    isFull: () => capacity.isFull() || drain.until() !== null,
    isClosed: () => drain.isOver(),
    onGrant: ({ projectId, record }) => recordings.update(projectId, record),
  })
  const transcoding = transcodingOf(programs, options)
  const films = filmsOf(programs, options)
  const relay = createRelay({
    ...options,
    egress: options.egressKbps ? createEgress(options.egressKbps) : undefined,
    transcoding,
    slates: createSlateShelf({ service: options.service, programs, films }),
    readyMs,
    pendingMax,
    admit: admissions.admit,
    admitPlayer: admissions.admitPlayer,
    keyOf: admissions.keyOf,
    onEvent: publish,
    onParked: (projectId, gone) => send({ type: 'held', projectId, gone }),
    onRefused: (encoder) => send({ type: 'refused', ...encoder }),
    onSample: ({ type: _type, ...sample }) => samples.add(sample),
    onSecond() {
      capacity.measure()
      drain.watch()
    },
  })
  const drain = drainOf(options, relay)
  const leases = keepLeases({
    lives,
    ended: () => journal.pending().flatMap(({ event }) => (event.type === 'ended' ? event : [])),
    send,
    timing: options.leases,
  })
  const recordings = new Recordings({
    folder,
    programs,
    live: relay.live,
    report: (projectId, recording) => publish({ type: 'recording', projectId, at: Date.now(), recording }),
  })
  const remotes = createRemoteSources({ ...options.dial, programs, admit: relay.admit, send })
  const plays = createPlays({ films, admit: relay.admit, send })
  const previews = createPreviews({ ...options, live: relay.live })
  const [browsers, hls] = [createMediaConnections(options), createHlsSender({ ...options, live: relay.live, programs })]
  const files = createFileSender({ ...options, folder, isBusy: () => relay.projects().length > 0 })
  const preparer = createPreparer({
    ...preparerOf(options),
    programs,
    send,
    isLoaded: () => isLoaded(capacity, drain, transcoding),
  })
  const endPosters = takePosters({
    programs,
    lives,
    onPoster: (poster) => connection.hasRoom() && send({ type: 'poster', ...poster }),
  })

  const served = { recordings, remotes, plays, previews, browsers, hls, files, preparer }
  const handlers = handlersOf({ options, relay, journal, samples, leases, admissions, drain, ...served })
  return {
    relay,
    programs,
    journal,
    samples,
    leases,
    transcoding,
    films,
    drain,
    admissions,
    preparer,
    handle: (message) => dispatch(handlers, message),
    close: closing({ endPosters, leases, relay, programs, films, ...served }),
  }
}

/** Returns what the preparer takes of the options. Processes of a machine have folders of their own. */
const preparerOf = ({ preparing = '', about: { node }, service, onReport }: PartsOptions) => ({
  folder: preparing && join(preparing, node),
  service,
  onChange: onReport,
})

/** Returns whether streams need the machine: it accepts none any more, or all transcoders are in use. */
const isLoaded = (capacity: Capacity, drain: Drain, { slots: { state } }: TranscoderTools): boolean =>
  capacity.isFull() || drain.until() !== null || (state.max > 0 && state.free === 0)

/** Returns what transcoders share. */
const transcodingOf = (
  programs: Programs,
  { transcoders = 0, cardTranscoders = 0 }: PartsOptions,
): TranscoderTools => ({ programs, slots: slots(transcoders), cardSlots: slots(cardTranscoders) })

/** Creates the shelf of clips. */
const filmsOf = (
  programs: Programs,
  { films: folder = '', filmBytesMax: bytesMax, service }: PartsOptions,
): FilmShelf => (folder === '' ? noFilms : createFilmShelf({ folder, bytesMax, service, programs }))

type ClosingParts = Pick<NodeParts, 'leases' | 'relay' | 'programs'> &
  Pick<HandlerParts, 'previews' | 'browsers' | 'recordings' | 'remotes' | 'plays' | 'hls' | 'files'> & {
    readonly endPosters: () => void
    readonly films: FilmShelf
    readonly preparer: Preparer
  }

/** Returns the function that closes the parts, the relay before what uses it. */
const closing = (parts: ClosingParts) => async () => {
  parts.endPosters()
  parts.leases.close()
  parts.remotes.close()
  parts.plays.close()
  await parts.relay.close()
  parts.previews.close()
  parts.browsers.close()
  await parts.recordings.close()
  parts.hls.close()
  parts.files.close()
  await parts.films.close()
  await parts.preparer.close()
  await parts.programs.close()
}

/** Creates the drain of the node's relay. */
const drainOf = ({ onReport, onQuit, log }: PartsOptions, relay: Relay): Drain =>
  createDrain({
    projects: relay.projects,
    disconnect: (projectId) => relay.live(projectId)?.disconnectEncoders('The server is being upgraded. Connect again'),
    onChange: onReport,
    onDone() {
      log('Drained: the relay ends')
      onQuit()
    },
  })

interface HandlerParts extends Pick<NodeParts, 'relay' | 'journal' | 'samples' | 'leases' | 'drain'> {
  readonly options: PartsOptions
  readonly admissions: Admissions
  readonly recordings: Recordings
  readonly remotes: RemoteSources
  readonly plays: Plays
  readonly previews: Previews
  readonly browsers: Pick<MediaConnections, 'open' | 'close'>
  readonly hls: HlsSender
  readonly files: FileSender
  readonly preparer: Preparer
}

/** Returns the handlers of the service's messages. */
function handlersOf(parts: HandlerParts): Handlers<FromService> {
  const {
    options,
    relay,
    journal,
    samples,
    leases,
    admissions,
    recordings,
    remotes,
    plays,
    previews,
    browsers,
    hls,
    files,
    drain,
    preparer,
  } = parts
  return {
    ...admissions.handlers,
    welcome: (message) => leases.welcome(message.leases ?? false),
    leases: ({ others }) => leases.renewed(others),
    desired(message) {
      const { type: _type, projectId, ...desired } = message
      admissions.update({ projectId, epoch: relay.live(projectId)?.epoch, ...desired })
      relay.update(projectId, desired)
      recordings.update(projectId, desired.record)
    },
    retry: ({ projectId, destinationId }) => relay.retry(projectId, destinationId),
    stop({ projectId, words, hold, epoch }) {
      if (hold) relay.park(projectId)
      else relay.stop(projectId, words, epoch)
    },
    release: ({ projectId }) => relay.release(projectId),
    preview: (message) => previews.send(message, message.projectId),
    browser: (message) => browsers.open(message, message.projectId, (socket) => relay.takeBrowser(socket, message)),
    hls: (message) => hls.send(message, message.projectId),
    file: (message) => files.send(message, message),
    forget: ({ names }) => recordings.forget(names),
    ack: ({ seq }) => journal.acknowledge(seq),
    'samples-ack': ({ seq }) => samples.acknowledge(seq),
    drain: ({ ms }) => drain.begin(ms),
    undrain: () => drain.cancel(),
    remotes: (message) => remotes.update(message.remotes),
    plays: (message) => plays.update(message.plays),
    prepare: ({ type: _type, ...work }) => preparer.begin(work),
    unprepare: ({ job }) => preparer.end(job),
    listeners: ({ others }) => options.onOthers(others),
    quit: () => options.onQuit(),
    'go-away': ({ words }) => options.log(`The service refuses this node: ${words}`),
  }
}
