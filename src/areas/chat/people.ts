// People of a list: authors with the number of their messages, latest first.
import type { ChatMessage } from '#contract/entities/chat-message.ts'
import { personOf, type Row } from '#src/components/message-list/rows.ts'

export interface Person {
  readonly key: string
  /** Latest message. */
  readonly latest: ChatMessage
  readonly count: number
}

/** Returns the authors of the rows, own messages excluded. */
export function peopleOf(rows: readonly Row[]): readonly Person[] {
  const people = new Map<string, Person>()
  for (const message of messagesOf(rows)) {
    if (message.is_outgoing) continue
    const key = personOf(message)
    const count = (people.get(key)?.count ?? 0) + 1
    people.delete(key)
    people.set(key, { key, latest: message, count })
  }
  return [...people.values()].toReversed()
}

/** All messages of the rows, folded ones too. */
export const messagesOf = (rows: readonly Row[]): readonly ChatMessage[] =>
  rows.flatMap((row) => (row.kind === 'message' ? [row.message, ...row.same] : []))
