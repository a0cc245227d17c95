// Platform that misbehaves on request: refuses, stalls, resets, sends errors, closes in mid-message, reads slowly.
import { type Message, messageType } from '#server/relay/rtmp/message.ts'
import { setTimeout as wait } from 'node:timers/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { Packet } from '#server/relay/media/packet.ts'
import { writeChunks } from '#server/relay/rtmp/chunks.ts'
import { type Connection, openConnection } from '#server/relay/rtmp/connection.ts'
import { command, onStatus, readCommand } from '#server/relay/rtmp/messages.ts'

/** Behavior towards the next connection. */
export type Fault =
  | 'none'
  /** Accepts the connection and does not respond. */
  | 'mute'
  /** Sends data that is not RTMP. */
  | 'gibberish'
  /** `_error` on connect. */
  | 'reject-connect'
  /** `_error` on connect, with the address to redirect to. */
  | 'redirect'
  /** BadName on publish, with characters that not every database stores. */
  | 'reject-publish'
  /** Uses another stream number than 1. */
  | 'other-stream'
  /** Announces every codec, as Enhanced RTMP does. */
  | 'offers-everything'
  /** Responds byte by byte. */
  | 'slow'
  /** Accepts the stream and closes in the middle of a message. */
  | 'mid-message'
  /** Sends Publish.Start and closes: nginx-rtmp and others do so for a wrong key. */
  | 'close-after-start'
  /** Sends Publish.Start and resets the connection. */
  | 'reset-after-start'
  /** Closes instead of sending Publish.Start. */
  | 'close-on-publish'
  /** Accepts the stream and closes when a chunk is larger than those of encoders. */
  | 'small-chunks'
  /** Accepts the stream and closes when its timestamps do not start at 0. */
  | 'from-zero'

/** Received media of all connections, in order. */
export interface Arrived {
  readonly connection: number
  readonly packet: Packet
}

export interface FaultyPlatform {
  readonly port: number
  fault: Fault
  /** Target of `redirect`. */
  redirectTo: string
  readonly arrived: readonly Arrived[]
  connections(): number
  /** Number of publishing connections. */
  publishers(): number
  /** Highest number of concurrent publishing connections. */
  publishersMax(): number
  /** Closes all connections. @param how by a reset, or in order */
  cut(how: 'reset' | 'end'): void
  /** Stops reading, as on a dead link, or reads again. */
  stall(stalled: boolean): void
  /** Refuses connections. `up` accepts them again. */
  down(): Promise<void>
  up(): Promise<void>
  stop(): Promise<void>
}

/** Starts a platform on its own port. */
export async function faultyPlatform(): Promise<FaultyPlatform> {
  const arrived: Arrived[] = []
  const sockets = new Set<Socket>()
  const publishers = new Set<Socket>()
  let count = 0
  let publishersMax = 0
  let stalled = false
  let port = 0
  let server: Server | null = null

  const accept = (socket: Socket) => {
    const number = ++count
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      sockets.delete(socket)
      publishers.delete(socket)
    })
    if (platform.fault === 'mute') return void socket.resume()
    if (platform.fault === 'gibberish') return void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
    if (platform.fault === 'slow') trickle(socket)
    const chunkBytes = platform.fault === 'small-chunks' ? chunksOf(socket) : () => 0
    let isFirst = true
    const connection: Connection = openConnection(
      socket,
      'server',
      {
        onReady: () => undefined,
        onClose: () => undefined,
        onMessage: (message) => {
          if (!isMedia(message)) {
            const name = readCommand(message)?.name
            note(socket, name)
            answer(connection, message, platform)
            if (name === 'publish') hangUp(socket, platform.fault)
            return
          }
          const { type, timestamp, payload } = message
          if (platform.fault === 'mid-message') return void socket.end(half)
          if (platform.fault === 'small-chunks' && Math.min(chunkBytes(), payload.length) > encoderBytes)
            connection.destroy()
          else if (platform.fault === 'from-zero' && isFirst && timestamp > lateMs) connection.destroy()
          else arrived.push({ connection: number, packet: new Packet(type, timestamp, payload) })
          isFirst = false
        },
      },
      { readyMs: 10_000 },
    )
    connection.trust()
    if (stalled) socket.pause()
  }

  function note(socket: Socket, name: string | undefined) {
    if (name === 'publish') publishers.add(socket)
    if (name === 'FCUnpublish' || name === 'deleteStream') publishers.delete(socket)
    publishersMax = Math.max(publishersMax, publishers.size)
  }

  async function up() {
    const listening = createServer(accept)
    server = listening
    await new Promise<void>((resolve) => listening.listen(port, '127.0.0.1', resolve))
    const address = listening.address()
    if (typeof address === 'object' && address) port = address.port
  }

  const platform = {
    get port() {
      return port
    },
    fault: 'none' as Fault,
    redirectTo: '',
    arrived,
    connections: () => count,
    publishers: () => publishers.size,
    publishersMax: () => publishersMax,
    cut(how: 'reset' | 'end') {
      for (const socket of sockets) {
        if (how === 'reset') socket.resetAndDestroy()
        else socket.end()
      }
    },
    stall(now: boolean) {
      stalled = now
      for (const socket of sockets) socket[now ? 'pause' : 'resume']()
    },
    async down() {
      const closing = server
      server = null
      const closed = new Promise((resolve) => (closing ? closing.close(resolve) : resolve(null)))
      for (const socket of sockets) socket.resetAndDestroy()
      await closed
    },
    up,
    stop: (): Promise<void> => platform.down(),
  } satisfies FaultyPlatform
  await up()
  return platform
}

/** Delay before some faults close a connection after `publish`, milliseconds. */
const keptMs = 100

function hangUp(socket: Socket, fault: Fault) {
  if (fault === 'close-on-publish') socket.end()
  if (fault === 'close-after-start') setTimeout(() => socket.end(), keptMs)
  if (fault === 'reset-after-start') setTimeout(() => socket.resetAndDestroy(), keptMs)
}

/** Truncated message. */
const half = writeChunks(onStatus('status', 'NetStream.Publish.Start', 'Go'), 3, 128).subarray(0, 20)

const encoderBytes = 4096
const lateMs = 5_000

/** Tracks the chunk size that the peer announces. */
function chunksOf(socket: Socket): () => number {
  const head = Buffer.from('020000000000040100000000', 'hex')
  let bytes = 128
  let rest: Buffer = Buffer.alloc(0)
  socket.on('data', (more) => {
    const read = Buffer.concat([rest, more])
    const at = read.lastIndexOf(head)
    if (at >= 0 && read.length >= at + 16) bytes = read.readUInt32BE(at + 12)
    rest = Buffer.from(read.subarray(-15))
  })
  return () => bytes
}

/** Sends written data in small pieces with pauses. */
function trickle(socket: Socket): void {
  const write = socket.write.bind(socket) as (bytes: Uint8Array) => boolean
  let last = Promise.resolve()
  socket.write = (bytes: Uint8Array | string) => {
    const whole = Buffer.from(bytes)
    const piece = whole.length > 1000 ? 200 : 1
    for (let at = 0; at < whole.length; at += piece)
      last = last.then(() => wait(1)).then(() => void write(whole.subarray(at, at + piece)))
    return true
  }
}

/** Returns whether a message is a packet of the stream. */
export const isMedia = (message: Message): message is Message & { type: 8 | 9 | 18 } =>
  message.type === messageType.audio || message.type === messageType.video || message.type === messageType.data

/** Responds to a command of a publisher. */
export function answer(
  connection: Connection,
  message: Message,
  { fault, redirectTo }: Pick<FaultyPlatform, 'fault' | 'redirectTo'>,
) {
  const call = readCommand(message)
  if (!call) return
  const { name, transaction, streamId } = call
  if (name === 'connect' && fault === 'reject-connect') {
    const info = { level: 'error', code: 'NetConnection.Connect.Rejected', description: 'No such application' }
    connection.send(command('_error', transaction, null, [info]))
  } else if (name === 'connect' && fault === 'redirect') {
    const ex = { code: 302, redirect: redirectTo }
    const info = { level: 'error', code: 'NetConnection.Connect.Rejected', description: 'Moved', ex }
    connection.send(command('_error', transaction, null, [info]))
  } else if (name === 'connect') {
    const offer = fault === 'offers-everything' ? { fourCcList: ['*'] } : {}
    const info = { level: 'status', code: 'NetConnection.Connect.Success', ...offer }
    connection.send(command('_result', transaction, null, [info]))
  } else if (name === 'createStream') {
    connection.send(command('_result', transaction, null, [fault === 'other-stream' ? 7 : 1]))
  } else if (name === 'publish' && fault === 'reject-publish') {
    connection.send(onStatus('error', 'NetStream.Publish.BadName', 'Unknown key\u0000', streamId))
  } else if (name === 'publish' && fault !== 'close-on-publish') {
    connection.send(onStatus('status', 'NetStream.Publish.Start', 'Go', streamId))
  }
}
