// RTMP client that publishes to a server, from the handshake to Publish.Start (Adobe RTMP 1.0, section 7).
import { chunkStream, type Message } from '#server/relay/rtmp/message.ts'
import type { Socket } from 'node:net'
import type { RtmpTarget } from '#contract/relay/desired-state.ts'
import type { Bundle } from '#server/relay/media/bundle.ts'
import type { Packet } from '#server/relay/media/packet.ts'
import type { Amf } from '#server/relay/rtmp/amf0.ts'
import { chunkBytes, type CloseReason, type Connection, openConnection } from '#server/relay/rtmp/connection.ts'
import { type Command, command, readCommand, textOf, windowSize } from '#server/relay/rtmp/messages.ts'
import { ProtocolError } from '#server/relay/rtmp/protocol-error.ts'
import { timeFromZero } from './time-from-zero.ts'

/** Reason why a server rejected the stream or ended it. */
export type PublishFailure = CloseReason | 'connect-rejected' | 'publish-rejected'

export interface PublisherHandlers {
  /** The server accepts media. */
  onLive(): void
  /**
   * Called once.
   * @param words description by the server, if any
   * @param redirect address to continue at, if any
   */
  onClose(failure: PublishFailure, words?: string, redirect?: string): void
}

export interface Publisher {
  write(bundle: Bundle): void
  queued(): number
  written(): number
  acknowledged(): number
  /** True when the server completed the RTMP handshake: later failures may depend on the sending mode. */
  answered(): boolean
  /** Returns the codecs that the server did not announce; some servers accept more than they announce. */
  lacks(codecs: readonly string[]): string[]
  /** Unpublishes, then closes. */
  end(): void
  destroy(): void
}

/** Transaction numbers of the calls. */
const call = { connect: 1, release: 2, fcPublish: 3, createStream: 4, publish: 5 } as const
/** Acknowledgement window that the server must use: acknowledgements are the only proof of delivery. */
const acknowledgeBytes = 2_500_000
/** Codecs of Enhanced RTMP v2 that the relay forwards. */
const fourCcList = ['av01', 'hvc1', 'avc1', 'vp09', 'vp08', 'Opus', 'fLaC', 'ac-3', 'ec-3', 'mp4a', '.mp3']

/** Chunk size of most encoders, which every server accepts. */
const plainChunkBytes = 4096

/** Codecs with an RTMP number, which servers do not announce. */
const numbered: ReadonlySet<string> = new Set(['', 'avc1', 'flv1', 'aac', 'mp3', 'spex'])

export interface PublisherOptions {
  /** Handshake timeout, milliseconds. */
  readonly readyMs: number
  /** Sends like a plain encoder: small chunks, and timestamps from 0. */
  readonly isPlain?: boolean
}

/** Publishes on an open socket. */
export function openPublisher(
  socket: Socket,
  target: RtmpTarget,
  handlers: PublisherHandlers,
  { readyMs, isPlain = false }: PublisherOptions,
): Publisher {
  const timeOf = isPlain ? timeFromZero() : (timestamp: number) => timestamp
  let answered = false
  let streamId = 0
  let live = false
  /** FourCC codes that the server accepts, `*` for all. */
  let offered: ReadonlySet<string> = new Set()
  let refusal: { readonly failure: PublishFailure; readonly words: string; readonly redirect?: string } | null = null
  const connection: Connection = openConnection(
    socket,
    'client',
    {
      onReady: connect,
      onMessage: take,
      onClose: (reason) => handlers.onClose(refusal?.failure ?? reason, refusal?.words, refusal?.redirect),
    },
    { readyMs },
  )
  const invoke = (name: string, transaction: number, object: Amf, values: readonly Amf[] = [], stream = 0) =>
    connection.send(command(name, transaction, object, values, stream), chunkStream.command)
  const refuse = (failure: PublishFailure, words: string, redirect?: string) => {
    refusal = { failure, words, ...(redirect && { redirect }) }
    connection.destroy()
  }

  function connect() {
    const tcUrl = `${target.protocol}://${target.host}:${target.port}/${target.app}`
    const flashVer = 'FMLE/3.0 (compatible; Relaydeck)'
    invoke('connect', call.connect, { app: target.app, type: 'nonprivate', flashVer, tcUrl, fourCcList, capsEx: 0 })
  }

  function take(message: Message) {
    const answer = readCommand(message)
    if (answer?.name === '_result') proceed(answer)
    else if (answer?.name === '_error') fail(answer)
    else if (answer?.name === 'onStatus') handleEvent(answer)
  }

  function proceed({ transaction, object, values }: Command) {
    if (transaction === call.connect) {
      offered = new Set([object, ...values].flatMap(codecsOf))
      answered = true
      connection.useChunks(isPlain ? plainChunkBytes : chunkBytes)
      connection.send(windowSize(acknowledgeBytes))
      invoke('releaseStream', call.release, null, [target.key])
      invoke('FCPublish', call.fcPublish, null, [target.key])
      invoke('createStream', call.createStream, null)
    } else if (transaction === call.createStream) {
      if (typeof values[0] !== 'number') throw new ProtocolError('A stream without a number')
      streamId = values[0]
      invoke('publish', call.publish, null, [target.key, 'live'], streamId)
    }
  }

  /** Servers may refuse releaseStream and FCPublish, which are not part of RTMP. */
  function fail({ transaction, values }: Command) {
    if (transaction === call.connect) refuse('connect-rejected', wordsOf(values), redirectOf(values))
    else if (transaction === call.createStream || transaction === call.publish)
      refuse('publish-rejected', wordsOf(values))
  }

  function handleEvent({ values }: Command) {
    const code = textOf(values[0], 'code')
    if (code === 'NetStream.Publish.Start' && !live) {
      live = true
      handlers.onLive()
    } else if (textOf(values[0], 'level') === 'error') refuse('publish-rejected', wordsOf(values))
  }

  /** Serialised for this server alone. */
  function sendApart({ type, kind, timestamp, payload }: Packet) {
    connection.send({ type, streamId, timestamp: timeOf(timestamp), payload }, chunkStream[kind])
  }

  return {
    write(bundle) {
      // Shared chunks are large, carry stream 1, and have timestamps of the project.
      if (streamId === 1 && !isPlain) connection.sendChunks(bundle.chunks())
      else bundle.packets.forEach(sendApart)
    },
    queued: connection.queued,
    written: connection.written,
    acknowledged: connection.acknowledged,
    answered: () => answered,
    lacks: (codecs) => (offered.has('*') ? [] : codecs.filter((one) => !numbered.has(one) && !offered.has(one))),
    end() {
      invoke('FCUnpublish', 0, null, [target.key])
      invoke('deleteStream', 0, null, [streamId])
      connection.end()
    },
    destroy: connection.destroy,
  }
}

/** Codecs that a server announces, in either form (Enhanced RTMP v2: `fourCcList`, `…FourCcInfoMap`). */
function codecsOf(information: Amf): string[] {
  if (typeof information !== 'object' || information === null || Array.isArray(information)) return []
  const { fourCcList: list, videoFourCcInfoMap: video, audioFourCcInfoMap: audio } = information as Record<string, Amf>
  const names = (value: Amf) => (typeof value === 'object' && value !== null ? Object.keys(value) : [])
  return [
    ...(Array.isArray(list) ? list.filter((one) => typeof one === 'string') : []),
    ...names(video),
    ...names(audio),
  ]
}

/** Redirect address of a server; empty: none. */
function redirectOf([information]: Command['values']): string {
  const more = typeof information === 'object' && information !== null && 'ex' in information ? information['ex'] : null
  return textOf(more ?? null, 'redirect')
}

/** Shortens a message of a server. */
function wordsOf([information]: Command['values']): string {
  const words = [textOf(information, 'code'), textOf(information, 'description')].filter(Boolean).join(': ')
  return words.slice(0, 200)
}
