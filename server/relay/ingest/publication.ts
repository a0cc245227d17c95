// Encoders that publish, independent of the transport (RTMP or SRT).
import type { CloseReason } from '#server/relay/rtmp/connection.ts'
import type { Message } from '#server/relay/rtmp/message.ts'

export interface Encoder {
  /** Name that the encoder sends (`flashVer`). */
  readonly encoder: string
  readonly address: string
}

/** Request of an encoder to publish. The key is a secret. */
export interface PublishRequest extends Encoder {
  readonly app: string
  readonly key: string
  /** A backup encoder; `key` is without its suffix. */
  readonly isBackup?: boolean | undefined
  /** A play of the node itself: the number of its run. */
  readonly play?: number | undefined
  /** A play that keeps the air to its end once an encoder went away. */
  readonly stays?: boolean | undefined
  /** The encoder encrypts by the key and did not send it. */
  readonly isEncrypted?: boolean
  /** The encoder of a stopped broadcast, which the node has kept connected. */
  readonly isParked?: boolean
}

/** Request for the key that an SRT caller encrypts by: a stream key by its project, or a pull key by its number. */
export interface KeyRequest {
  readonly mode: 'publish' | 'play'
  readonly number: number
  readonly address: string
}

/** Receives the media of an admitted encoder. */
export interface Publication {
  take(message: Message): void
  /** `unpublish`: the encoder ended the stream. `unreadable`: ffmpeg cannot remux it. Otherwise its connection closed. */
  ended(how: PublicationEnd): void
}

export type PublicationEnd = 'unpublish' | 'unreadable' | CloseReason

/** One of several paths of a bonded encoder. */
export interface PathFigures {
  /** Data packets that came by it since it joined. */
  readonly packets: number
  /** Packets a second, smoothed over some five seconds. */
  readonly rate: number
}

/** Figures of a connection, since it began. */
export interface LinkFigures {
  /** Round-trip time, milliseconds; 0: not measured. */
  readonly rttMs: number
  /** Packets that were missing when a later one arrived; 0 over TCP. */
  readonly lost: number
  /** Lost packets that never arrived in time. */
  readonly dropped: number
  /** The same in bytes, by the average size of a packet. */
  readonly lostBytes: number
  readonly droppedBytes: number
  /** Media that waits for a missing packet, milliseconds. */
  readonly bufferMs: number
  /** Paths of a bonded encoder, in the order in which they joined; empty for others. */
  readonly paths: readonly PathFigures[]
}

/** Connection of an encoder. */
export interface IngestSession {
  /** Sends `onStatus`, then closes. @param code such as `NetStream.Publish.BadName` */
  end(code: string, message: string): void
  /** Received bytes. */
  received(): number
  link(): LinkFigures
}

/** Figures of a connection without loss. @param rttMs milliseconds; 0: not measured */
export const plainLink = (rttMs = 0): LinkFigures => ({
  rttMs,
  lost: 0,
  dropped: 0,
  lostBytes: 0,
  droppedBytes: 0,
  bufferMs: 0,
  paths: [],
})
