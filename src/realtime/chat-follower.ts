// Follows the chat of a broadcast by the numbers of its changes (`ChatOrder`): applies batches in order, and reads what it missed.
import type { ChatBatch, ChatChange } from '#contract/events/chat.ts'
import { type ChangesPage, changesOf, ChatOrder, missingMs } from '#contract/events/chat-order.ts'
import { createRetries } from '#src/lib/backoff.ts'

/** Clients that lost their connection together read within this time, milliseconds. */
const spreadMs = 3_000
/** More missed changes than a list keeps rows: the newest page is loaded instead. */
const missedMax = 5_000
/** Pages that are read without a pause, and the pause before each further one, milliseconds. */
const quickPages = 2
const pauseMs = 250

export interface FollowOptions {
  /** Reads the changes after a number. */
  readonly read: (after: number) => Promise<ChangesPage>
  /** Loads the newest page. @returns its number, and a function that shows it in place of all rows */
  readonly restart: () => Promise<{ readonly rev: number; readonly show: () => void }>
  /** Applies changes in their order. @param areMissed they were read: no batch brought them */
  readonly apply: (changes: readonly ChatChange[], areMissed: boolean) => void
  /** Called when changes are known to be missing (false), and when they are applied (true). */
  readonly onCurrent?: (isCurrent: boolean) => void
  /** Returns the least delay after a failure, milliseconds; null: refused, and no request follows until `allow`. */
  readonly delayAfter?: (error: unknown) => number | null
}

export interface ChatFollower {
  /** Call it after the first page is shown. @param rev its number */
  readonly loaded: (rev: number) => void
  /** Takes a publication. */
  readonly take: (batch: Pick<ChatBatch, 'after' | 'upto' | 'payload'>) => void
  /**
   * Reads what was missed; waits for the first page.
   * @param how `subscribed`: also after a refusal, since the service has granted the subscription; `reconnected`: the same within 3 s, so
   * that many clients do not read together; `polled`: at intervals; `restart`: loads the newest page
   */
  readonly catchUp: (how: 'subscribed' | 'reconnected' | 'polled' | 'restart') => void
  /** Continues after a refusal, with the delays of failed requests. */
  readonly allow: () => void
  /** Begins; without a call it has begun. @returns a function that stops: no request follows */
  readonly start: () => () => void
}

/** Creates a timer whose earlier time wins, milliseconds of `performance.now()`. */
function soonest(run: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let dueAt = Infinity
  const clear = () => {
    clearTimeout(timer)
    dueAt = Infinity
  }
  const set = (at: number) => {
    if (at >= dueAt) return
    clear()
    dueAt = at
    const fire = () => {
      dueAt = Infinity
      run()
    }
    timer = setTimeout(fire, Math.max(at - performance.now(), 0))
  }
  return { clear, set }
}

/** Creates the follower of a broadcast. Requests that failed for a time are repeated. */
export function followChat(options: FollowOptions): ChatFollower {
  const { apply, onCurrent, delayAfter = () => 0 } = options
  const order = new ChatOrder()
  const retries = createRetries()
  const timer = soonest(() => void run())
  /** Time before which no request is sent, milliseconds of `performance.now()`. */
  let notBefore = 0
  let isWanted = false
  let needsRestart = false
  let isReading = false
  let isRefused = false
  let isStopped = false
  let isCurrent = true

  function schedule(ms: number): void {
    if (isStopped || isRefused || isReading || (order.mine === null && !needsRestart)) return
    timer.set(Math.max(performance.now() + ms, notBefore))
  }

  /** Waits for a missing batch, or reads the changes. */
  function next(): void {
    if (isWanted) schedule(0)
    else if (order.isBehind) schedule(missingMs)
    else timer.clear()
    const wasCurrent = isCurrent
    isCurrent = !isWanted && !isReading && !order.isBehind
    if (isCurrent !== wasCurrent && !isStopped) onCurrent?.(isCurrent)
  }

  async function run(): Promise<void> {
    isReading = true
    isWanted = false
    try {
      if (needsRestart) await restart()
      else await readAll()
    } catch (error) {
      isWanted = true
      const delayMs = delayAfter(error)
      isRefused = delayMs === null
      notBefore = performance.now() + Math.max(retries.next(), delayMs ?? 0)
    }
    isReading = false
    next()
  }

  async function restart(): Promise<void> {
    const { rev, show } = await options.restart()
    if (isStopped) return
    retries.reset()
    needsRestart = false
    show()
    apply(order.reach(rev), false)
  }

  async function readAll(): Promise<void> {
    for (let pages = 1; !isStopped; pages++) {
      const page = await options.read(order.mine ?? 0)
      if (isStopped) return
      retries.reset()
      if (page.last - page.upto > missedMax) {
        needsRestart = true
        isWanted = true
        return
      }
      apply(changesOf(page), true)
      apply(order.reach(page.upto), false)
      if (page.upto >= page.last) return
      if (pages >= quickPages) await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }

  return {
    loaded(rev) {
      apply(order.reach(rev), false)
      next()
    },
    take(batch) {
      const changes = order.take(batch)
      if (changes.length > 0) apply(changes, false)
      next()
    },
    catchUp(how) {
      needsRestart ||= how === 'restart'
      isRefused &&= how === 'polled'
      isWanted = true
      if (how === 'reconnected') notBefore = Math.max(notBefore, performance.now() + Math.random() * spreadMs)
      next()
    },
    allow() {
      isRefused = false
      next()
    },
    start() {
      isStopped = false
      next()
      return () => {
        isStopped = true
        timer.clear()
      }
    },
  }
}
