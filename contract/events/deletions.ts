// Order of a chat's changes: replicas publish them in batches, so that a deletion can arrive before its message. Without
// schemas: small pages import it.
import type { ChatChange } from './chat.ts'
import { type Cleared, isCleared } from './chat-cleared.ts'

/** A change, also one of the star by a replica of an older version. */
type Change = ChatChange | { readonly action: 'starred' }

/** Messages and clearings that are remembered. Publications of replicas overtake each other by about 100 ms. */
const kept = { messages: 5_000, cleared: 100 } as const

/** The last changes of a chat by their numbers, which are in the order of commits. */
export class Deletions {
  /** Number of the last deletion or reappearance, by message. */
  readonly #last = new Map<string, number>()
  #cleared: (Cleared & { readonly last_seq: number })[] = []

  /** Returns the changes that none of the earlier ones has overtaken. */
  current = <T extends Change>(changes: readonly T[]): T[] => changes.filter((change) => this.#isCurrent(change))

  #isCurrent(change: Change): boolean {
    if (change.action === 'deleted') {
      const { event_id, last_seq } = change
      if (last_seq === undefined) return true
      if (last_seq < (this.#last.get(event_id) ?? 0)) return false
      this.#remember(event_id, last_seq)
    } else if (change.action === 'cleared') {
      const { last_seq } = change
      if (last_seq !== undefined) this.#cleared = [...this.#cleared, { ...change, last_seq }].slice(-kept.cleared)
    } else if (change.action === 'got' || change.action === 'create') {
      const shown = change.action === 'got' ? change.shown_seq : undefined
      const number = shown ?? change.seq
      if (number <= (this.#last.get(change.event_id) ?? -1)) return false
      if (this.#cleared.some((one) => number <= one.last_seq && isCleared(change, one))) return false
      if (shown !== undefined) this.#remember(change.event_id, shown)
    }
    return true
  }

  #remember(eventId: string, number: number): void {
    this.#last.delete(eventId)
    this.#last.set(eventId, number)
    for (const oldest of this.#last.keys()) {
      if (this.#last.size <= kept.messages) break
      this.#last.delete(oldest)
    }
  }
}
