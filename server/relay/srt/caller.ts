// SRT caller: the handshake with a listener, then a connection that sends (draft-sharabayko-srt 4.3.1).
import { randomInt } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import { SrtConnection, type SrtEnd } from './connection.ts'
import type { SrtKeys } from './encryption.ts'
import { capability, extensionType, readAbilities, writeAbilities, writeText } from './extensions.ts'
import { announcedFlags, announcedVersion } from './conclusion.ts'
import { extensionBit, type Handshake, handshakeType, readHandshake, srtMagic, writeHandshake } from './handshake.ts'
import { type ControlPacket, controlType, readPacket, writeControl } from './packets.ts'
import { windowPackets } from './receiver.ts'

/** A listener, and what to send to it. */
export interface SrtListenerAddress {
  /** Address in digits. */
  readonly address: string
  readonly port: number
  /** A secret; empty: none. */
  readonly streamId: string
  /** Latency, milliseconds; the listener can request more. */
  readonly latencyMs: number
  /** Keys of the connection, and their material for the listener; null: no encryption. */
  readonly secret: { readonly keys: SrtKeys; readonly material: Buffer } | null
}

/**
 * End of a call. `refused`: by the listener, with its code (1000 and above). `silent`: no response in time. `foreign`: the other end
 * does not speak SRT 1.3 or newer. `network`: an error of the system, with its code.
 */
export type SrtCallEnd =
  | { readonly how: 'refused'; readonly code: number }
  | { readonly how: 'silent' | 'foreign' }
  | { readonly how: 'network'; readonly error: NodeJS.ErrnoException }
  | { readonly how: SrtEnd }

export interface SrtCallHandlers {
  /** The listener accepts the stream. */
  onOpen(connection: SrtConnection): void
  /** Called once, also for a call that was never open; not after `close` or `finish`. */
  onEnd(end: SrtCallEnd): void
}

export interface SrtCall {
  /** Closes when the listener has had time to show everything: some seconds at most. */
  finish(): void
  /** Closes. An open connection sends a shutdown. */
  close(): void
}

/** A handshake packet is repeated after this time, as libsrt does, milliseconds. */
const repeatMs = 250
/** Timeout of each response of the listener, milliseconds. */
const answerMs = 3_000
const tickMs = 10
/** Marks datagrams (UDT) in an induction. */
const datagrams = 2
/** Above are types of handshakes. */
const codesMax = 10_000
/** Wrong passphrase: a listener that accepts connections without encryption reports it in its key response. */
const badSecret = handshakeType.refused + 10
/** Requested send buffer of the socket, bytes; the system may grant less. */
const bufferBytes = 4 * 1024 * 1024

/** Calls a listener. @param began beginning of the call, monotonic milliseconds */
export function callSrt(listener: SrtListenerAddress, handlers: SrtCallHandlers, began = performance.now()): SrtCall {
  return new Call(listener, handlers, began)
}

class Call implements SrtCall {
  readonly #listener: SrtListenerAddress
  readonly #handlers: SrtCallHandlers
  readonly #socket: Socket
  readonly #id = randomInt(1, 2 ** 30)
  readonly #first = randomInt(0, 2 ** 31)
  readonly #began: number
  #phase: 'induction' | 'conclusion' | 'open' | 'over' = 'induction'
  #cookie = 0
  #repeat: NodeJS.Timeout | undefined
  #timeout: NodeJS.Timeout | undefined
  #connection: SrtConnection | null = null
  /** This end closes the call. */
  #isClosing = false

  constructor(listener: SrtListenerAddress, handlers: SrtCallHandlers, began: number) {
    this.#listener = listener
    this.#handlers = handlers
    this.#began = began
    const { address, port } = listener
    this.#socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4')
    this.#socket.on('error', (error) => this.#fault(error))
    this.#socket.on('message', (bytes) => this.#take(bytes))
    this.#socket.connect(port, address, (error?: Error) => {
      if (this.#phase === 'over') return
      if (error) return this.#fault(error)
      widen(this.#socket)
      this.#await()
      this.#repeat = setInterval(() => this.#greet(), repeatMs)
      this.#greet()
    })
  }

  finish(): void {
    this.#isClosing = true
    if (!this.#connection) return this.close()
    this.#connection.finish()
    // The end of the process does not wait for it.
    this.#repeat?.unref()
    this.#socket.unref()
  }

  close(): void {
    this.#isClosing = true
    if (this.#connection) this.#connection.end()
    else if (this.#phase !== 'over') this.#release()
  }

  /** Waits for a response of the listener. */
  #await(): void {
    clearTimeout(this.#timeout)
    this.#timeout = setTimeout(() => this.#end({ how: 'silent' }), answerMs)
  }

  #take(bytes: Buffer): void {
    try {
      const packet = readPacket(bytes)
      if (!packet || packet.destination !== this.#id) return
      if (this.#phase === 'open') this.#connection?.take(packet)
      else if (this.#phase !== 'over' && packet.isControl && packet.type === controlType.handshake) this.#answer(packet)
    } catch {
      // The datagram is invalid: it is dropped.
    }
  }

  #answer({ body }: ControlPacket): void {
    const answer = readHandshake(body)
    if (!answer) return
    if (answer.type >= handshakeType.refused && answer.type < codesMax)
      return this.#end({ how: 'refused', code: answer.type })
    if (this.#phase === 'induction' && answer.type === handshakeType.induction) {
      if (answer.version !== 5 || answer.extension !== srtMagic) return this.#end({ how: 'foreign' })
      this.#phase = 'conclusion'
      this.#cookie = answer.cookie
      this.#await()
      this.#greet()
    } else if (this.#phase === 'conclusion' && answer.type === handshakeType.conclusion) this.#conclude(answer)
  }

  /** Opens the connection that the listener accepted. */
  #conclude(answer: Handshake): void {
    const content = (type: number) => answer.extensions.find((one) => one.type === type)?.content
    const response = content(extensionType.handshakeResponse)
    const abilities = response ? readAbilities(response) : null
    if (answer.version !== 5 || answer.socket === 0 || !abilities || (abilities.flags & capability.stream) !== 0)
      return this.#end({ how: 'foreign' })
    const { secret, latencyMs } = this.#listener
    // A listener that accepted the keys repeats their material.
    if (secret && content(extensionType.keyResponse)?.equals(secret.material) !== true)
      return this.#end({ how: 'refused', code: badSecret })
    this.#phase = 'open'
    clearTimeout(this.#timeout)
    clearInterval(this.#repeat)
    const connection = new SrtConnection({
      mode: 'play',
      peer: answer.socket,
      first: this.#first,
      latencyMs: Math.max(latencyMs, abilities.receiveMs),
      window: answer.window,
      secret: secret && { keys: secret.keys, passphrase: null },
      began: this.#began,
      out: (packet) => this.#put(packet),
      onPayload: () => undefined,
      onEnd: (how) => this.#end({ how }),
    })
    this.#connection = connection
    this.#repeat = setInterval(() => this.#tick(connection), tickMs)
    this.#handlers.onOpen(connection)
  }

  #tick(connection: SrtConnection): void {
    try {
      connection.tick()
    } catch {
      // An error ends this connection only.
      connection.end()
    }
  }

  /** Sends the handshake of this phase. */
  #greet(): void {
    const greeting = this.#phase === 'induction' ? this.#induction() : this.#conclusion()
    const base = { sequence: this.#first, mtu: 1500, window: windowPackets, socket: this.#id, cookie: this.#cookie }
    const body = writeHandshake({ ...base, ...greeting })
    // The receiver counts the timestamps of the media from here.
    const timestamp = Math.floor((performance.now() - this.#began) * 1000)
    this.#put(writeControl(controlType.handshake, { timestamp, destination: 0, body }))
  }

  #induction(): Greeting {
    return { version: 4, encryption: 0, extension: datagrams, type: handshakeType.induction, extensions: [] }
  }

  #conclusion(): Greeting {
    const { streamId, latencyMs, secret } = this.#listener
    const abilities = { version: announcedVersion, flags: announcedFlags, receiveMs: latencyMs, sendMs: latencyMs }
    const config = streamId === '' ? 0 : extensionBit.config
    return {
      version: 5,
      // Length of the key in units of eight bytes; the material has it in units of four.
      encryption: (secret?.material[15] ?? 0) / 2,
      extension: extensionBit.handshake | (secret ? extensionBit.key : 0) | config,
      type: handshakeType.conclusion,
      extensions: [
        { type: extensionType.handshakeRequest, content: writeAbilities(abilities) },
        ...(secret ? [{ type: extensionType.keyRequest, content: secret.material }] : []),
        ...(streamId === '' ? [] : [{ type: extensionType.streamId, content: writeText(streamId) }]),
      ],
    }
  }

  /** An open connection outlives errors of the system, which a listener that restarts causes: it has a timeout. */
  #fault(error: Error): void {
    if (this.#phase === 'induction' || this.#phase === 'conclusion') this.#end({ how: 'network', error })
  }

  #put(packet: Buffer): void {
    if (this.#phase !== 'over') this.#socket.send(packet, (error) => error && this.#fault(error))
  }

  #end(end: SrtCallEnd): void {
    if (this.#phase === 'over') return
    this.#release()
    if (!this.#isClosing) this.#handlers.onEnd(end)
  }

  #release(): void {
    this.#phase = 'over'
    this.#connection = null
    clearTimeout(this.#timeout)
    clearInterval(this.#repeat)
    // After the packets that were sent, of which the last is a shutdown.
    setImmediate(() => this.#socket.close())
  }
}

function widen(socket: Socket): void {
  try {
    socket.setSendBufferSize(bufferBytes)
  } catch {
    // The system's default is enough for most uses.
  }
}

type Greeting = Pick<Handshake, 'version' | 'encryption' | 'extension' | 'type' | 'extensions'>
