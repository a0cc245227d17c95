// Writes the queue of a reader to the database, in batches under the epoch of its lease.
import type { Logger } from 'pino'
import { backoffMs } from '#contract/core/backoff.ts'
import type { ChatEvent, ChatPlace } from '#server/core/chat.ts'
import { pause } from '#server/core/pause.ts'
import { chatRetries } from './backoff.ts'
import type { ChatQueue } from './queue.ts'
import type { ReaderStore } from './stores.ts'

const batchMax = 100
/** Time between two batches, so that a flood becomes few transactions. */
const batchEveryMs = 100
/** Attempts at the last batches of a reader that stops. */
const lastAttempts = 3

/**
 * Writes until the queue is closed and empty, or the epoch is refused.
 * @param signal aborts when the reader stops: failing batches are then dropped after three attempts
 * @returns false when the epoch was refused: another holder has the source, and the rest of the queue is dropped
 */
export async function writeQueue(parts: {
  readonly store: Pick<ReaderStore, 'write'>
  readonly place: ChatPlace
  readonly epoch: number
  readonly queue: ChatQueue
  readonly signal: AbortSignal
  readonly log: Pick<Logger, 'warn'>
}): Promise<boolean> {
  const { store, place, epoch, queue, signal, log } = parts

  async function write(batch: readonly ChatEvent[]): Promise<boolean> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await store.write(place, epoch, batch)
      } catch (error) {
        log.warn({ err: error, source: place.source, events: batch.length }, 'Chat events could not be stored')
        if (isUnstorable(error)) return writeEach(batch)
        if (signal.aborted && attempt + 1 >= lastAttempts) return true
        await pause(signal.aborted ? batchEveryMs : backoffMs(chatRetries, attempt + 1), signal)
      }
    }
  }
  /** Writes the events one by one. An event that can never be stored is dropped; a message is counted. */
  async function writeEach([first, ...rest]: readonly ChatEvent[]): Promise<boolean> {
    if (first && rest.length === 0) return first.is !== 'message' || write([{ is: 'skipped', count: 1 }])
    for (const event of first ? [first, ...rest] : []) if (!(await write([event]))) return false
    return true
  }

  for (;;) {
    await queue.filled()
    const batch = queue.take(batchMax)
    if (batch.length === 0) return true
    if (!(await write(batch))) return false
    if (queue.size < batchMax) await pause(batchEveryMs, signal)
  }
}

/** Returns whether a batch fails because of its content: a fault of ours, or data that PostgreSQL refuses (class 22). */
const isUnstorable = (error: unknown): boolean =>
  error instanceof TypeError ||
  error instanceof RangeError ||
  String((error as { readonly code?: unknown } | null)?.code).startsWith('22')
