// Compares the rows of a list with messages that the service returned: after a lost connection, what was deleted meanwhile.
import type { ChatMessage } from '#contract/entities/chat-message.ts'
import { deleted, type LogEvent, mapMessages, type Row } from './rows.ts'

/** Messages of the service, in the order of their numbers. */
export interface Page {
  readonly messages: readonly ChatMessage[]
  /** The page has all messages after this number, */
  readonly after: number
  /** and up to this one; samples have the number 0 and are not compared. */
  readonly upTo: number
}

interface Comparison {
  readonly with: (page: Page) => {
    /** Applies to known rows what the page changes in them. */
    readonly change: (rows: readonly Row[]) => readonly Row[]
    /** Messages that may be new. */
    readonly others: readonly ChatMessage[]
  }
  readonly end: () => void
}

/** What the realtime channel reported during a request: newer than the answer. */
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
     * Begins a comparison, before the request.
     * @param lastSeq largest number of the rows: those that arrive later are not in the answer
     */
    begin: (rows: readonly Row[], lastSeq: number): Comparison => {
      const recent: Recent = { ids: new Set(), cleared: [] }
      open.add(recent)
      const before = new Set(
        rows.flatMap((row) => (row.kind === 'message' ? [row.message, ...row.same] : [])).map(idOf),
      )
      const isNewer = (message: ChatMessage) =>
        recent.ids.has(message.event_id) || recent.cleared.some((fits) => fits(message))
      return {
        with: ({ messages, after, upTo }) => {
          const answers = new Map(messages.map((message) => [message.event_id, message]))
          const compared = (row: ChatMessage): ChatMessage => {
            if (!before.has(row.event_id) || isNewer(row)) return row
            const answer = answers.get(row.event_id)
            if (answer) return isSame(row, answer) ? row : answer
            const isMissing = row.seq > after && row.seq <= Math.min(upTo, lastSeq)
            return isMissing && !row.deleted ? deleted(row) : row
          }
          return {
            change: (now) => mapMessages(now, compared),
            others: messages.filter((message) => !isNewer(message)),
          }
        },
        end: () => void open.delete(recent),
      }
    },
  }
}

const idOf = ({ event_id }: ChatMessage) => event_id

/** Returns whether the answer changes nothing. The outcome of a sent message may have changed. */
const isSame = (row: ChatMessage, answer: ChatMessage): boolean =>
  row.deleted === answer.deleted && row.hidden === answer.hidden && !row.is_outgoing
