// Items of a play: the place of each moment, and their films, all in the form of the first one.
import type { DesiredPlay, PlayItem } from '#contract/entities/play.ts'
import type { Film } from './film.ts'
import { type FilmFormat, kbpsOf } from './film-arguments.ts'
import type { FilmShelf } from './films.ts'

/** An item, and a time in it, milliseconds. */
export interface Place {
  readonly index: number
  readonly ms: number
}

/** Films of these further items are prepared. */
const aheadItems = 2
/** Shortest item, milliseconds: a list of empty items would not end. */
const itemMsMin = 100

/** Returns the time that an item takes, milliseconds. */
export const lengthOf = ({ ms }: PlayItem): number => Math.max(ms, itemMsMin)

/**
 * Returns the place of a moment: the playlist is a clock.
 * @param elapsedMs milliseconds since the play began
 * @returns null after the last item
 */
export function placeAt({ items, loop }: Pick<DesiredPlay, 'items' | 'loop'>, elapsedMs: number): Place | null {
  const length = items.reduce((sum, item) => sum + lengthOf(item), 0)
  if (!loop && elapsedMs >= length) return null
  let left = Math.max(0, elapsedMs) % length
  for (const [index, item] of items.entries()) {
    if (left < lengthOf(item)) return { index, ms: left }
    left -= lengthOf(item)
  }
  // The sum was rounded.
  return { index: 0, ms: 0 }
}

/** Films of a play. */
export class PlayFilms {
  readonly #shelf: FilmShelf
  readonly #items: readonly PlayItem[]
  /** File that has its own form, and the form of all others; null before the first file is there. */
  #form: { readonly file: string; readonly format: FilmFormat } | null = null

  constructor(shelf: FilmShelf, items: readonly PlayItem[]) {
    this.#shelf = shelf
    this.#items = items
  }

  /** Returns the film of an item; null while it is fetched and made, and after a failure. */
  get(index: number): Film | null {
    const file = this.#items[index]?.file ?? ''
    this.#form ??= this.#choose()
    if (!this.#form) return null
    return this.#shelf.get(file, file === this.#form.file ? null : this.#form.format)
  }

  /** Prepares an item, and those that follow it. */
  want(index: number): void {
    for (let step = 0; step <= aheadItems; step++) this.get((index + step) % this.#items.length)
  }

  /** True when an item can be played, or the one that takes its place because it is broken. */
  isReady(index: number): boolean {
    for (let step = 0; step < this.#items.length; step++) {
      const at = (index + step) % this.#items.length
      if (this.get(at)) return true
      if (this.failure(at) === '') return false
    }
    return false
  }

  /** Returns why the last attempt failed; empty without a failure. */
  failure(index: number): string {
    return this.#shelf.failure(this.#items[index]?.file ?? '')
  }

  /** Returns why no item can be played; null if one can, or may. */
  broken(): string | null {
    const failures = this.#items.map(({ file }) => this.#shelf.failure(file))
    return failures.every((one) => one !== '') ? (failures[0] ?? '') : null
  }

  /** Takes the form of the first file that is no failure. */
  #choose() {
    for (const { file } of this.#items) {
      const film = this.#shelf.get(file, null)
      if (film) return { file, format: formatOf(film) }
      if (this.#shelf.failure(file) === '') return null
    }
    return null
  }
}

/** A usual stream, such as 4,400 kbps for 1080p30. */
const bitrates = { bitsPerPixel: 0.07, least: 600, most: 9_000 } as const

function formatOf({ pictures, sound }: Film): FilmFormat {
  return {
    ...pictures,
    sampleRate: sound?.sampleRate ?? 48_000,
    channels: sound?.channels ?? 2,
    kbps: kbpsOf({ ...pictures, frameRate: pictures.frameRate || 30 }, bitrates),
  }
}
