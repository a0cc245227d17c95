// Compares the rows of a list with messages that the service returned: after a lost connection, what was deleted meanwhile.
import type { ChatMessage } from '#contract/entities/chat-message.ts'
import { deleted, type LogEvent, mapMessages, type Row, withoutMessages } from './rows.ts'

/** Messages of the service, in the order of their numbers. */
export interface Page {
  readonly messages: readonly ChatMessage[]
  /** The page has all messages after this number, */
  readonly after: number
  /** and up to this one; samples have the number 0 and are not compared. */
  readonly upTo: number
  /** The page has only messages that fit a filter: a missing row is removed, because nothing is known about it. */
  readonly isFiltered?: boolean
}

/**
 * Applies a comparison.
 * @param change what the page changes in known rows
 * @param messages those of the page that may be new
 */
type Apply = (change: (rows: readonly Row[]) => readonly Row[], messages: readonly ChatMessage[]) => void

/** Events that arrived during a request: newer than the answer. */
interface Recent {
  readonly ids: Set<string>
  readonly cleared: ((message: ChatMessage) => boolean)[]
}

/** Creates the comparisons of a log. */
export function createComparisons() {
  const open = new Set<Recent>()
  return {
    receive: (events: readonly LogEvent[]): void => {
      for (const recent of open)
        for (const event of events) {
          if (event.is === 'cleared') recent.cleared.push(event.fits)
          else if (event.is === 'message') recent.ids.add(event.message.event_id)
          else if (event.is !== 'note') recent.ids.add(event.eventId)
        }
    },
    /**
     * Compares rows with the answer of a request.
     * @param lastSeq largest number of the rows: those that arrive later are not in the answer
     * @returns the answer
     */
    run: async (rows: readonly Row[], lastSeq: number, request: () => Promise<Page>, apply: Apply): Promise<Page> => {
      const recent: Recent = { ids: new Set(), cleared: [] }
      const before = new Set(
        rows.flatMap((row) => (row.kind === 'message' ? [row.message, ...row.same] : [])).map(idOf),
      )
      const isNewer = (message: ChatMessage) =>
        recent.ids.has(message.event_id) || recent.cleared.some((fits) => fits(message))
      open.add(recent)
      try {
        const page = await request()
        const { messages, after, upTo, isFiltered } = page
        const answers = new Map(messages.map((message) => [message.event_id, message]))
        const isMissing = (row: ChatMessage): boolean =>
          before.has(row.event_id) &&
          !isNewer(row) &&
          !answers.has(row.event_id) &&
          !row.deleted &&
          row.seq > after &&
          row.seq <= Math.min(upTo, lastSeq)
        const compared = (row: ChatMessage): ChatMessage => {
          const answer = answers.get(row.event_id)
          if (answer && before.has(row.event_id) && !isNewer(row)) return isSame(row, answer) ? row : answer
          return isMissing(row) && !isFiltered ? deleted(row) : row
        }
        const others = messages.filter((message) => !isNewer(message))
        apply((now) => mapMessages(isFiltered ? withoutMessages(now, isMissing) : now, compared), others)
        return page
      } finally {
        open.delete(recent)
      }
    },
  }
}

const idOf = ({ event_id }: ChatMessage) => event_id

/** Returns whether the answer changes nothing. The outcome of a sent message may have changed. */
const isSame = (row: ChatMessage, answer: ChatMessage): boolean =>
  row.deleted === answer.deleted && row.hidden === answer.hidden && !row.is_outgoing
