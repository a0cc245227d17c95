// The relay of one node: takes encoders in, keeps the projects that are on air, and tells what happens.
import { createServer, type Server, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { networkOf } from '#server/core/limits.ts'
import { anotherEncoder } from '#server/domain/broadcasts/live-facts.ts'
import type { Certificate } from './ingest/certificate.ts'
import { Guest } from './ingest/guest.ts'
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
  /** Ends a broadcast. The encoder hears the words, and is disconnected. @param epoch left out: whichever it has */
  stop(projectId: number, words?: string, epoch?: number): void
  /** Ends a broadcast, and keeps the encoder: one that was disconnected would come back by itself. */
  hold(projectId: number): void
  /** An encoder that is held goes on air, if the service admits it. */
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
  /** The encoder that each project has or had last. */
  const sources = new Map<number, Guest>()
  /** Parked encoders that the service is asked about. */
  const asked = new Set<Guest>()
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
    const guest = new Guest(session, request)
    const refusedWith = seat(guest, admission)
    if (refusedWith) return refusedWith
    onKnown()
    return guest
  }

  /** Puts an encoder on air, or parks it where it may not be. @returns why it can be neither */
  function seat(guest: Guest, admission: Admission): Refused | null {
    const { projectId } = admission
    if (admission.held) {
      parking.park(projectId, guest)
      return null
    }
    const over = refused.get(projectId)
    if (over && over.until > Date.now()) return { refuse: tooMuch(over.kbpsMax), code: refusal.unacceptable }
    const live = lives.get(projectId)
    if (live?.busy(Date.now())) return { refuse: anotherEncoder, code: refusal.conflict }
    const begun = live ?? open(projectId)
    sources.set(projectId, guest)
    guest.place = begun.begin(guest.session, guest.request, admission.epoch)
    begun.wish(admission)
    return null
  }

  /** Asks again for a parked encoder, and puts it on air over the connection that it has. */
  async function release(projectId: number): Promise<void> {
    const guest = parking.find(projectId)
    if (!guest || asked.has(guest)) return
    asked.add(guest)
    const admission = await options.admit(guest.request).finally(() => asked.delete(guest))
    // It may have gone while the service answered.
    if (parking.find(projectId) !== guest) return
    if ('refuse' in admission) {
      // Without an answer it stays parked, and is asked for again.
      if (admission.code !== refusal.down) dismiss(projectId, guest, admission)
    } else if (!admission.held) {
      const opening = parking.leave(projectId)
      const refusedWith = seat(guest, admission)
      if (refusedWith) return dismiss(projectId, guest, refusedWith)
      for (const message of opening) guest.place.take(message, message)
    }
  }

  function dismiss(projectId: number, { session }: Guest, { refuse }: Refused) {
    parking.leave(projectId)
    session.end('NetStream.Publish.BadName', refuse)
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
      sources.delete(projectId)
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
    stop(projectId, words, epoch) {
      const live = lives.get(projectId)
      if (epoch === undefined || live?.epoch === epoch) live?.end(words)
    },
    hold(projectId) {
      const guest = sources.get(projectId)
      const live = lives.get(projectId)
      const session = live?.leave()
      if (guest && session === guest.session) parking.park(projectId, guest, live?.hub.opening())
    },
    release: (projectId) => void release(projectId).catch(() => undefined),
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
