// A film that repeats, by the clock of its pictures.
import { type Sound, soundFrameMs } from '#server/relay/media/silence.ts'
import { type Message, messageType } from '#server/relay/rtmp/message.ts'
import type { Film } from './film.ts'
import { FilmReader } from './film-reader.ts'

/** Times of films are whole milliseconds. */
const roundingMs = 1
const wrap = 2 ** 32

/**
 * Puts rounds of one film behind each other: one begins where the last picture ends, and sound that overlaps is left out.
 *
 * `PlayTimeline` does so for items of a play, and cannot replace this: it begins items by the clock, stretches films to the time of
 * their items, cuts them, and sends headers. A clip has no clock and no headers of its own: it lasts as long as its film, from the
 * moment at which the encoder is lost.
 */
class Joint {
  /** Beginning of the current film, milliseconds from that of the first one. */
  beginsAt = 0
  #soundEndsAt = 0

  /** Returns a message with its time from the beginning of the first film; null for sound that overlaps. */
  place(message: Message, sound: Sound | null): Message | null {
    const time = this.beginsAt + message.timestamp
    if (message.type === messageType.audio) {
      if (time < this.#soundEndsAt - roundingMs) return null
      this.#soundEndsAt = time + (sound ? soundFrameMs(sound) : 0)
    }
    return { ...message, timestamp: time % wrap }
  }
}

export class FilmLoop {
  readonly #film: Film
  readonly #joint = new Joint()
  #reader: FilmReader

  constructor(film: Film) {
    this.#film = film
    this.#reader = new FilmReader(film)
  }

  /** The film can no longer be read. */
  get failed(): boolean {
    return this.#reader.failed
  }

  /**
   * Returns the messages up to a time that were not taken before and that are read.
   * @param untilMs milliseconds from the beginning of the first round, as are the timestamps (32 bits)
   */
  take(untilMs: number): readonly Message[] {
    const taken: Message[] = []
    for (;;) {
      const { beginsAt } = this.#joint
      for (const message of this.#reader.take(untilMs - beginsAt)) {
        const placed = this.#joint.place(message, this.#film.sound)
        if (placed) taken.push(placed)
      }
      const endsAt = beginsAt + this.#film.durationMs
      if (!this.#reader.isOver || untilMs < endsAt) return taken
      this.#reader.close()
      this.#joint.beginsAt = endsAt
      this.#reader = new FilmReader(this.#film)
    }
  }

  close(): void {
    this.#reader.close()
  }
}
