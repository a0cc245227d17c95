// Bridge from callbacks of a connection to the iterator of a reader.
import { ChatLost } from './port.ts'

/** Items that wait for the reader; beyond, the connection is given up. */
const waitingMax = 5000

/** A stream that callbacks fill. */
export interface PushStream<T> extends AsyncIterable<T> {
  push(item: T): void
  /** Ends the stream after the waiting items. */
  end(error?: Error): void
}

/** Creates a stream, which also ends when the signal aborts. */
export function pushStream<T>(signal: AbortSignal): PushStream<T> {
  const waiting: T[] = []
  let ending: { readonly error?: Error | undefined } | null = null
  let wake: (() => void) | null = null

  const end = (error?: Error) => {
    ending ??= { error }
    wake?.()
  }
  signal.addEventListener('abort', () => end(), { once: true })
  return {
    push(item) {
      if (ending || signal.aborted) return
      if (waiting.length >= waitingMax) return end(new ChatLost('The reader is slower than the platform'))
      waiting.push(item)
      wake?.()
    },
    end,
    async *[Symbol.asyncIterator]() {
      for (;;) {
        while (waiting.length > 0 && !signal.aborted) yield waiting.shift() as T
        if (signal.aborted) return
        if (ending?.error) throw ending.error
        if (ending) return
        await new Promise<void>((done) => (wake = done))
        wake = null
      }
    },
  }
}
