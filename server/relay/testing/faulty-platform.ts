// A platform that misbehaves on request: refuses, stalls, resets, answers errors, closes in mid-message, reads slowly.
import { type Message, messageType } from '#server/relay/rtmp/message.ts'
import { setTimeout as wait } from 'node:timers/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { Packet } from '#server/relay/media/packet.ts'
import { writeChunks } from '#server/relay/rtmp/chunks.ts'
import { type Connection, openConnection } from '#server/relay/rtmp/connection.ts'
import { command, onStatus, readCommand } from '#server/relay/rtmp/messages.ts'

/** What it does to whoever connects next. */
export type Fault =
  | 'none'
  /** Takes the connection and says nothing. */
  | 'mute'
  /** Says things that are no RTMP. */
  | 'gibberish'
  /** `_error` on connect. */
  | 'reject-connect'
  /** `_error` on connect, with the address of another server. */
  | 'redirect'
  /** BadName on publish, in words that not every database takes. */
  | 'reject-publish'
  /** Numbers its streams otherwise than from 1. */
  | 'other-stream'
  /** Says that it takes every codec, as Enhanced RTMP does. */
  | 'offers-everything'
  /** Answers byte by byte. */
  | 'slow'
  /** Takes the stream, and closes in the middle of a message. */
  | 'mid-message'
  /** Says Publish.Start, and closes: what nginx-rtmp and others do for a wrong key. */
  | 'close-after-start'
  /** The same with a reset. */
  | 'reset-after-start'
  /** Closes where Publish.Start is expected. */
  | 'close-on-publish'
  /** Takes the stream, and closes when a chunk is larger than those of encoders. */
  | 'small-chunks'
  /** Takes the stream, and closes when its time does not begin with it. */
  | 'from-zero'

/** Media that arrived, in order, over all connections. */
export interface Arrived {
  readonly connection: number
  readonly packet: Packet
}

export interface FaultyPlatform {
  readonly port: number
  fault: Fault
  /** Where `redirect` leads. */
  elsewhere: string
  readonly arrived: readonly Arrived[]
  connections(): number
  /** Connections that are publishing. */
  publishers(): number
  /** The most connections that were publishing at one time. */
  publishersMax(): number
  /** Cuts who is connected. @param how a reset, or an orderly end */
  cut(how: 'reset' | 'end'): void
  /** Stops reading, as a dead link does, or goes on. */
  stall(stalled: boolean): void
  /** Refuses connections, or takes them again. */
  down(): Promise<void>
  up(): Promise<void>
  stop(): Promise<void>
}

/** Starts one on a port of its own. */
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
    elsewhere: '',
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

/** How long some faults keep a connection after `publish`, in milliseconds. */
const keptMs = 100

function hangUp(socket: Socket, fault: Fault) {
  if (fault === 'close-on-publish') socket.end()
  if (fault === 'close-after-start') setTimeout(() => socket.end(), keptMs)
  if (fault === 'reset-after-start') setTimeout(() => socket.resetAndDestroy(), keptMs)
}

/** A message of which only the beginning comes. */
const half = writeChunks(onStatus('status', 'NetStream.Publish.Start', 'Go'), 3, 128).subarray(0, 20)

const encoderBytes = 4096
const lateMs = 5_000

/** How large the chunks are that the other end says it sends. */
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

/** Sends what is written in small pieces, with pauses. */
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

const isMedia = (message: Message): message is Message & { type: 8 | 9 | 18 } =>
  message.type === messageType.audio || message.type === messageType.video || message.type === messageType.data

function answer(
  connection: Connection,
  message: Message,
  { fault, elsewhere }: Pick<FaultyPlatform, 'fault' | 'elsewhere'>,
) {
  const call = readCommand(message)
  if (!call) return
  const { name, transaction, streamId } = call
  if (name === 'connect' && fault === 'reject-connect') {
    const info = { level: 'error', code: 'NetConnection.Connect.Rejected', description: 'No such application' }
    connection.send(command('_error', transaction, null, [info]))
  } else if (name === 'connect' && fault === 'redirect') {
    const ex = { code: 302, redirect: elsewhere }
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
