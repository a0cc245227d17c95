// Reader of one source: reads under the epoch of its lease, and writes what it reads.
import type { ChatPlace } from '#server/core/chat.ts'
import { keepReading, type ReadingParts, type ReadingState } from './reading.ts'
import { createChatQueue } from './queue.ts'
import type { ReaderLease, ReaderStore } from './stores.ts'
import { writeQueue } from './writer.ts'

export interface Reader {
  readonly place: ChatPlace
  readonly epoch: number
  readonly state: ReadingState
  /** Closes the connection and writes what is queued. `lost`: writes nothing more. */
  stop(how?: 'lost'): Promise<void>
  /** Resolves when the reader has stopped. True: another holder has the source. */
  readonly finished: Promise<boolean>
}

/** Starts a reader. */
export function startReader(
  parts: ReadingParts & { readonly store: ReaderStore },
  place: ChatPlace,
  lease: ReaderLease,
): Reader {
  const { services, store, counters } = parts
  const stopping = new AbortController()
  const { signal } = stopping
  const queue = createChatQueue()
  let isLost = false
  const fault = (error: unknown) => services.log.warn({ err: error, source: place.source }, 'A chat reader failed')
  const reading = keepReading(parts, { place, lease, queue, signal, fault })
  const writing = writeQueue({ store, place, epoch: lease.epoch, queue, signal, log: services.log })
    .catch((error: unknown) => {
      fault(error)
      return true
    })
    .then((isOurs) => {
      if (!isOurs) isLost = true
      stopping.abort()
      queue.close()
    })
  const finished = Promise.all([reading.done, writing]).then(() => {
    counters.dropped += queue.dropped
    return isLost
  })
  const empty = () => void queue.take(Number.MAX_SAFE_INTEGER)

  return {
    place,
    epoch: lease.epoch,
    get state() {
      return reading.state()
    },
    finished,
    async stop(how) {
      if (how === 'lost') {
        isLost = true
        empty()
      }
      stopping.abort()
      await reading.done
      if (how === 'lost') empty()
      queue.close()
      await finished
    },
  }
}
