// Items of a play from one place on: film after film, in the time of the clock. Broken items are skipped.
import type { DesiredPlay } from '#contract/entities/play.ts'
import type { Message } from '#server/relay/rtmp/message.ts'
import { FilmReader } from './film-reader.ts'
import { lengthOf, type Place, type PlayFilms } from './playlist.ts'
import type { PlayTimeline } from './play-timeline.ts'

const watchMs = 250
/** An item that follows a broken one begins now if its time has come long ago, milliseconds. */
const lateMs = 100
const unreadable = 'The film could not be read'

export interface ReelOptions extends Pick<DesiredPlay, 'items' | 'loop'> {
  readonly films: PlayFilms
  readonly timeline: PlayTimeline
  /** An item begins. */
  readonly onItem: (index: number) => void
  /** An item cannot be played. */
  readonly onSkip: (index: number, words: string) => void
}

/** An item in its time. */
interface Slot {
  readonly index: number
  /** Beginning, monotonic milliseconds. */
  readonly beginsAt: number
  readonly ms: number
  /** Null while the film is made. */
  reader: FilmReader | null
}

export class Reel {
  readonly #options: ReelOptions
  #slot: Slot | null = null
  #watchedAt = Number.NEGATIVE_INFINITY
  /** Items in a row that could not be played. */
  #skipped = 0
  #end: 'over' | 'broken' | null = null

  /** @param now monotonic milliseconds */
  constructor(options: ReelOptions, { index, ms }: Place, now: number) {
    this.#options = options
    this.#enter(index, now - ms, now)
  }

  /** `over`: after the last item. `broken`: no item can be played. */
  get end(): 'over' | 'broken' | null {
    return this.#end
  }

  /** Returns the messages that are due and read. @param now monotonic milliseconds */
  take(now: number): readonly Message[] {
    this.#watch(now)
    const taken: Message[] = []
    for (let slot = this.#slot; slot; slot = this.#slot) {
      const { reader, beginsAt, ms, index } = slot
      const elapsed = now - beginsAt
      const isDone = elapsed >= ms
      this.#read(reader, isDone ? Number.POSITIVE_INFINITY : elapsed, taken)
      if (reader?.failed) this.#skip(index, unreadable, now)
      else if (isDone) this.#enter(index + 1, beginsAt + ms, now)
      else break
    }
    return taken
  }

  close(): void {
    this.#slot?.reader?.close()
    this.#slot = null
  }

  #read(reader: FilmReader | null, elapsed: number, taken: Message[]): void {
    if (!reader) return
    const { timeline } = this.#options
    for (const message of reader.take(timeline.filmTime(elapsed))) taken.push(...timeline.place(message))
  }

  /** Prepares the next films, and begins an item whose film was not ready at its time. */
  #watch(now: number): void {
    const slot = this.#slot
    if (!slot || now - this.#watchedAt < watchMs) return
    this.#watchedAt = now
    const { films } = this.#options
    films.want(slot.index)
    if (slot.reader) return
    if (films.get(slot.index)) this.#open(slot, now)
    else if (films.failure(slot.index) !== '') this.#skip(slot.index, films.failure(slot.index), now)
  }

  /** Returns the item of a number that may be behind the last one; null: there is none. */
  #indexOf(number: number): number | null {
    const { items, loop } = this.#options
    return loop ? number % items.length : number < items.length ? number : null
  }

  /** Begins an item, or the first one behind it that can be played. */
  #enter(number: number, beginsAt: number, now: number): void {
    const { films, items } = this.#options
    this.close()
    const index = this.#indexOf(number)
    const item = index === null ? undefined : items[index]
    if (index === null || !item) return void (this.#end = this.#skipped === items.length ? 'broken' : 'over')
    const slot = { index, beginsAt, ms: lengthOf(item), reader: null }
    if (films.get(index)) this.#open(slot, now)
    else if (films.failure(index) === '') this.#slot = slot
    else this.#skip(index, films.failure(index), Math.max(beginsAt, now - lateMs))
  }

  #open(slot: Slot, now: number): void {
    const { films, timeline, onItem } = this.#options
    const film = films.get(slot.index)
    if (!film) return
    this.#skipped = 0
    timeline.begin(film, slot.beginsAt, slot.ms)
    this.#slot = { ...slot, reader: new FilmReader(film, timeline.filmTime(now - slot.beginsAt)) }
    onItem(slot.index)
  }

  /** Leaves an item out: the next one begins in its place. */
  #skip(index: number, words: string, at: number): void {
    const { items, onSkip } = this.#options
    onSkip(index, words)
    this.#skipped++
    if (this.#skipped < items.length) return this.#enter(index + 1, at, at)
    this.close()
    this.#end = 'broken'
  }
}
