// RTMP server side of one connection: an encoder that publishes, or a player.
import type { Socket } from 'node:net'
import { type Amf, encodeAmf } from '#server/relay/rtmp/amf0.ts'
import { chunkBytes, type CloseReason, type Connection, openConnection } from '#server/relay/rtmp/connection.ts'
import { chunkStream, type Message, messageType } from '#server/relay/rtmp/message.ts'
import {
  type Command,
  command,
  onStatus,
  peerBandwidth,
  readCommand,
  streamBegin,
  textOf,
  windowSize,
} from '#server/relay/rtmp/messages.ts'
import type { Playback, Player, PlayRequest } from './playback.ts'
import {
  type IngestSession,
  type LinkFigures,
  plainLink,
  type Publication,
  type PublishRequest,
} from './publication.ts'
import type { Refused } from './refusal.ts'
import type { Packet } from '#server/relay/media/packet.ts'

// RTMP player: responses before the media, and the media (Adobe RTMP 1.0, 7.2.2.1).

/** Sends Play.Start. @returns the output for the stream */
function openPlayer(connection: Connection, streamId: number): Player {
  const sendStatus = (code: string, message: string) =>
    connection.send(onStatus('status', code, message, streamId), chunkStream.command)
  connection.send(streamBegin(streamId))
  sendStatus('NetStream.Play.Reset', 'Reset')
  sendStatus('NetStream.Play.Start', 'Go')
  // Shared chunks carry message stream 1, the only one that `createStream` returns.
  return {
    write(bundle) {
      if (!bundle.packets.some((packet) => packet.isMetadata())) return connection.sendChunks(bundle.chunks())
      for (const packet of bundle.packets)
        if (packet.isMetadata()) connection.send(metadataMessage(packet, streamId), chunkStream.data)
        else connection.sendChunks(packet.chunks())
    },
    queued: connection.queued,
    written: connection.written,
    end(message) {
      sendStatus('NetStream.Play.UnpublishNotify', message)
      connection.end()
    },
  }
}

const setDataFrame = encodeAmf('@setDataFrame')

/** Metadata without `@setDataFrame`, which only servers expect. */
function metadataMessage({ payload, timestamp }: Packet, streamId: number) {
  const hasPrefix = payload.subarray(0, setDataFrame.length).equals(setDataFrame)
  return {
    type: messageType.data,
    streamId,
    timestamp,
    payload: hasPrefix ? payload.subarray(setDataFrame.length) : payload,
  }
}

export interface IngestOptions {
  /**
   * Decides before the encoder receives Publish.Start.
   * @returns the publication, or the refusal for the encoder's user
   */
  readonly admit: (request: PublishRequest, session: IngestSession) => Promise<Publication | Refused>
  /** Decides about a player. Without it all players are refused. */
  readonly admitPlayer?: (request: PlayRequest) => Promise<Playback | Refused>
  /** Timeout from the socket to `publish` or `play`, milliseconds. */
  readonly readyMs: number
}

const windowBytes = 2_500_000
/** Interval of the pings of an encoder, milliseconds. */
const pingMs = 5_000
const encoderCharsMax = 100
const mediaTypes: ReadonlySet<number> = new Set([messageType.audio, messageType.video, messageType.data])
const fourCcList = ['*']
const tryLater: Refused = { refuse: 'Try again later' }

/** Serves a socket. Invalid data closes this connection only. */
export const serveIngest = (socket: Socket, options: IngestOptions): IngestSession => new RtmpSession(socket, options)

class RtmpSession implements IngestSession {
  readonly #socket: Socket
  readonly #options: IngestOptions
  readonly #connection: Connection
  readonly #timer: NodeJS.Timeout
  #pings: NodeJS.Timeout | undefined
  #app = ''
  #encoder = ''
  #publication: Publication | null = null
  #playback: Playback | null = null
  /** One `publish` or `play` per connection. */
  #hasRequested = false
  #isClosed = false
  /** The encoder has announced the end of its stream. */
  #isLeaving = false

  constructor(socket: Socket, options: IngestOptions) {
    this.#socket = socket
    this.#options = options
    this.#connection = openConnection(
      socket,
      'server',
      {
        onReady: () => undefined,
        onMessage: (message) => this.#take(message),
        onClose: (reason) => this.#close(reason),
      },
      options,
    )
    this.#timer = setTimeout(() => this.#connection.destroy(), options.readyMs)
  }

  end(code: string, message: string): void {
    this.#reply(onStatus('error', code, message))
    this.#connection.end()
    this.#publication = null
  }

  received(): number {
    return this.#connection.received()
  }

  link(): LinkFigures {
    return plainLink(this.#connection.rtt())
  }

  #close(reason: 'unpublish' | CloseReason): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    clearInterval(this.#pings)
    // An encoder that closes its socket immediately resets it: a response that fails takes the unread deleteStream with it.
    this.#publication?.ended(this.#isLeaving && (reason === 'socket' || reason === 'ended') ? 'unpublish' : reason)
    this.#publication = null
    this.#playback?.ended()
    this.#playback = null
  }

  #take(message: Message): void {
    if (mediaTypes.has(message.type)) return this.#publication?.take(message)
    const call = readCommand(message)
    if (call) this.#commands[call.name]?.(call)
  }

  readonly #commands: Readonly<Record<string, (call: Command) => void>> = {
    connect: (call) => this.#connect(call),
    releaseStream: (call) => this.#respond(call, [undefined]),
    FCPublish: (call) => {
      this.#respond(call, [undefined])
      this.#reply(command('onFCPublish', 0, null, [{ code: 'NetStream.Publish.Start', description: '' }]))
    },
    createStream: (call) => this.#respond(call, [1]),
    publish: (call) => void this.#publish(call),
    FCUnpublish: (call) => {
      this.#isLeaving = true
      this.#respond(call, [undefined])
    },
    deleteStream: () => this.#unpublish(),
    closeStream: () => this.#unpublish(),
    getStreamLength: (call) => this.#respond(call, [0]),
    play: (call) => void this.#play(call),
  }

  #connect(call: Command): void {
    this.#app = textOf(call.object, 'app')
    this.#encoder = textOf(call.object, 'flashVer').slice(0, encoderCharsMax)
    this.#connection.send(windowSize(windowBytes))
    this.#connection.send(peerBandwidth(windowBytes))
    this.#connection.useChunks(chunkBytes)
    this.#respond(call, [connected], { fmsVer: 'FMS/3,0,1,123', capabilities: 31 })
  }

  async #publish({ values, streamId }: Command): Promise<void> {
    if (!this.#mayRequest()) return
    const request = { app: this.#app, key: keyOf(values), encoder: this.#encoder, address: this.#address() }
    const verdict = await this.#options.admit(request, this).catch(() => tryLater)
    if (this.#isClosed) return 'take' in verdict ? verdict.ended('ended') : undefined
    clearTimeout(this.#timer)
    if ('refuse' in verdict) return this.end('NetStream.Publish.BadName', verdict.refuse)
    this.#publication = verdict
    this.#connection.trust()
    this.#connection.send(streamBegin(streamId))
    this.#reply(onStatus('status', 'NetStream.Publish.Start', 'Go', streamId))
    this.#pings = setInterval(() => this.#connection.ping(), pingMs)
  }

  async #play({ values, streamId }: Command): Promise<void> {
    if (!this.#mayRequest()) return
    const { admitPlayer = async () => ({ refuse: 'This server takes streams' }) } = this.#options
    const key = keyOf(values).split('?')[0] ?? ''
    const verdict = await admitPlayer({ key, address: this.#address(), transport: 'rtmp' }).catch(() => tryLater)
    if (this.#isClosed) return 'begin' in verdict ? verdict.ended() : undefined
    clearTimeout(this.#timer)
    if ('refuse' in verdict) return this.end('NetStream.Play.StreamNotFound', verdict.refuse)
    this.#playback = verdict
    verdict.begin(openPlayer(this.#connection, streamId || 1))
  }

  /** Closes connections that request before `connect`, or twice. */
  #mayRequest(): boolean {
    const may = !this.#hasRequested && this.#app !== ''
    this.#hasRequested ||= may
    if (!may) this.#connection.destroy()
    return may
  }

  #unpublish(): void {
    if (this.#publication === null && this.#playback === null) return
    this.#close('unpublish')
    this.#connection.end()
  }

  #address(): string {
    return this.#socket.remoteAddress ?? ''
  }

  #respond(call: Command, values: readonly Amf[], object: Amf = null): void {
    if (call.transaction !== 0) this.#reply(command('_result', call.transaction, object, values))
  }

  #reply(message: Message): void {
    this.#connection.send(message, chunkStream.command)
  }
}

const keyOf = ([key]: readonly Amf[]): string => (typeof key === 'string' ? key : '')

const connected = {
  level: 'status',
  code: 'NetConnection.Connect.Success',
  description: 'Connected',
  objectEncoding: 0,
  // Enhanced RTMP: the relay accepts every codec, because it does not decode.
  fourCcList,
  capsEx: 0,
}
