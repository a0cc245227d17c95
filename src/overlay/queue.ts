// Messages wait for the hold-back: one that is deleted meanwhile never appears. Without a connection none appears, because
// its deletion may have been missed.
import type { ChatMessage } from '#contract/entities/chat-message.ts'
import type { Rows } from './rows.ts'

interface Waiting {
  readonly message: ChatMessage
  /** Time of its arrival, milliseconds of `performance.now()`. */
  readonly since: number
  /** Absent: stopped until the start. */
  readonly timer: ReturnType<typeof setTimeout> | undefined
}

export interface Queue {
  /** Shows a visible message after the hold-back; while stopped, after the start. */
  readonly add: (message: ChatMessage) => void
  readonly remove: (fits: (message: ChatMessage) => boolean) => void
  /** Changes the hold-back, also of the messages that wait. */
  readonly holdFor: (seconds: number) => void
  /** Stops the messages that wait, and those that are added. */
  readonly stop: () => void
  /** Shows the messages that wait, and those that are added, after the hold-back. */
  readonly start: () => void
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
  let isStopped = false
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
    if (isStopped) waiting.set(message.event_id, { message, since, timer: undefined })
    else if (leftMs <= 0) show()
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
    holdFor: (seconds) => {
      holdMs = seconds * 1_000
      for (const { message, since, timer } of waiting.values())
        if (timer !== undefined) {
          clearTimeout(timer)
          wait(message, since)
        }
    },
    stop: () => {
      isStopped = true
      for (const [id, { message, since, timer }] of waiting) {
        clearTimeout(timer)
        waiting.set(id, { message, since, timer: undefined })
      }
    },
    start: () => {
      isStopped = false
      for (const { message, since, timer } of waiting.values()) if (timer === undefined) wait(message, since)
    },
    clear: () => {
      drop(() => true)
      rows.clear()
    },
  }
}
