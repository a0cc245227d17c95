// Bounded queue between a reader and the database.
import type { ChatEvent } from '#server/core/chat.ts'

/** Dropped items that may stay in the list: it is rebuilt after that many. */
const compactAfter = 1_000

/** Limits per reader. */
export const queueLimits = { count: 2_000, bytes: 1_000_000 }

export interface ChatQueue {
  /**
   * Adds an event. A full queue drops its oldest plain message: never paid ones, those of moderators and owners, own ones,
   * deletions and states.
   * @returns false when the queue is full of what it may not drop: wait for `room`
   */
  push(event: ChatEvent): boolean
  /** Removes the oldest events. @returns them, after a `skipped` event with the number of dropped messages */
  take(max: number): ChatEvent[]
  /** Resolves when an event is there. */
  filled(): Promise<void>
  /** Resolves when there is room. */
  room(): Promise<void>
  readonly size: number
  /** Messages dropped since the start. */
  readonly dropped: number
  /** Ends waiting. */
  close(): void
}

/** Returns whether a full queue may drop the event. */
const isPlain = (event: ChatEvent): boolean =>
  event.is === 'message' &&
  event.message.kind === 'message' &&
  !event.message.own &&
  !event.message.sender.roles.some((role) => role === 'owner' || role === 'moderator')

/** Approximate size in memory. */
function bytesOf(event: ChatEvent): number {
  if (event.is !== 'message') return 100
  const { text, entities, sender } = event.message
  return 300 + 4 * text.length + 60 * entities.length + 80 * sender.badges.length
}

/** Creates a queue. */
export function createChatQueue(limits = queueLimits): ChatQueue {
  let items: { event: ChatEvent; bytes: number }[] = []
  const plain = new Set<{ event: ChatEvent; bytes: number }>()
  const gone = new Set<unknown>()
  let [bytes, live, dropped, skipped, isClosed] = [0, 0, 0, 0, false]
  const waiting = { filled: [] as (() => void)[], room: [] as (() => void)[] }
  const wake = (which: keyof typeof waiting) => {
    for (const resolve of waiting[which].splice(0)) resolve()
  }
  const isFull = () => live > limits.count || bytes > limits.bytes
  const wait = (which: keyof typeof waiting, isReady: () => boolean) =>
    isClosed || isReady() ? Promise.resolve() : new Promise<void>((resolve) => waiting[which].push(resolve))

  const dropOldest = (): boolean => {
    const [oldest] = plain
    if (!oldest) return false
    plain.delete(oldest)
    gone.add(oldest)
    if (gone.size >= compactAfter) {
      items = items.filter((item) => !gone.has(item))
      gone.clear()
    }
    bytes -= oldest.bytes
    live--
    dropped++
    skipped++
    return true
  }

  return {
    push(event) {
      if (isClosed) return true
      const item = { event, bytes: bytesOf(event) }
      items.push(item)
      if (isPlain(event)) plain.add(item)
      bytes += item.bytes
      live++
      while (isFull() && dropOldest());
      wake('filled')
      return !isFull()
    },
    take(max) {
      const taken: ChatEvent[] = skipped > 0 ? [{ is: 'skipped', count: skipped }] : []
      skipped = 0
      let at = 0
      for (; at < items.length && taken.length < max; at++) {
        const item = items[at]
        if (!item || gone.delete(item)) continue
        plain.delete(item)
        bytes -= item.bytes
        live--
        taken.push(item.event)
      }
      items.splice(0, at)
      if (!isFull()) wake('room')
      return taken
    },
    filled: () => wait('filled', () => live > 0 || skipped > 0),
    room: () => wait('room', () => !isFull()),
    get size() {
      return live
    },
    get dropped() {
      return dropped
    },
    close() {
      isClosed = true
      wake('filled')
      wake('room')
    },
  }
}
