// Own messages that arrive while a send is under way: they wait until the send has its id, so that one row results.
import type { ReaderStore } from './stores.ts'
import { pause } from './backoff.ts'

const waitMs = 3_000
const lookEveryMs = 250
const heldMax = 100

/**
 * Creates the wait of one reader.
 * @returns a function that resolves when the message may be stored: no send is under way, or 3 s have passed
 */
export function createEchoWait(store: Pick<ReaderStore, 'isSending'>, source: string, signal: AbortSignal) {
  let held = 0
  return async (): Promise<void> => {
    if (held >= heldMax || !(await store.isSending(source))) return
    held++
    try {
      for (let waited = 0; waited < waitMs && !signal.aborted; waited += lookEveryMs) {
        await pause(lookEveryMs, signal)
        if (!(await store.isSending(source))) return
      }
    } finally {
      held--
    }
  }
}
