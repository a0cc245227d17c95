// One encoder that publishes to us, or a player that fetches: commands in, answers out, media to whom it was given.
import type { Socket } from 'node:net'
import { openPlayer, type Playback, type PlayRequest } from './player.ts'
import type { Amf } from '#server/relay/rtmp/amf0.ts'
import type { Message } from '#server/relay/rtmp/chunks.ts'
import { chunkBytes, type CloseReason, openConnection } from '#server/relay/rtmp/connection.ts'
import {
  chunkStream,
  type Command,
  command,
  messageType,
  onStatus,
  peerBandwidth,
  readCommand,
  streamBegin,
  textOf,
  windowSize,
} from '#server/relay/rtmp/messages.ts'
import type { Refusal } from '#server/relay/srt/handshake.ts'

/** Where an accepted publisher's media goes. */
export interface Publication {
  take(message: Message): void
  /** The encoder said goodbye (`unpublish`), what it sent cannot be passed on, or its connection ended otherwise. */
  ended(how: 'unpublish' | 'unreadable' | CloseReason): void
}

/** Somebody who is not let in. */
export interface Refused {
  /** What the encoder or player shall tell its user. */
  readonly refuse: string
  /** The same as a number, for those that hear no words. */
  readonly code?: Refusal
}

export interface Encoder {
  /** The name that the encoder gives itself (`flashVer`). */
  readonly encoder: string
  readonly address: string
}

/** Who wants to publish. The key is a secret. */
export interface PublishRequest extends Encoder {
  readonly app: string
  readonly key: string
  /** The encoder did not say the key, but encrypts by it. */
  readonly isEncrypted?: boolean
}

export interface IngestOptions {
  /**
   * Decides before the encoder hears Publish.Start.
   * @returns the publication, or what the encoder shall tell its user
   */
  readonly admit: (request: PublishRequest, session: IngestSession) => Promise<Publication | Refused>
  /** Decides who may play. Left out: nobody. */
  readonly admitPlayer?: (request: PlayRequest) => Promise<Playback | Refused>
  /** From the socket to `publish` or `play`, in milliseconds. */
  readonly readyMs: number
}

export interface IngestSession {
  /** Tells the encoder why, and closes. @param code of `onStatus`, such as `NetStream.Publish.BadName` */
  end(code: string, words: string): void
  /** Bytes that came in. */
  received(): number
}

const windowBytes = 2_500_000
const mediaTypes: ReadonlySet<number> = new Set([messageType.audio, messageType.video, messageType.data])
const fourCcList = ['*']

/** Serves an encoder on a socket. Whatever it sends costs its own connection at most. */
export function serveIngest(socket: Socket, { admit, admitPlayer, readyMs }: IngestOptions): IngestSession {
  let app = ''
  let encoder = ''
  let publication: Publication | null = null
  let playback: Playback | null = null
  /** A publish was asked for; a second one on the same connection is not taken. */
  let asked = false
  let closed = false

  const connection = openConnection(
    socket,
    'server',
    { onReady: () => undefined, onMessage: take, onClose: over },
    { readyMs },
  )
  // Whoever connects and never publishes goes again.
  const timer = setTimeout(() => connection.destroy(), readyMs)
  const session: IngestSession = {
    end(code, words) {
      reply(onStatus('error', code, words))
      connection.end()
      publication = null
    },
    received: connection.received,
  }
  const reply = (message: Message) => connection.send(message, chunkStream.command)

  function over(reason: 'unpublish' | CloseReason) {
    closed = true
    clearTimeout(timer)
    publication?.ended(reason)
    publication = null
    playback?.ended()
    playback = null
  }

  function take(message: Message) {
    if (mediaTypes.has(message.type)) return publication?.take(message)
    const call = readCommand(message)
    if (call) calls[call.name]?.(call)
  }

  const calls: Readonly<Record<string, (call: Command) => void>> = {
    connect(call) {
      app = textOf(call.object, 'app')
      encoder = textOf(call.object, 'flashVer').slice(0, 100)
      connection.send(windowSize(windowBytes))
      connection.send(peerBandwidth(windowBytes))
      connection.useChunks(chunkBytes)
      answer(call, [connected], { fmsVer: 'FMS/3,0,1,123', capabilities: 31 })
    },
    releaseStream: (call) => answer(call, [undefined]),
    FCPublish(call) {
      answer(call, [undefined])
      reply(command('onFCPublish', 0, null, [{ code: 'NetStream.Publish.Start', description: '' }]))
    },
    createStream: (call) => answer(call, [1]),
    publish: (call) => void publish(call),
    FCUnpublish: (call) => answer(call, [undefined]),
    deleteStream: unpublish,
    closeStream: unpublish,
    getStreamLength: (call) => answer(call, [0]),
    play: (call) => void play(call),
  }

  const answer = (call: Command, values: readonly Amf[], object: Amf = null) => {
    if (call.transaction !== 0) reply(command('_result', call.transaction, object, values))
  }

  async function publish({ values, streamId }: Command) {
    if (asked || app === '') return connection.destroy()
    asked = true
    const key = typeof values[0] === 'string' ? values[0] : ''
    const address = socket.remoteAddress ?? ''
    const admitted = await admit({ app, key, encoder, address }, session).catch(() => ({ refuse: 'Try again later' }))
    if (closed) return 'take' in admitted ? admitted.ended('ended') : undefined
    clearTimeout(timer)
    if ('refuse' in admitted) return session.end('NetStream.Publish.BadName', admitted.refuse)
    publication = admitted
    connection.trust()
    connection.send(streamBegin(streamId))
    reply(onStatus('status', 'NetStream.Publish.Start', 'Go', streamId))
  }

  async function play({ values, streamId }: Command) {
    if (asked || app === '') return connection.destroy()
    asked = true
    const name = typeof values[0] === 'string' ? values[0] : ''
    const request = { key: name.split('?')[0] ?? '', address: socket.remoteAddress ?? '', transport: 'rtmp' as const }
    const nobody = { refuse: 'This server takes streams' }
    const admitted = await (admitPlayer?.(request) ?? Promise.resolve(nobody)).catch(() => ({
      refuse: 'Try again later',
    }))
    if (closed) return 'begin' in admitted ? admitted.ended() : undefined
    clearTimeout(timer)
    if ('refuse' in admitted) return session.end('NetStream.Play.StreamNotFound', admitted.refuse)
    playback = admitted
    admitted.begin(openPlayer(connection, streamId || 1))
  }

  function unpublish() {
    if (publication === null && playback === null) return
    over('unpublish')
    connection.end()
  }
  return session
}

const connected = {
  level: 'status',
  code: 'NetConnection.Connect.Success',
  description: 'Connected',
  objectEncoding: 0,
  // Enhanced RTMP: every codec goes through, because nothing is decoded here.
  fourCcList,
  capsEx: 0,
}
