// The relay of one node: takes encoders in, keeps the projects that are on air, and tells what happens.
import { createServer, type Server, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { networkOf } from '#server/core/limits.ts'
import type { Certificate } from './ingest/certificate.ts'
import { createParking } from './ingest/parking.ts'
import type { Playback, PlayRequest } from './ingest/player.ts'
import {
  type IngestSession,
  type Publication,
  type PublishRequest,
  type Refused,
  serveIngest,
} from './ingest/session.ts'
import { Live, type LiveOptions, tooMuch, withoutFfmpeg } from './live.ts'
import { usualBitrateTiming } from './media/bitrate-limit.ts'
import type { KeyQuestion } from './srt/callers.ts'
import { srtDoor } from './srt/door.ts'
import { refusal } from './srt/handshake.ts'
import { listenSrt, type SrtListener } from './srt/listener.ts'
import { addUp, type Admission, type LiveEvent, type LiveSample, type LiveWish, type Totals } from './told.ts'

export interface RelayOptions extends Omit<LiveOptions, 'onEvent' | 'onEnd'> {
  /** Whose key it is, and what to do with the stream; or what the encoder shall tell its user. */
  readonly admit: (request: PublishRequest) => Promise<Admission | Refused>
  /** Whose pull key it is. Left out: nobody may fetch. */
  readonly admitPlayer?: (request: PlayRequest) => Promise<PlayAdmission | Refused>
  /** Which key a caller by SRT encrypts by. Left out: none may encrypt. */
  readonly keyOf?: (asked: KeyQuestion) => Promise<{ readonly key: string } | Refused>
  readonly onEvent: (event: LiveEvent) => void
  /** The encoder of a broadcast that a person stopped sends on, or does not any more. Left out: nobody asks. */
  readonly onHeld?: (projectId: number, gone: boolean) => void
  /** Every second for every project on air. */
  readonly onSample: (sample: LiveSample) => void
  /** From the socket to `publish`, in milliseconds. */
  readonly readyMs: number
  /** Encoders of one address that have not published yet. */
  readonly strangersMax: number
}

/** What the service allows a player. */
export interface PlayAdmission {
  readonly projectId: number
  /** Number of the pull key. */
  readonly keyId: number
}

export interface Relay {
  /** May be called for several ports. @param certificate takes RTMPS there @returns the port */
  listen(port: number, host: string, certificate?: Certificate): Promise<number>
  /** Takes SRT on a UDP port. @returns the port */
  listenSrt(port: number, host: string): Promise<number>
  /** Brings the destinations of a project on air to what is wanted. */
  wish(projectId: number, wishes: LiveWish): void
  retry(projectId: number, destinationId: number): void
  /** Ends a broadcast. The encoder hears the words, and is disconnected. */
  stop(projectId: number, words?: string): void
  /** Ends a broadcast, and keeps the encoder: one that was disconnected would come back by itself. */
  hold(projectId: number): void
  /** An encoder that is held is disconnected, and may begin anew. */
  release(projectId: number): void
  live(projectId: number): Live | undefined
  /** Projects on air. */
  projects(): number[]
  /** What went through since the start. */
  totals(): Totals
  close(): Promise<void>
}

const sampleMs = 1_000
/** How long a packet may take by SRT at least, milliseconds: what SRT itself takes. An encoder may want more. */
const srtLatencyMs = 120

/** Makes a relay; it listens once told to. */
export function createRelay(options: RelayOptions): Relay {
  const lives = new Map<number, Live>()
  const sockets = new Set<Socket>()
  const strangers = new Map<string, number>()
  /** Projects whose encoder sent more than their tariff allows. */
  const refused = new Map<number, { readonly until: number; readonly kbpsMax: number }>()
  const { bitrate = usualBitrateTiming } = options
  const parking = createParking(options.onHeld ?? (() => {}))
  let past: Totals = { bytes: 0, packets: 0, dropped: 0 }

  const servers: Server[] = []
  let srt: SrtListener | undefined

  /** @param certificate for a connection that begins with TLS */
  function accept(raw: Socket, certificate?: Certificate) {
    raw.on('error', () => undefined)
    const secureContext = certificate?.context()
    if (secureContext === null) return void raw.destroy()
    const socket = secureContext ? new TLSSocket(raw, { isServer: true, secureContext }) : raw
    const address = networkOf(raw.remoteAddress ?? '')
    const count = (strangers.get(address) ?? 0) + 1
    if (count > options.strangersMax) return void raw.destroy()
    strangers.set(address, count)
    let known = false
    const leave = () => {
      if (known) return
      known = true
      const left = (strangers.get(address) ?? 1) - 1
      if (left > 0) strangers.set(address, left)
      else strangers.delete(address)
    }
    sockets.add(socket)
    socket.on('close', () => {
      sockets.delete(socket)
      leave()
    })
    serveIngest(socket, {
      readyMs: options.readyMs,
      admit: (request, session) => admit(request, session, leave),
      admitPlayer: (request) => admitPlayer(request, leave),
    })
  }

  /** @param onKnown once the key is known to be right */
  async function admit(
    request: PublishRequest,
    session: IngestSession,
    onKnown = () => {},
  ): Promise<Publication | Refused> {
    const admission = await options.admit(request)
    if ('refuse' in admission) return admission
    if (admission.held) {
      onKnown()
      return parking.take(admission.projectId, session)
    }
    const over = refused.get(admission.projectId)
    if (over && over.until > Date.now()) return { refuse: tooMuch(over.kbpsMax), code: refusal.unacceptable }
    const live = lives.get(admission.projectId)
    if (live?.busy(Date.now())) return { refuse: 'Another encoder is on air with this key', code: refusal.conflict }
    onKnown()
    const begun = live ?? open(admission.projectId)
    const { take, ended } = begun.begin(session, request)
    begun.wish(admission)
    return {
      take,
      ended(how) {
        ended(how)
        parking.left(admission.projectId, session, how)
      },
    }
  }

  async function admitPlayer(request: PlayRequest, onKnown = () => {}): Promise<Playback | Refused> {
    const admission = await (options.admitPlayer?.(request) ?? { refuse: 'This server takes streams' })
    if ('refuse' in admission) return admission
    const live = lives.get(admission.projectId)
    if (!live) return { refuse: 'Nothing is on air', code: refusal.notFound }
    if (!live.pulls.hasRoom(admission.keyId)) return { refuse: 'Too many fetch by this key', code: refusal.overload }
    const leave = live.takePlace()
    if (!leave) return { refuse: 'The server sends as much as it may. Try again later', code: refusal.overload }
    onKnown()
    let end = () => {}
    return {
      begin: (player) => (end = live.pulls.add(admission.keyId, player)),
      beginTransport: (player) => (end = live.pulls.addTransport(admission.keyId, player)),
      ended() {
        leave()
        end()
      },
    }
  }

  function onEvent(event: LiveEvent) {
    if (event.type === 'bitrate' && event.state === 'refused')
      refused.set(event.projectId, { until: event.at + bitrate.refuseMs, kbpsMax: event.kbpsMax })
    options.onEvent(event)
  }

  function open(projectId: number): Live {
    const onEnd = () => {
      lives.delete(projectId)
      past = addUp([past, live.totals()])
    }
    const live = new Live(projectId, { ...options, onEnd, onEvent })
    lives.set(projectId, live)
    return live
  }

  const clock = setInterval(() => {
    const now = Date.now()
    for (const live of lives.values()) options.onSample(live.watch(now))
    parking.watch(now)
    for (const [projectId, { until }] of refused) if (until <= now) refused.delete(projectId)
  }, sampleMs)

  return {
    async listen(port, host, certificate) {
      const server = createServer({ noDelay: true }, (socket) => accept(socket, certificate))
      servers.push(server)
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, resolve)
      })
      const address = server.address()
      return typeof address === 'object' && address ? address.port : port
    },
    async listenSrt(port, host) {
      const { programs } = options.transcoding ?? withoutFfmpeg
      const keyOf = options.keyOf ?? (async () => ({ refuse: 'No key by a number here', code: refusal.unsecure }))
      const door = srtDoor({ programs, admit, admitPlayer, keyOf })
      srt = await listenSrt(port, host, { ...door, latencyMs: srtLatencyMs, strangersMax: options.strangersMax })
      return srt.port
    },
    wish: (projectId, wishes) => lives.get(projectId)?.wish(wishes),
    retry: (projectId, destinationId) => lives.get(projectId)?.retry(destinationId),
    stop: (projectId, words) => lives.get(projectId)?.end(words),
    hold(projectId) {
      const session = lives.get(projectId)?.leave()
      if (session) parking.park(projectId, session)
    },
    release: parking.release,
    live: (projectId) => lives.get(projectId),
    projects: () => [...lives.keys()],
    totals: () => addUp([past, ...[...lives.values()].map((live) => live.totals())]),
    async close() {
      clearInterval(clock)
      for (const live of lives.values()) live.end('The server is going down')
      const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)))
      for (const socket of sockets) socket.destroySoon()
      await Promise.all([...closed, srt?.close()])
    },
  }
}
