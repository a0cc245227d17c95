// A relay node: the relay, and its line to the service. The line may break at any time; streams go on.
import { WebSocket } from 'ws'
import type { RecordingFacts } from '#server/domain/broadcasts/live-facts.ts'
import { createAdmissions } from './admissions.ts'
import { createEgress } from './egress.ts'
import { addressesOf } from './addresses.ts'
import { Journal } from './journal.ts'
import { keepLeases, type LeaseTiming } from './leases.ts'
import { type CertificateFiles, openCertificate } from './ingest/certificate.ts'
import { machineLoad } from './machine.ts'
import { type FromNode, FromService, protocolVersion, readMessage } from './protocol.ts'
import { openPrograms } from './programs/programs.ts'
import { takePosters } from './posters.ts'
import { createPreviews } from './preview.ts'
import { slots } from './transcoders/slots.ts'
import { createHlsSender } from './pulls/hls.ts'
import { createRelay, type Relay, type RelayOptions } from './relay.ts'
import { createFileSender } from './recording/files.ts'
import { keepRecordings } from './recording/recordings.ts'
import type { LiveEvent, LiveSample } from './told.ts'

export interface NodeOptions extends Pick<RelayOptions, 'bitrate' | 'dial' | 'gatherMs' | 'graceMs' | 'timing'> {
  /** Where the service is, `ws://…/relay`. */
  readonly service: string
  /** What the service knows its nodes by. */
  readonly token: string
  /** Who and where this node is. */
  readonly about: {
    readonly node: string
    readonly city: string
    readonly country: string
    readonly lat: number
    readonly long: number
    /** Name or address that encoders reach it by. */
    readonly host: string
    /** Host and port whose `GET /healthz` browsers measure the latency by; empty where nothing answers. */
    readonly pingHost: string
  }
  readonly listen: { readonly host: string; readonly port: number }
  /** Takes RTMPS as well. */
  readonly secure?: (CertificateFiles & { readonly port: number }) | undefined
  /** UDP port for SRT; left out: SRT is not taken. */
  readonly srtPort?: number | undefined
  /** Name or path of ffmpeg; empty: do without it. */
  readonly ffmpeg: string
  /** Kilobits per second that may go out to channels and players; left out or 0: any. */
  readonly egressKbps?: number
  /** How many transcoders may run at a time; left out: none. */
  readonly transcoders?: number
  /** Folder of recordings; left out or empty: nothing is recorded. */
  readonly recordings?: string
  /** How often the line to the service is checked, and how long it may take to open; left out: 10 s. Then it is opened anew. */
  readonly pulseMs?: number
  /** How often leases are renewed. */
  readonly leases?: LeaseTiming
  /** The service started it: it ends with it, unless something is on air. */
  readonly owned: boolean
  /** It shall end. */
  readonly onQuit: () => void
  /** A line about what happens; never a secret. */
  readonly say: (text: string) => void
}

export interface RelayNode {
  /** As encoders know it. */
  readonly host: string
  readonly port: number
  /** Of RTMPS; undefined where it is not taken. */
  readonly securePort: number | undefined
  /** Of SRT; undefined where it is not taken. */
  readonly srtPort: number | undefined
  close(): Promise<void>
}

type Told =
  | LiveEvent
  | { readonly type: 'recording'; readonly projectId: number; readonly at: number; readonly recording: RecordingFacts }
  | ({ readonly type: 'sample' } & LiveSample)

const reconnectMs = 1_000
const reportMs = 30_000
const usualPulseMs = 10_000
/** A node that was started by a service which is gone, and has nothing on air, ends after so long. */
const orphanMs = 60_000

/** Starts a node. It listens for encoders at once, and looks for the service for as long as it takes. */
export async function startNode(options: NodeOptions): Promise<RelayNode> {
  const { pulseMs = usualPulseMs } = options
  const journal = new Journal<Told>()
  const programs = openPrograms(options.ffmpeg)
  let line: WebSocket | null = null
  let closing = false
  let lastSeen = Date.now()

  const send = (message: FromNode) => {
    if (line?.readyState === WebSocket.OPEN) line.send(JSON.stringify(message))
  }
  const admissions = createAdmissions({
    isOpen: () => line?.readyState === WebSocket.OPEN,
    send,
    projects: () => relay.projects(),
    onAllowed: ({ projectId, record }) => recordings.wish(projectId, record),
  })
  const tell = (event: Told) => {
    send({ type: 'told', seq: journal.add(event), event })
    if (event.type === 'source-began' || event.type === 'source-lost' || event.type === 'ended') leases.look()
    if (event.type === 'source-began') recordings.begin(event.projectId)
    if (event.type !== 'ended') return
    admissions.forget(event.projectId)
    previews.end(event.projectId)
    recordings.end(event.projectId)
    hls.end(event.projectId)
  }

  const relay: Relay = createRelay({
    ...options,
    egress: options.egressKbps ? createEgress(options.egressKbps) : undefined,
    transcoding: { programs, slots: slots(options.transcoders ?? 0) },
    readyMs: 10_000,
    strangersMax: 20,
    ...admissions,
    onEvent: tell,
    onHeld: (projectId, gone) => send({ type: 'held', projectId, gone }),
    onSample: (sample) => tell({ type: 'sample', ...sample }),
  })

  const leases = keepLeases({
    lives: () => relay.projects().flatMap((projectId) => relay.live(projectId) ?? []),
    ended: () => journal.unseen().flatMap(({ event }) => (event.type === 'ended' ? event : [])),
    send,
    timing: options.leases,
  })
  const recordings = keepRecordings({
    folder: options.recordings ?? '',
    programs,
    live: relay.live,
    tell: (projectId, recording) => tell({ type: 'recording', projectId, at: Date.now(), recording }),
  })
  const previews = createPreviews({ ...options, live: relay.live })
  const hls = createHlsSender({ ...options, live: relay.live, programs })
  const files = createFileSender({
    ...options,
    folder: options.recordings ?? '',
    isBusy: () => relay.projects().length > 0,
  })
  const endPosters = takePosters({
    programs,
    lives: () => relay.projects().flatMap((projectId) => relay.live(projectId) ?? []),
    onPoster: (poster) => send({ type: 'poster', ...poster }),
  })

  const { listen, secure } = options
  const port = await relay.listen(listen.port, listen.host)
  const certificate = secure && openCertificate(secure, options.say)
  const securePort = secure && (await relay.listen(secure.port, listen.host, certificate))
  const srtPort = await takeSrt()
  const { host, ...about } = options.about
  const load = machineLoad(relay.totals)
  const report = async () => {
    const ffmpeg = await programs.ffmpeg
    const time = new Date().toISOString()
    const rtmps = certificate?.context() ? securePort : undefined
    const addresses = addressesOf({ host, rtmp: port, rtmps, srt: ffmpeg ? srtPort : undefined })
    send({ type: 'report', report: { ...about, beside: options.owned, time, ...addresses, ffmpeg, load: load() } })
  }

  /** A port that is taken costs SRT alone. */
  async function takeSrt(): Promise<number | undefined> {
    if (options.srtPort === undefined) return undefined
    try {
      return await relay.listenSrt(options.srtPort, listen.host)
    } catch (error) {
      options.say(`No SRT: ${(error as Error).message}`)
      return undefined
    }
  }

  function connect() {
    if (closing) return
    const headers = { authorization: `Bearer ${options.token}` }
    const socket = new WebSocket(options.service, { headers, handshakeTimeout: pulseMs })
    line = socket
    let isHeard = true
    // A line may die without a word, with the machine at its other end.
    const pulse = setInterval(() => {
      if (socket.readyState !== WebSocket.OPEN) return
      if (!isHeard) return socket.terminate()
      isHeard = false
      socket.ping()
    }, pulseMs)
    socket.on('pong', () => (isHeard = true))
    socket.on('open', () => {
      const hello = { version: protocolVersion, node: about.node, projects: relay.projects() }
      send({ type: 'hello', ...hello, leases: leases.greet() })
      void report()
      for (const { seq, event } of journal.unseen()) send({ type: 'told', seq, event })
    })
    socket.on('message', (data: Buffer) => {
      lastSeen = Date.now()
      const message = readMessage(FromService, data.toString('utf8'))
      if (message) take(message)
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearInterval(pulse)
      if (closing) return
      if (options.owned && Date.now() - lastSeen > orphanMs && relay.projects().length === 0) return options.onQuit()
      setTimeout(connect, reconnectMs * (0.5 + Math.random()))
    })
  }

  function take(message: FromService) {
    if (message.type === 'welcome') leases.welcome(message.leases ?? false)
    else if (message.type === 'leases') leases.renewed(message.others)
    else if (message.type === 'wish') wish(message)
    else if (message.type === 'retry') relay.retry(message.projectId, message.destinationId)
    else if (message.type === 'stop') stop(message)
    else if (message.type === 'release') relay.release(message.projectId)
    else if (message.type === 'preview') previews.send(message, message.projectId)
    else if (message.type === 'hls') hls.send(message, message.projectId)
    else if (message.type === 'file') files.send(message, message)
    else if (message.type === 'forget') recordings.forget(message.names)
    else if (message.type === 'seen') journal.seen(message.seq)
    else if (message.type === 'quit') options.onQuit()
    else if (message.type === 'go-away') options.say(`The service does not take this node: ${message.words}`)
    else admissions.answer(message)
  }

  function stop({ projectId, words, hold, epoch }: FromService & { type: 'stop' }) {
    if (hold) relay.hold(projectId)
    else relay.stop(projectId, words, epoch)
  }

  function wish(message: FromService & { type: 'wish' }) {
    admissions.wish({ ...message, epoch: relay.live(message.projectId)?.epoch })
    relay.wish(message.projectId, message)
    recordings.wish(message.projectId, message.record)
  }

  const timer = setInterval(() => void report(), reportMs)
  connect()

  return {
    host,
    port,
    securePort,
    srtPort,
    async close() {
      closing = true
      clearInterval(timer)
      endPosters()
      leases.close()
      certificate?.close()
      await relay.close()
      previews.close()
      await recordings.close()
      hls.close()
      files.close()
      await programs.close()
      line?.close()
    },
  }
}
