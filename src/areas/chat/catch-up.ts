// Compares a list with the service: loads the messages that it missed, and learns which of its messages were deleted. Between the
// first page and the subscription, after a lost connection, and at intervals without one.
import type { chat } from '#contract/areas/chat/chat.ts'
import type { Output } from '#contract/core/operation.ts'
import type { MessageLog } from '#src/components/message-list/message-log.ts'

/** Messages of the first page, and of older ones. */
export const pageSize = 200
const catchUpSize = 500
/** Pages that are compared: the list keeps the rows of ten, and as many may have been missed. */
const catchUpPages = 20
/** Newest messages that are compared at each interval without a connection. */
const recentSize = 100

type Ask = (page: { readonly after?: number; readonly limit: number }) => Promise<Output<typeof chat.messages>>

export interface CatchUp {
  /** Call it after the first page is in the log. */
  readonly loaded: () => void
  /**
   * Compares messages and loads what was missed: call it before newer messages arrive. Waits for the first page.
   * @param which `all` that the list keeps, or the `recent` ones
   */
  readonly catchUp: (which: 'all' | 'recent') => void
}

/** Creates the catch-up of a log. A failed request is repeated by the next catch-up, from the same message. */
export function createCatchUp(log: MessageLog, ask: Ask): CatchUp {
  let isLoaded = false
  let isRunning = false
  let isWanted = false
  /** Number before the first message to compare; null: none. */
  let from: number | null = null

  async function run(): Promise<void> {
    if (isRunning) return
    isRunning = true
    try {
      while (from !== null) {
        const start = from
        from = null
        await compareAfter(start)
      }
    } catch {
      // The next connection, or the next round, retries.
    } finally {
      isRunning = false
    }
  }

  /** Compares all messages after a number. */
  async function compareAfter(start: number): Promise<void> {
    let last = start
    try {
      for (let page = 0; page < catchUpPages; page++) {
        const after = last
        const { messages, upTo } = await log.compare(async () => {
          const { items } = await ask({ after, limit: catchUpSize })
          return { messages: items, after, upTo: items.length < catchUpSize ? Infinity : (items.at(-1)?.seq ?? after) }
        })
        last = messages.at(-1)?.seq ?? last
        if (upTo === Infinity) return
      }
      // The tab slept for too long: the newest messages, after a mark.
      const after = last
      await log.compare(async () => {
        const { items } = await ask({ limit: pageSize })
        const first = items[0]?.seq ?? Infinity
        log.forget(after, first)
        log.receive([{ is: 'note', note: { kind: 'gap', restreamId: 0, platform: '', count: 0 } }])
        return { messages: items, after: first - 1, upTo: Infinity }
      })
    } catch (error) {
      from = Math.min(from ?? Infinity, last)
      throw error
    }
  }

  function begin(which: 'all' | 'recent'): void {
    const numbers = log
      .view()
      .live.flatMap((row) => (row.kind === 'message' && row.message.seq > 0 ? [row.message.seq] : []))
    const first = (which === 'recent' ? numbers.at(-recentSize) : undefined) ?? numbers[0] ?? 1
    from = Math.min(from ?? Infinity, first - 1)
    void run()
  }

  return {
    loaded() {
      if (isLoaded) return
      isLoaded = true
      if (isWanted) begin('all')
    },
    catchUp(which) {
      isWanted = true
      if (isLoaded) begin(which)
    },
  }
}
