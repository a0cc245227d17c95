// The starred message, above the rows until it is cleared: without hold-back, and it does not fade.
import type { ChatMessage } from '#contract/entities/chat-message.ts'
import { noStar, starAfter, type StarState } from '#src/lib/chat-star.ts'
import { isVisible } from './queue.ts'
import { rowOf } from './rows.ts'

/** Time after which a failed request is repeated, milliseconds. */
const retryMs = 5_000

interface Options {
  readonly marks: boolean
  /**
   * Loads a message; null: the service refuses it, for example because it is hidden.
   * @throws Error when the service fails or does not answer
   */
  readonly load: (eventId: string) => Promise<ChatMessage | null>
}

export interface Star {
  /** Applies the answer of the service, unless a newer change is known. */
  readonly answered: (star: StarState) => void
  /** Clears the star of another broadcast. */
  readonly reset: () => void
  /** Applies changes of the chat. */
  readonly apply: (changes: Parameters<typeof starAfter>[1]) => void
}

/** Creates the place of the star, before a list element. */
export function createStar(list: HTMLElement, { marks, load }: Options): Star {
  let known = noStar
  let place: HTMLElement | null = null
  let retry: ReturnType<typeof setTimeout> | undefined
  /** Number of the last attempt to show a star; earlier ones have no effect. */
  let last = 0

  async function show(eventId: string): Promise<void> {
    const attempt = ++last
    const message = await load(eventId).catch(() => undefined)
    // Cleared, replaced or requested again meanwhile.
    if (attempt !== last) return
    if (message === undefined) return void (retry = setTimeout(() => void show(eventId), retryMs))
    if (!message || !isVisible(message)) return
    place = document.createElement('div')
    place.className = 'star'
    place.append(rowOf(message, marks, 'div'))
    list.before(place)
  }

  function set(next: StarState): void {
    const { starred } = next
    const isShown = starred === known.starred && (place !== null || starred === null)
    known = next
    if (isShown) return
    clearTimeout(retry)
    last++
    place?.remove()
    place = null
    if (starred !== null) void show(starred)
  }

  return {
    answered: (star) => star.star_seq >= known.star_seq && set(star),
    apply: (changes) => {
      const next = starAfter(known, changes)
      if (next !== known) set(next)
    },
    reset: () => set(noStar),
  }
}
