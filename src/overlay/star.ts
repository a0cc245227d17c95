// The starred message, above the rows until it is cleared: without hold-back, and it does not fade.
import type { ChatMessage } from '#contract/entities/chat-message.ts'
import { starAfter } from '#src/lib/chat-star.ts'
import { rowOf } from './rows.ts'

interface Options {
  readonly marks: boolean
  /** Loads a message; null: it does not exist, or the service did not answer. */
  readonly load: (eventId: string) => Promise<ChatMessage | null>
}

export interface Star {
  /** Shows a message in place of the earlier one; null: none. */
  readonly set: (eventId: string | null) => void
  /** Applies changes of the chat. */
  readonly apply: (changes: Parameters<typeof starAfter>[1]) => void
  /** Id of the starred message; null: none. */
  readonly id: () => string | null
}

/** Creates the place of the star, before a list element. */
export function createStar(list: HTMLElement, { marks, load }: Options): Star {
  let id: string | null = null
  let place: HTMLElement | null = null

  async function show(eventId: string): Promise<void> {
    const message = await load(eventId)
    // Cleared or replaced meanwhile.
    if (id !== eventId || place || !message || message.deleted || message.hidden) return
    place = document.createElement('div')
    place.className = 'star'
    place.append(rowOf(message, marks, 'div'))
    list.before(place)
  }

  function set(eventId: string | null): void {
    if (eventId === id && (place || eventId === null)) return
    id = eventId
    place?.remove()
    place = null
    if (eventId !== null) void show(eventId)
  }

  return { set, apply: (changes) => set(starAfter(id, changes)), id: () => id }
}
