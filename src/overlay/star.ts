// The starred message, above the rows until it is cleared: without hold-back, and it does not fade.
import type { ChatMessage } from '#contract/entities/chat-message.ts'
import type { ChatChange } from '#contract/events/chat.ts'
import { type ChatStar, starAfter } from '#contract/events/chat-order.ts'
import { isVisible } from './queue.ts'
import { rowOf } from './rows.ts'

/** Time after which a failed request is repeated, milliseconds. */
const retryMs = 5_000

/** The star before any answer. */
const noStar: ChatStar = { starred: null, star_rev: 0 }

interface Options {
  readonly marks: boolean
  /**
   * Loads a message; null: the service refuses it, for example because it is hidden.
   * @throws Error when the service fails or does not answer
   */
  readonly load: (eventId: string) => Promise<ChatMessage | null>
}

export interface Star {
  /** Clears the star of another broadcast. */
  readonly reset: () => void
  /** Applies changes of the chat. */
  readonly apply: (changes: readonly ChatChange[]) => void
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

  function set(next: ChatStar): void {
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
    apply: (changes) => {
      const next = starAfter(known, changes)
      if (next !== known) set(next)
    },
    reset: () => set(noStar),
  }
}
