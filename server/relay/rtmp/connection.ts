// RTMP connection over a socket, client or server: handshake, chunks, control messages, acknowledgements.
import { chunkStream, type Message, messageType } from './message.ts'
import type { DestinationReason } from '#contract/relay/reports.ts'
import type { Socket } from 'node:net'
import { CountedWrites } from '#server/relay/cost.ts'
import { type ChunkLimits, ChunkReader, writeChunks } from './chunks.ts'
import { acknowledgement, numberOf, ping, pingAnswer, pingedValue, setChunkSize } from './messages.ts'
import { ProtocolError } from './protocol-error.ts'
import { randomBytes } from 'node:crypto'

// Plain RTMP handshake without digests (Adobe RTMP 1.0, section 5.2).

const version = 3
const packetBytes = 1536

/** Role of this end. */
type Role = 'server' | 'client'

/** Performs the handshake on received bytes. */
class Handshake {
  readonly #role: Role
  #bytes: Buffer = Buffer.alloc(0)
  #greeted = false

  constructor(role: Role) {
    this.#role = role
  }

  /** First bytes of a client; empty for a server. */
  hello(): Buffer {
    return this.#role === 'client' ? greeting() : Buffer.alloc(0)
  }

  /**
   * Takes the next bytes.
   * @returns the bytes to send, and after the handshake the received bytes that belong to the connection
   * @throws ProtocolError when the peer does not speak RTMP version 3
   */
  read(bytes: Buffer): { readonly send: Buffer; readonly rest: Buffer | null } {
    this.#bytes = this.#bytes.length === 0 ? bytes : Buffer.concat([this.#bytes, bytes])
    if (this.#bytes.length > 0 && !this.#greeted && this.#bytes[0] !== version) throw new ProtocolError('Not RTMP')
    return this.#role === 'server' ? this.#serve() : this.#follow()
  }

  /** Reads C0 C1, responds with S0 S1 S2, then reads C2. */
  #serve() {
    let send = Buffer.alloc(0)
    if (!this.#greeted && this.#bytes.length > packetBytes) {
      send = Buffer.concat([greeting(), this.#bytes.subarray(1, 1 + packetBytes)])
      this.#bytes = this.#bytes.subarray(1 + packetBytes)
      this.#greeted = true
    }
    const over = this.#greeted && this.#bytes.length >= packetBytes
    return { send, rest: over ? this.#bytes.subarray(packetBytes) : null }
  }

  /** Reads S0 S1 S2, responds with C2. */
  #follow() {
    if (this.#bytes.length < 1 + 2 * packetBytes) return { send: Buffer.alloc(0), rest: null }
    return { send: this.#bytes.subarray(1, 1 + packetBytes), rest: this.#bytes.subarray(1 + 2 * packetBytes) }
  }
}

/** Version, time 0, zeros, random bytes. */
const greeting = (): Buffer => Buffer.concat([Buffer.from([version]), Buffer.alloc(8), randomBytes(packetBytes - 8)])

/** Chunk size after `connect`: the size of ffmpeg, accepted by all tested servers. */
export const chunkBytes = 60_000
const firstChunkBytes = 128
/** Default acknowledgement window, bytes. */
const windowBytes = 2_500_000
/** Send queue of a receiver of media: twice the longest queue, plus the GOP that it begins with. */
const mediaBytesMax = 64 * 1024 * 1024
/** Send queue of a peer that receives responses only. */
const answerBytesMax = 256 * 1024
/** Timeout for the last bytes, milliseconds. */
const goodbyeMs = 2_000
/** Limits before admission. */
const strangerLimits: ChunkLimits = { messageBytes: 64 * 1024, streams: 16 }

/** Reason why a connection ended. */
export type CloseReason = Extract<DestinationReason, 'ended' | 'timeout' | 'protocol' | 'socket' | 'closed'>

export interface ConnectionHandlers {
  /** The handshake is complete. */
  onReady(): void
  /** A command, data or media message. May throw a ProtocolError: it ends this connection. */
  onMessage(message: Message): void
  /** Called once. */
  onClose(reason: CloseReason, error?: Error): void
}

export interface Connection {
  /** Sends a message in separate chunks. */
  send(message: Message, chunkStreamId?: number): void
  /** Sends chunks that several connections share; requires `useChunks(chunkBytes)`. */
  sendChunks(bytes: Buffer): void
  /** Sets the chunk size of all further messages. */
  useChunks(bytes: number): void
  /** The peer is admitted: raises the message limit. */
  trust(): void
  /** Requests a response of the peer, which measures the round-trip time. */
  ping(): void
  /** The last measured round-trip time, milliseconds; 0 without one. */
  rtt(): number
  /** Memory in the send queue, bytes. */
  queued(): number
  /** Bytes written to the network. */
  written(): number
  /** Bytes that the peer acknowledged; 0 without acknowledgements. */
  acknowledged(): number
  received(): number
  /** Flushes the send queue, then closes. */
  end(): void
  /** Closes immediately. */
  destroy(): void
}

/**
 * Runs RTMP on a socket. Never throws: invalid data closes the connection, and `onClose` receives the reason.
 * @param options.readyMs handshake timeout, milliseconds
 */
export function openConnection(
  socket: Socket,
  role: Role,
  handlers: ConnectionHandlers,
  options: { readonly readyMs: number },
): Connection {
  const reader = new ChunkReader({ ...strangerLimits })
  let handshake: Handshake | null = new Handshake(role)
  let outBytes = firstChunkBytes
  let window = windowBytes
  let received = 0
  let receivedAtAck = 0
  let acknowledged = 0
  let rtt = 0
  /** The ping that the peer has not answered. */
  let pinged: { readonly value: number; readonly at: number } | null = null
  let waitingMax = role === 'client' ? mediaBytesMax : answerBytesMax
  let closed = false
  const out = new CountedWrites(socket)

  const timer = setTimeout(() => close('timeout'), options.readyMs)
  const close = (reason: CloseReason, error?: Error) => {
    if (closed) return
    closed = true
    clearTimeout(timer)
    socket.destroy()
    handlers.onClose(reason, error)
  }

  const send = (message: Message, id: number = chunkStream.control) => {
    if (!closed) out.write(writeChunks(message, id, outBytes))
  }

  function take(bytes: Buffer) {
    received += bytes.length
    if (handshake) {
      const { send: answer, rest } = handshake.read(bytes)
      if (answer.length > 0) out.write(answer)
      if (rest === null) return
      handshake = null
      clearTimeout(timer)
      handlers.onReady()
      takeChunks(rest)
    } else takeChunks(bytes)
    if (out.queued() > waitingMax) throw new ProtocolError('Peer does not read responses')
    if (received - receivedAtAck >= window / 2) {
      receivedAtAck = received
      send(acknowledgement(received))
    }
  }

  function takeChunks(bytes: Buffer) {
    for (const message of reader.read(bytes)) {
      if (closed) return
      if (message.type === messageType.windowSize) window = Math.max(numberOf(message), 1000)
      else if (message.type === messageType.acknowledgement) acknowledged = numberOf(message)
      else if (message.type === messageType.userControl) takeControl(message)
      else handlers.onMessage(message)
    }
  }

  function takeControl(message: Message) {
    const answer = pingAnswer(message)
    if (answer) return send(answer)
    if (pinged === null || pingedValue(message) !== pinged.value) return
    rtt = performance.now() - pinged.at
    pinged = null
  }

  readFrom(socket, (bytes) => closed || take(bytes), close)
  const begin = handshake.hello()
  if (begin.length > 0) out.write(begin)

  return {
    send,
    sendChunks(bytes) {
      waitingMax = mediaBytesMax
      if (!closed) out.write(bytes)
    },
    useChunks(bytes) {
      send(setChunkSize(bytes))
      outBytes = bytes
    },
    trust() {
      reader.limits.messageBytes = 8 * 1024 * 1024
    },
    ping() {
      const at = performance.now()
      pinged = { value: Math.trunc(at) >>> 0, at }
      send(ping(pinged.value))
    },
    rtt: () => rtt,
    queued: () => out.queued(),
    written: () => socket.bytesWritten - socket.writableLength,
    acknowledged: () => acknowledged,
    received: () => received,
    end() {
      if (closed) return
      socket.end()
      // Closes also if the peer does not.
      setTimeout(() => close('closed'), goodbyeMs).unref()
    },
    destroy: () => close('closed'),
  }
}

/** Passes data to `take`, and reports why the connection ends. Any error of the parser ends this connection only. */
function readFrom(
  socket: Socket,
  take: (bytes: Buffer) => unknown,
  close: (reason: CloseReason, error?: Error) => void,
): void {
  socket.setNoDelay(true)
  socket.on('data', (bytes) => {
    try {
      take(bytes)
    } catch (error) {
      close('protocol', error as Error)
    }
  })
  socket.on('error', (error) => close('socket', error))
  socket.on('close', () => close('ended'))
}
