// Messages wait for the hold-back: one that is deleted meanwhile never appears.
import type { ChatMessage } from '#contract/entities/chat-message.ts'
import type { Rows } from './rows.ts'

interface Waiting {
  readonly message: ChatMessage
  /** Time of its arrival, milliseconds of `performance.now()`. */
  readonly since: number
  readonly timer: ReturnType<typeof setTimeout>
}

export interface Queue {
  /** Shows a visible message after the hold-back. */
  readonly add: (message: ChatMessage) => void
  readonly remove: (fits: (message: ChatMessage) => boolean) => void
  /** Messages that are shown, and those that wait. */
  readonly all: () => readonly ChatMessage[]
  /** Changes the hold-back, also of the messages that wait. */
  readonly holdFor: (seconds: number) => void
  readonly clear: () => void
}

/** Returns whether overlays may show a message. */
export const isVisible = ({ deleted, hidden }: ChatMessage): boolean => !deleted && !hidden

/**
 * Creates the queue before the rows.
 * @param holdS the hold-back, seconds
 */
export function createQueue(rows: Rows, holdS: number): Queue {
  let holdMs = holdS * 1_000
  const waiting = new Map<string, Waiting>()

  function drop(fits: (message: ChatMessage) => boolean): void {
    for (const [id, { message, timer }] of waiting)
      if (fits(message)) {
        clearTimeout(timer)
        waiting.delete(id)
      }
  }

  function wait(message: ChatMessage, since: number): void {
    const show = () => {
      waiting.delete(message.event_id)
      rows.add(message)
    }
    const leftMs = since + holdMs - performance.now()
    if (leftMs <= 0) show()
    else waiting.set(message.event_id, { message, since, timer: setTimeout(show, leftMs) })
  }

  return {
    add: (message) => {
      if (isVisible(message) && !waiting.has(message.event_id)) wait(message, performance.now())
    },
    remove: (fits) => {
      drop(fits)
      rows.remove(fits)
    },
    all: () => [...rows.all(), ...[...waiting.values()].map(({ message }) => message)],
    holdFor: (seconds) => {
      holdMs = seconds * 1_000
      for (const { message, since, timer } of waiting.values()) {
        clearTimeout(timer)
        wait(message, since)
      }
    },
    clear: () => {
      drop(() => true)
      rows.clear()
    },
  }
}
