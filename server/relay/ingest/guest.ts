// An encoder that was let in. Its connection stays the same wherever its media goes.
import { randomBytes } from 'node:crypto'
import { seal, unseal } from '#server/core/secrets.ts'
import { FirstTrack } from '#server/relay/media/first-track.ts'
import type { Message } from '#server/relay/rtmp/chunks.ts'
import type { IngestSession, Publication, PublishRequest } from './session.ts'

/** Seals keys in memory; made anew with the process. */
const sealing = randomBytes(32)

/** Receives the media of an encoder. */
export interface Place extends Pick<Publication, 'ended'> {
  /** @param passed the part of the message that is passed on; null for nothing */
  take(sent: Message, passed: Message | null): void
}

export class Guest implements Publication {
  readonly session: IngestSession
  readonly #request: Omit<PublishRequest, 'key'>
  readonly #sealedKey: string
  readonly #firstTrack = new FirstTrack()
  place: Place = { take: () => undefined, ended: () => undefined }

  constructor(session: IngestSession, { key, ...request }: PublishRequest) {
    this.session = session
    this.#request = request
    this.#sealedKey = seal(sealing, key)
  }

  /** What the encoder asked for, with its key. */
  get request(): PublishRequest {
    return { ...this.#request, key: unseal(sealing, this.#sealedKey) }
  }

  take(message: Message): void {
    this.place.take(message, this.#firstTrack.of(message))
  }

  ended(how: Parameters<Publication['ended']>[0]): void {
    this.place.ended(how)
  }
}
