// The starred message, above the rows until it is cleared: without hold-back, and it does not fade.
import type { ChatMessage } from '#contract/entities/chat-message.ts'
import { noStar, starAfter, type StarState } from '#src/lib/chat-star.ts'
import { rowOf } from './rows.ts'

/** Time after which a failed request is repeated, milliseconds. */
const retryMs = 5_000

interface Options {
  readonly marks: boolean
  /** Loads a message; null: it does not exist, or the service did not answer. */
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

  async function show(eventId: string): Promise<void> {
    const message = await load(eventId)
    // Cleared or replaced meanwhile.
    if (known.starred !== eventId || place) return
    if (!message) return void setTimeout(() => known.starred === eventId && !place && void show(eventId), retryMs)
    if (message.deleted || message.hidden) return
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
