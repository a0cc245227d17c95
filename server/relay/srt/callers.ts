// SRT callers of one port: stateless until the caller has proved its address by a cookie, then admission, then a connection
// (draft-sharabayko-srt 4.3.1).
import { createHmac, randomBytes, randomInt } from 'node:crypto'
import { networkOf } from '#server/core/limits.ts'
import type { KeyRequest, PathFigures } from '#server/relay/ingest/publication.ts'
import { type Refusal, refusal } from '#server/relay/ingest/refusal.ts'
import { type CallerRequest, readConclusion, writeRefusal, writeWelcome } from './conclusion.ts'
import { SrtConnection, type SrtEnd, type SrtSecret } from './connection.ts'
import { unwrap } from './encryption.ts'
import { type Handshake, handshakeType, readHandshake, srtMagic, writeHandshake } from './handshake.ts'
import { type ControlPacket, controlType, readPacket, writeControl } from './packets.ts'
import { windowPackets } from './receiver.ts'
import type { StreamId } from './stream-id.ts'

// Handshake cookies: a caller proves its address before the relay keeps state for it (draft-sharabayko-srt 4.3.1.1).

/** A cookie is valid in its minute and in the next one. */
const minuteMs = 60_000

class Cookies {
  readonly #secret = randomBytes(32)
  readonly #now: () => number

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** Returns the cookie of an address with its port. */
  of(address: string, minutesAgo = 0): number {
    const minute = Math.floor(this.#now() / minuteMs) - minutesAgo
    return createHmac('sha256', this.#secret).update(`${address} ${minute}`).digest().readUInt32BE(0)
  }

  accepts(cookie: number, address: string): boolean {
    return cookie === this.of(address) || cookie === this.of(address, 1)
  }
}

/** Address of a datagram. */
export interface Peer {
  readonly address: string
  readonly port: number
}

/** A caller that requests admission. The key is a secret. */
export interface SrtCaller {
  readonly mode: StreamId['mode']
  readonly key: string
  /** A backup encoder; `key` is without its suffix. */
  readonly isBackup: boolean
  /** The caller encrypts by the key and did not send it. */
  readonly isEncrypted: boolean
  readonly address: string
  /** Name and version of its library. */
  readonly program: string
}

/** Handlers of an admitted caller. */
export interface SrtSession {
  begin(connection: SrtConnection): void
  /** Receives payloads in order. */
  take(payload: Buffer): void
  ended(reason: SrtEnd): void
}

/** Socket of one caller. */
export interface Flow {
  send(packet: Buffer): void
  /** Returns the paths of a bonded caller. Omitted: it has one. */
  readonly paths?: () => readonly PathFigures[]
  /** Closes the socket after the packets that were sent. */
  close(): void
}

interface SrtRefused {
  readonly refuse: Refusal
}

export interface SrtOptions {
  /** Decides about a caller. Must not reject. */
  readonly admit: (caller: SrtCaller) => Promise<SrtSession | SrtRefused>
  /** Returns the key that a caller encrypts by. Must not reject. */
  readonly keyOf: (request: KeyRequest) => Promise<string | SrtRefused>
  /** A caller named a number and encrypts by another key. */
  readonly onWrongKey?: (request: KeyRequest) => void
  /** Opens a socket of its own for an admitted caller. Default: all callers share one. */
  readonly openFlow?: (to: Peer) => Promise<Flow>
  /** Minimum latency, milliseconds; a caller can request more. */
  readonly latencyMs: number
  /** Callers of one address whose admission is pending. */
  readonly pendingMax: number
}

/** All callers of one port. */
export interface Callers {
  /** Handles a datagram. Never throws. */
  take(bytes: Buffer, from: Peer): void
  /** Connected callers, and callers whose admission is pending. */
  sizes(): { readonly connections: number; readonly pending: number }
  close(): void
}

interface Verdict {
  readonly verdict: SrtSession | SrtRefused
  readonly secret: SrtSecret | null
}

/** A connected caller. */
interface Connected {
  readonly connection: SrtConnection
  /** Address, port and socket number of the caller. */
  readonly caller: string
  /** Response to its handshake; sent again if the caller repeats the handshake. */
  readonly welcome: Buffer
  readonly flow: Flow
}

const tickMs = 10
/** Callers of all addresses whose admission is pending. */
const pendingTotalMax = 500

/** @param send sends a datagram */
export const createCallers = (send: (packet: Buffer, to: Peer) => void, options: SrtOptions): Callers =>
  new SrtCallers(send, options)

class SrtCallers implements Callers {
  readonly #send: (packet: Buffer, to: Peer) => void
  readonly #options: SrtOptions
  readonly #cookies = new Cookies()
  readonly #connected = new Map<number, Connected>()
  /** Number of the connection by caller. */
  readonly #idOf = new Map<string, number>()
  /** Network of each caller whose admission is pending. */
  readonly #pending = new Map<string, string>()
  #timer: NodeJS.Timeout | undefined

  constructor(send: (packet: Buffer, to: Peer) => void, options: SrtOptions) {
    this.#send = send
    this.#options = options
  }

  take = (bytes: Buffer, from: Peer): void => {
    try {
      this.#take(bytes, from)
    } catch {
      // The datagram is invalid: it is dropped.
    }
  }

  sizes = (): ReturnType<Callers['sizes']> => ({ connections: this.#connected.size, pending: this.#pending.size })

  close(): void {
    this.#pending.clear()
    for (const { connection } of this.#connected.values()) connection.end()
    this.#stopTimer()
  }

  #take(bytes: Buffer, from: Peer): void {
    const packet = readPacket(bytes)
    if (!packet) return
    if (packet.isControl && packet.type === controlType.handshake) return this.#takeHandshake(packet, from)
    const connected = this.#connected.get(packet.destination)
    if (connected?.caller.startsWith(`${addressOf(from)} `)) connected.connection.take(packet)
  }

  #takeHandshake({ body }: ControlPacket, from: Peer): void {
    const handshake = readHandshake(body)
    if (handshake?.type === handshakeType.induction && handshake.version >= 4) this.#takeInduction(handshake, from)
    else if (handshake?.type === handshakeType.conclusion) this.#takeConclusion(handshake, from)
  }

  /** Stateless, and the response is not longer than the request. */
  #takeInduction(handshake: Handshake, from: Peer): void {
    const cookie = this.#cookies.of(addressOf(from))
    const response = { ...handshake, version: 5, encryption: 0, extension: srtMagic, cookie, extensions: [] }
    this.#respond(response, from, handshake.socket)
  }

  #takeConclusion(handshake: Handshake, from: Peer): void {
    if (!this.#cookies.accepts(handshake.cookie, addressOf(from))) return
    const caller = `${addressOf(from)} ${handshake.socket}`
    const connected = this.#connected.get(this.#idOf.get(caller) ?? -1)
    if (connected) return connected.flow.send(connected.welcome)
    if (this.#pending.has(caller)) return
    const request = readConclusion(handshake)
    if (typeof request === 'number') return this.#refuse(handshake, request, from)
    const network = networkOf(from.address)
    const pending = [...this.#pending.values()].filter((one) => one === network).length
    if (this.#pending.size >= pendingTotalMax || pending >= this.#options.pendingMax)
      return this.#refuse(handshake, refusal.overload, from)
    this.#pending.set(caller, network)
    void this.#admit(handshake, request, from, caller).catch(() => this.#pending.delete(caller))
  }

  async #admit(handshake: Handshake, request: CallerRequest, from: Peer, caller: string): Promise<void> {
    const { verdict, secret } = await this.#decide(request, from.address).catch(() => ({
      verdict: { refuse: refusal.down },
      secret: null,
    }))
    const flow = 'refuse' in verdict ? null : await this.#openFlow(from)
    // The port may have closed meanwhile.
    if (!this.#pending.delete(caller)) {
      flow?.close()
      return 'refuse' in verdict ? undefined : verdict.ended('closed')
    }
    if ('refuse' in verdict) return this.#refuse(handshake, verdict.refuse, from)
    if (flow) return this.#connect(verdict, handshake, { ...request, secret }, flow, caller)
    verdict.ended('closed')
    this.#refuse(handshake, refusal.overload, from)
  }

  /** @returns null without a free socket */
  async #openFlow(to: Peer): Promise<Flow | null> {
    const { openFlow } = this.#options
    if (!openFlow) return { send: (packet) => this.#send(packet, to), close: () => undefined }
    return openFlow(to).catch(() => null)
  }

  async #decide(request: CallerRequest, address: string): Promise<Verdict> {
    const { material, program, stream } = request
    const { mode, isBackup, number } = stream
    const key = number === null ? stream.key : await this.#options.keyOf({ mode, number, address })
    if (typeof key !== 'string') return { verdict: key, secret: null }
    const keys = material && (await unwrap(material, key))
    if (material && !keys) {
      if (number !== null) this.#options.onWrongKey?.({ mode, number, address })
      return { verdict: { refuse: refusal.badSecret }, secret: null }
    }
    const verdict = await this.#options.admit({ mode, isBackup, key, isEncrypted: material !== null, address, program })
    return { verdict, secret: keys && { keys, passphrase: key } }
  }

  #connect(
    session: SrtSession,
    handshake: Handshake,
    request: CallerRequest & Pick<Verdict, 'secret'>,
    flow: Flow,
    caller: string,
  ): void {
    let id = 0
    while (id === 0 || this.#connected.has(id)) id = randomInt(1, 2 ** 30)
    const latencyMs = Math.max(this.#options.latencyMs, request.latencyMs)
    const connection = new SrtConnection({
      mode: request.stream.mode,
      peer: handshake.socket,
      first: handshake.sequence,
      latencyMs,
      window: handshake.window,
      secret: request.secret,
      paths: flow.paths,
      out: flow.send,
      onPayload: (payload) => session.take(payload),
      onEnd: (reason) => {
        this.#connected.delete(id)
        this.#idOf.delete(caller)
        if (this.#connected.size === 0) this.#stopTimer()
        session.ended(reason)
        flow.close()
      },
    })
    const response = writeWelcome(handshake, { socket: id, window: windowPackets, latencyMs })
    const welcome = handshakePacket(response, handshake.socket)
    flow.send(welcome)
    this.#connected.set(id, { connection, caller, welcome, flow })
    this.#idOf.set(caller, id)
    this.#timer ??= setInterval(() => this.#tick(), tickMs)
    session.begin(connection)
  }

  #refuse(handshake: Handshake, why: Refusal, to: Peer): void {
    this.#respond(writeRefusal(handshake, why), to, handshake.socket)
  }

  #respond(handshake: Handshake, to: Peer, destination: number): void {
    this.#send(handshakePacket(handshake, destination), to)
  }

  #stopTimer(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #tick(): void {
    for (const { connection } of this.#connected.values()) {
      try {
        connection.tick()
      } catch {
        // An error ends this connection only.
        connection.end()
      }
    }
  }
}

/** Returns an address with its port. */
export const addressOf = ({ address, port }: Peer): string => `${address}:${port}`

const handshakePacket = (handshake: Handshake, destination: number): Buffer =>
  writeControl(controlType.handshake, { timestamp: 0, destination, body: writeHandshake(handshake) })
