// Admitted encoder: its media is forwarded, or dropped while it is parked.
import { randomBytes } from 'node:crypto'
import { seal, unseal } from '#server/core/secrets.ts'
import { type TrackMessage, Tracks } from '#server/relay/media/tracks.ts'
import type { Message } from '#server/relay/rtmp/message.ts'
import type { IngestSession, Publication, PublicationEnd, PublishRequest } from './publication.ts'
import { type Rank, rankOf } from './rank.ts'

/** Seals keys in memory; new for each process. */
const sealing = randomBytes(32)

/** Receives the media of an encoder. */
export interface IngestSink extends Pick<Publication, 'ended'> {
  /** @param tracks parts of the message by their tracks */
  take(received: Message, tracks: readonly TrackMessage[]): void
}

export class AdmittedEncoder implements Publication {
  readonly session: IngestSession
  readonly #request: Omit<PublishRequest, 'key'>
  readonly #sealedKey: string
  readonly #tracks = new Tracks()
  sink: IngestSink = { take: () => undefined, ended: () => undefined }

  constructor(session: IngestSession, { key, ...request }: PublishRequest) {
    this.session = session
    this.#request = request
    this.#sealedKey = seal(sealing, key)
  }

  /** The request of the encoder, with its key. */
  get request(): PublishRequest {
    return { ...this.#request, key: unseal(sealing, this.#sealedKey) }
  }

  get rank(): Rank {
    return rankOf(this.#request)
  }

  take(message: Message): void {
    this.sink.take(message, this.#tracks.split(message))
  }

  ended(how: PublicationEnd): void {
    this.sink.ended(how)
  }
}
