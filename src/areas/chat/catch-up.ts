// Compares a list with the service: loads the messages that it missed, and learns which of its messages were deleted. Between the
// first page and the subscription, after a lost connection, and at intervals without one.
import type { chat } from '#contract/areas/chat/chat.ts'
import type { Output } from '#contract/core/operation.ts'
import { toApiError } from '#src/api/api-error.ts'
import type { MessageLog } from '#src/components/message-list/message-log.ts'
import { createRetries } from '#src/lib/backoff.ts'

/** Messages of the first page, and of older ones. */
export const pageSize = 200
const catchUpSize = 500
/** Pages that are read: two are compared, the others are messages that were missed. */
const catchUpPages = 20
const comparedPages = 2
/** Pause before each page of missed messages, milliseconds. */
const pauseMs = 250
/** Newest messages that are compared first, and at each interval without a connection. */
const recentSize = 100
/** Newest messages of the list that are compared otherwise. The older ones are forgotten: "load older" reads them again. */
const comparedSize = 1_000
/** Readers that lost their connection together compare all but the newest messages within this time, milliseconds. */
const spreadMs = 3_000

type Page = Output<typeof chat.messages>
type Ask = (page: { readonly after?: number; readonly limit: number }) => Promise<Page>

/** Returns whether messages follow a page: one of large messages has fewer than its limit. */
export const hasMore = ({ items, more }: Page, limit: number): boolean =>
  items.length > 0 && (more ?? items.length >= limit)

export interface CatchUp {
  /** Call it after the first page is in the log. */
  readonly loaded: () => void
  /**
   * Compares messages and loads what was missed: call it before newer messages arrive. Waits for the first page.
   * @param which `all`: the newest 1,000 messages of the list; `reconnected`: the newest 100, and the others within 3 s, so that
   *   many readers do not ask together; `recent`: the newest 100
   */
  readonly catchUp: (which: 'all' | 'recent' | 'reconnected') => void
  /** Continues after a refusal, with the delays of failed requests. A new subscription does so, too: the service has granted it. */
  readonly allow: () => void
  /** Begins; without a call it has begun. @returns a function that stops: no request follows */
  readonly start: () => () => void
}

interface Options {
  /** The service leaves out messages that do not fit a filter: a missing row is removed, not marked as deleted. */
  readonly isFiltered?: boolean
  /** Rows at the beginning of the list were forgotten. */
  readonly onForget?: () => void
  /** The service refused: no request follows until it is allowed. */
  readonly onRefused?: () => void
}

interface Comparing {
  readonly log: MessageLog
  readonly ask: Ask
  readonly isFiltered: boolean
  readonly isStopped: () => boolean
  /** After each page, with the number of its last message. */
  readonly onPage: (last: number) => void
}

/** Compares all messages after a number. */
async function compareAfter(start: number, { log, ask, isFiltered, isStopped, onPage }: Comparing): Promise<void> {
  let last = start
  for (let page = 0; page < catchUpPages; page++) {
    if (page >= comparedPages) await new Promise((resolve) => setTimeout(resolve, pauseMs))
    if (isStopped()) return
    const after = last
    const { messages, upTo } = await log.compare(async () => {
      const answer = await ask({ after, limit: catchUpSize })
      const end = hasMore(answer, catchUpSize) ? (answer.items.at(-1)?.seq ?? after) : Infinity
      return { messages: answer.items, after, upTo: end, isFiltered }
    })
    last = messages.at(-1)?.seq ?? last
    onPage(last)
    if (upTo === Infinity) return
  }
  if (isStopped()) return
  // The tab slept for too long: the newest messages, after a mark.
  const after = last
  await log.compare(async () => {
    const { items } = await ask({ limit: pageSize })
    const first = items[0]?.seq ?? Infinity
    log.forget(after, first, { kind: 'gap', platform: '', count: 0 })
    return { messages: items, after: first - 1, upTo: Infinity, isFiltered }
  })
}

/**
 * Creates the catch-up of a log. A request that failed for a time is repeated after a delay, or after the time that the service
 * names, from the same message.
 */
export function createCatchUp(
  log: MessageLog,
  ask: Ask,
  { isFiltered = false, onForget, onRefused }: Options = {},
): CatchUp {
  let isLoaded = false
  let isStopped = false
  let isRefused = false
  let isRunning = false
  let isWanted = false
  let retry: ReturnType<typeof setTimeout> | undefined
  let spread: ReturnType<typeof setTimeout> | undefined
  const retries = createRetries()
  /** Time of the next request at the earliest, milliseconds of `performance.now()`. */
  let notBefore = 0
  /** Number before the first message to compare; null: none. */
  let from: number | null = null

  async function run(): Promise<void> {
    clearTimeout(retry)
    if (isRunning || isRefused) return
    const leftMs = notBefore - performance.now()
    if (leftMs > 0) return void (retry = setTimeout(() => void run(), leftMs))
    isRunning = true
    let last = 0
    try {
      while (from !== null && !isStopped) {
        last = from
        from = null
        await compareAfter(last, {
          log,
          ask,
          isFiltered,
          isStopped: () => isStopped,
          onPage: (seq) => {
            last = seq
            retries.reset()
          },
        })
      }
    } catch (error) {
      from = Math.min(from ?? Infinity, last)
      if (!isStopped) failed(error)
    } finally {
      isRunning = false
    }
  }

  function failed(error: unknown): void {
    const { isTransient, retryAfterMs } = toApiError(error)
    isRefused = !isTransient
    const delayMs = Math.max(retries.next(), retryAfterMs ?? 0)
    notBefore = performance.now() + delayMs
    if (isRefused) return onRefused?.()
    retry = setTimeout(() => void run(), delayMs)
  }

  function compareFrom(first: number): void {
    from = Math.min(from ?? Infinity, first - 1)
    void run()
  }

  function begin(which: 'all' | 'recent' | 'reconnected'): void {
    const numbers = log
      .view()
      .live.flatMap((row) => (row.kind === 'message' && row.message.seq > 0 ? [row.message.seq] : []))
    const recent = numbers.at(-recentSize) ?? numbers[0] ?? 1
    if (which === 'recent') return compareFrom(recent)
    isRefused = false
    const first = numbers.at(-comparedSize) ?? numbers[0] ?? 1
    if (numbers.length > comparedSize) {
      log.forget(0, first)
      onForget?.()
    }
    clearTimeout(spread)
    if (which === 'all' || first === recent) return compareFrom(first)
    compareFrom(recent)
    spread = setTimeout(() => compareFrom(first), Math.random() * spreadMs)
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
    allow() {
      if (!isRefused) return
      isRefused = false
      void run()
    },
    start() {
      isStopped = false
      return () => {
        isStopped = true
        clearTimeout(retry)
        clearTimeout(spread)
      }
    },
  }
}
