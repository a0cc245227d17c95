// Loads the messages that a list missed: those between its first page and the subscription, and those of a lost connection.
import type { chat } from '#contract/areas/chat/chat.ts'
import type { ChatMessage } from '#contract/entities/chat-message.ts'
import type { Output } from '#contract/core/operation.ts'
import type { MessageLog } from '#src/components/message-list/message-log.ts'

/** Messages of the first page, and of older ones. */
export const pageSize = 200
const catchUpSize = 500
/** Pages that a list catches up with: it keeps no more rows than these. */
const catchUpPages = 10

type Ask = (page: { readonly after?: number; readonly limit: number }) => Promise<Output<typeof chat.messages>>

export interface CatchUp {
  /** Call it with the first page, after it is in the log. */
  readonly loaded: (first: readonly ChatMessage[]) => void
  /** Loads what was missed: call it before newer messages arrive. Waits for the first page. */
  readonly catchUp: () => void
}

/** Creates the catch-up of a log. A failed request is repeated by the next catch-up, from the same message. */
export function createCatchUp(log: MessageLog, ask: Ask): CatchUp {
  let isLoaded = false
  let isRunning = false
  /** A subscription began since the last request was sent. */
  let isWanted = false
  /** Number of the last message before those that are missing; null: none is missing. */
  let after: number | null = null

  async function run(): Promise<void> {
    if (isRunning) return
    isRunning = true
    try {
      while (isWanted && after !== null) {
        isWanted = false
        after = await fetchAfter(after)
      }
    } catch {
      // The next connection, or the next round, retries.
    } finally {
      isRunning = false
    }
  }

  /** Loads messages after a number. @returns the number to continue from after another subscription; null: none is missing */
  async function fetchAfter(from: number): Promise<number | null> {
    let last = from
    for (let page = 0; page < catchUpPages; page++) {
      const { items } = await ask({ after: last, limit: catchUpSize })
      log.receive(items.map((message) => ({ is: 'message', message })))
      // Not the largest number of the log: newer messages arrive meanwhile.
      last = items.at(-1)?.seq ?? last
      after = last
      if (items.length < catchUpSize) return isWanted ? last : null
    }
    // The tab slept for too long: the newest messages, after a mark.
    const { items } = await ask({ limit: pageSize })
    log.receive([{ is: 'note', note: { kind: 'gap', restreamId: 0, platform: '', count: 0 } }])
    log.receive(items.map((message) => ({ is: 'message', message })))
    return isWanted ? (items.at(-1)?.seq ?? last) : null
  }

  return {
    loaded(first) {
      if (isLoaded) return
      isLoaded = true
      // Messages that arrived during the request have larger numbers than those that are missing.
      after = first.at(-1)?.seq ?? 0
      if (isWanted) void run()
      else after = null
    },
    catchUp() {
      isWanted = true
      if (!isLoaded) return
      after ??= log.lastSeq()
      void run()
    },
  }
}
