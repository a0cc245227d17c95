// Filter of messages that arrive after their deletion: platforms do not promise the order of their events.
import type { ChatEvent } from '#server/core/chat.ts'

/** Deleted ids that a reader remembers. */
const rememberedMax = 1_000

/** Creates a filter of one reader. @returns a function that returns false for a message that was deleted before */
export function deletedFilter(max = rememberedMax): (event: ChatEvent) => boolean {
  const deleted = new Set<string>()
  return (event) => {
    if (event.is === 'message') return !deleted.has(event.message.id)
    if (event.is !== 'deleted') return true
    const [oldest] = deleted
    if (deleted.size >= max && oldest !== undefined) deleted.delete(oldest)
    deleted.add(event.id)
    return true
  }
}
