// Compares a list with the service: loads the messages that it missed, and learns which of its messages were deleted. Between the
// first page and the subscription, after a lost connection, and at intervals without one.
import type { chat } from '#contract/areas/chat/chat.ts'
import type { Output } from '#contract/core/operation.ts'
import type { MessageLog } from '#src/components/message-list/message-log.ts'

/** Messages of the first page, and of older ones. */
export const pageSize = 200
const catchUpSize = 500
/** Pages that are read: two are compared, the others are messages that were missed. */
const catchUpPages = 20
/** Newest messages that are compared at each interval without a connection. */
const recentSize = 100
/** Newest messages of the list that are compared otherwise. The older ones are forgotten: "load older" reads them again. */
const comparedSize = 1_000
const retryMs = { first: 1_000, most: 30_000 }
/** Readers that lost their connection together compare within this time, milliseconds. */
const spreadMs = 3_000

type Ask = (page: { readonly after?: number; readonly limit: number }) => Promise<Output<typeof chat.messages>>

export interface CatchUp {
  /** Call it after the first page is in the log. */
  readonly loaded: () => void
  /**
   * Compares messages and loads what was missed: call it before newer messages arrive. Waits for the first page.
   * @param which `all`: the newest 1,000 messages of the list; `reconnected`: the same within 3 s, so that many readers do not
   *   ask together; `recent`: the newest 100
   */
  readonly catchUp: (which: 'all' | 'recent' | 'reconnected') => void
  /** Begins; without a call it has begun. @returns a function that stops: no request follows */
  readonly start: () => () => void
}

interface Options {
  /** The service leaves out messages that do not fit a filter: a missing row is removed, not marked as deleted. */
  readonly isFiltered?: boolean
  /** Rows at the beginning of the list were forgotten. */
  readonly onForget?: () => void
}

/** Creates the catch-up of a log. A failed request is repeated after a delay, from the same message. */
export function createCatchUp(log: MessageLog, ask: Ask, { isFiltered = false, onForget }: Options = {}): CatchUp {
  let isLoaded = false
  let isStopped = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let delay = retryMs.first
  let isRunning = false
  let isWanted = false
  /** Number before the first message to compare; null: none. */
  let from: number | null = null

  function runAfter(ms: number): void {
    clearTimeout(timer)
    timer = setTimeout(() => void run(), ms)
  }

  async function run(): Promise<void> {
    clearTimeout(timer)
    if (isRunning) return
    isRunning = true
    try {
      while (from !== null && !isStopped) {
        const start = from
        from = null
        await compareAfter(start)
      }
    } catch {
      if (isStopped) return
      runAfter(delay * (0.5 + Math.random() / 2))
      delay = Math.min(retryMs.most, delay * 2)
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
          const end = items.length < catchUpSize ? Infinity : (items.at(-1)?.seq ?? after)
          return { messages: items, after, upTo: end, isFiltered }
        })
        delay = retryMs.first
        last = messages.at(-1)?.seq ?? last
        if (upTo === Infinity || isStopped) return
      }
      // The tab slept for too long: the newest messages, after a mark.
      const after = last
      await log.compare(async () => {
        const { items } = await ask({ limit: pageSize })
        const first = items[0]?.seq ?? Infinity
        log.forget(after, first)
        log.receive([{ is: 'note', note: { kind: 'gap', restreamId: 0, platform: '', count: 0 } }])
        return { messages: items, after: first - 1, upTo: Infinity, isFiltered }
      })
    } catch (error) {
      from = Math.min(from ?? Infinity, last)
      throw error
    }
  }

  function begin(which: 'all' | 'recent' | 'reconnected'): void {
    const numbers = log
      .view()
      .live.flatMap((row) => (row.kind === 'message' && row.message.seq > 0 ? [row.message.seq] : []))
    const first = numbers.at(which === 'recent' ? -recentSize : -comparedSize) ?? numbers[0] ?? 1
    if (which !== 'recent' && numbers.length > comparedSize) {
      log.forget(0, first)
      onForget?.()
    }
    from = Math.min(from ?? Infinity, first - 1)
    if (which === 'reconnected') runAfter(Math.random() * spreadMs)
    else void run()
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
    start() {
      isStopped = false
      return () => {
        isStopped = true
        clearTimeout(timer)
      }
    },
  }
}
