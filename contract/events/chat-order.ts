// The one rule for changes of a chat, for pages, overlays and clients of others. Without schemas: small pages import it.
import type { ChatMessage } from '#contract/entities/chat-message.ts'
import type { ChatBatch, ChatChange } from './chat.ts'

/** Batches that wait for a missing one. More are dropped: the changes are read then. */
const waitingMax = 200

/** Milliseconds that a client waits for a missing batch before it reads the changes. */
export const missingMs = 300

/** A batch without the fields that the rule ignores. */
type Batch = Pick<ChatBatch, 'after' | 'upto' | 'payload'>

/** Answer of `chat/changes` without the fields that the rule ignores. */
export interface ChangesPage {
  readonly items: readonly (ChatMessage | { readonly event_id: string; readonly rev: number; readonly gone: true })[]
  readonly starred: string | null
  readonly star_rev: number
  readonly upto: number
  readonly last: number
}

/** Number of a change; 0: none. */
const revOf = (change: ChatChange): number => ('rev' in change ? change.rev : 0)

/**
 * Position of a client in the changes of a broadcast. `mine` is the number up to which it has all changes. Of each batch:
 * `upto` is not above `mine`: drop it; `after` is not above `mine`: apply the changes above `mine`, and `mine` becomes `upto`;
 * otherwise a batch is missing: wait 300 ms for it, then read `chat/changes` after `mine`.
 * A change of a message that the client knows with the same or a larger `rev` is older. Deletions do not wait: their texts disappear, and
 * are not shown by an earlier change.
 */
export class ChatOrder {
  #mine: number | null = null
  #waiting: Batch[] = []

  /** Number up to which the client has all changes; null: it has no page yet. */
  get mine(): number | null {
    return this.#mine
  }

  /** A batch waits for a missing one. */
  get isBehind(): boolean {
    return this.#mine !== null && this.#waiting.length > 0
  }

  /** Takes a batch. @returns the changes to apply, in this order */
  take(batch: Batch): ChatChange[] {
    const { after, upto, payload } = batch
    if (after === undefined || upto === undefined) return [...payload]
    this.#waiting = [...this.#waiting, batch].slice(-waitingMax)
    return [...payload.filter((change) => revOf(change) === 0), ...this.#next()]
  }

  /**
   * Sets the position after the client applied a page that has all changes up to a number.
   * @returns the changes to apply, also to the messages of the page
   */
  reach(rev: number): ChatChange[] {
    this.#mine = Math.max(this.#mine ?? 0, rev)
    return this.#next()
  }

  /** Returns the changes of the waiting batches that follow, and the deletions of the others. */
  #next(): ChatChange[] {
    const changes: ChatChange[] = []
    for (;;) {
      const mine = this.#mine ?? -1
      const next = this.#waiting.find(({ after = 0 }) => after <= mine)
      if (!next) break
      this.#waiting = this.#waiting.filter((batch) => batch !== next)
      changes.push(...next.payload.filter((change) => revOf(change) > mine))
      this.#mine = Math.max(mine, next.upto ?? 0)
    }
    const deletions = this.#waiting.flatMap(({ payload }) => payload.filter(isDeletion))
    const isGone = (change: ChatChange) =>
      (change.action === 'got' || change.action === 'create') && deletions.some((one) => isDeletedBy(one, change))
    return [...changes.filter((change) => !isGone(change)), ...deletions]
  }
}

const isDeletion = ({ action }: ChatChange): boolean => action === 'deleted' || action === 'cleared'

/** Returns the changes of an answer of `chat/changes`. */
export const changesOf = ({ items, starred, star_rev }: ChangesPage): ChatChange[] => [
  ...items.map((item): ChatChange =>
    'gone' in item
      ? { action: 'deleted', event_id: item.event_id, rev: item.rev }
      : { action: item.is_outgoing ? 'create' : 'got', ...item },
  ),
  { action: 'starred', event_id: starred, rev: star_rev },
]

type Known = Pick<ChatMessage, 'event_id' | 'is_outgoing' | 'rev'> & {
  readonly restreams: readonly Pick<ChatMessage['restreams'][number], 'restream_id'>[]
  readonly sender: Pick<ChatMessage['sender'], 'id'>
}

/**
 * Returns whether a change deletes a known message. A clearing deletes the messages of an author that were received at a restream, or
 * all of them; messages sent from here stay.
 */
export function isDeletedBy(change: ChatChange, message: Known): boolean {
  if (change.action === 'deleted') return change.event_id === message.event_id && change.rev > message.rev
  if (change.action !== 'cleared' || message.is_outgoing || change.rev <= message.rev) return false
  const { restream_id, sender_id } = change
  const isThere = message.restreams.some((one) => one.restream_id === restream_id)
  return isThere && (sender_id === null || message.sender.id === sender_id)
}

/** The star of a broadcast: overlays show its message until it is cleared. */
export interface ChatStar {
  /** Id of the starred message; null: none. */
  readonly starred: string | null
  /** Number of its last change. */
  readonly star_rev: number
}

/** Returns the star after changes of a chat, from the one before them. */
export const starAfter = (star: ChatStar, changes: readonly ChatChange[]): ChatStar =>
  changes.reduce(
    (known, change) =>
      change.action === 'starred' && change.rev > known.star_rev
        ? { starred: change.event_id, star_rev: change.rev }
        : known,
    star,
  )
