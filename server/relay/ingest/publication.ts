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

/** Connection of an encoder. */
export interface IngestSession {
  /** Sends `onStatus`, then closes. @param code such as `NetStream.Publish.BadName` */
  end(code: string, message: string): void
  /** Received bytes. */
  received(): number
}
