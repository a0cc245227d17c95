// Reading of one source: connects with backoff, cleans events, and queues them.
import { backoffMs } from '#contract/core/backoff.ts'
import type { ChatEvent, ChatPlace } from '#server/core/chat.ts'
import { pause } from '#server/core/pause.ts'
import { chatRetries } from './backoff.ts'
import { cleanEvent } from './clean.ts'
import { ChatLost, ChatRefused, type ChatServices, type ChatSource, QuotaGone } from './port.ts'
import type { ChatQueue } from './queue.ts'
import type { ReaderLease } from './stores.ts'
import { deletedFilter } from './deleted-filter.ts'

export type ReadingState = 'connecting' | 'reading' | 'waiting' | 'failed'

/** A connection that lasted that long resets the backoff. */
const stableMs = 30_000
/** Time after which a refused or ended chat is tried again. */
const refusedMs = 600_000
/** A live chat may open shortly after the broadcast: so many attempts at this interval come first, milliseconds. */
const opening = { attempts: 6, everyMs: 30_000 } as const

/** Counters of readers since the start, for metrics. */
export interface ReaderCounters {
  messages: number
  malformed: number
  dropped: number
  connects: number
}

export interface ReadingParts {
  readonly services: ChatServices
  readonly load: (place: ChatPlace) => Promise<ChatSource | undefined>
  readonly counters: ReaderCounters
  /** Reports a refusal, at each attempt. */
  readonly onRefused?: (place: ChatPlace, refused: ChatRefused) => void
  readonly random?: () => number
}

/** Reads until the signal aborts. */
export function keepReading(
  parts: ReadingParts,
  of: {
    readonly place: ChatPlace
    readonly lease: ReaderLease
    readonly queue: ChatQueue
    readonly signal: AbortSignal
    readonly fault: (error: unknown) => void
  },
): { readonly done: Promise<void>; readonly state: () => ReadingState } {
  const { services, counters } = parts
  const { place, lease, queue, signal, fault } = of
  let state: ReadingState = 'connecting'
  let { cursor } = lease
  // A platform with a cursor catches up; without one, the time since the last holder is a gap.
  let lostAt = cursor === null ? lease.since : null

  const tell = (event: ChatEvent): void => {
    if (event.is === 'state') ({ state } = event)
    queue.push(event)
  }
  const passesFilter = deletedFilter()
  /** Returns null for an event with fields of wrong types: clients of vendors pass on what a platform sends. */
  function cleaned(event: ChatEvent): ChatEvent | null {
    try {
      return cleanEvent(place.platform, event, services.clock.now())
    } catch {
      return null
    }
  }

  async function accept(event: ChatEvent): Promise<void> {
    const isWanted = passesFilter(event)
    const clean = cleaned(event)
    if (clean === null) return void counters.malformed++
    if (clean.is !== 'message') return tell(clean)
    counters.messages++
    if (clean.message.id === '') return void counters.malformed++
    cursor = clean.cursor ?? cursor
    if (!isWanted) return
    if (!queue.push(clean)) await queue.room()
  }

  async function connect(): Promise<never> {
    const source = await parts.load(place)
    if (!source) throw new ChatRefused('setup', 'The service cannot read chats of this platform.')
    const malformed = () => void counters.malformed++
    counters.connects++
    for await (const event of source.open({ services, place, signal, malformed }, cursor)) {
      if (signal.aborted) break
      await accept(event)
      if (event.is === 'ended') throw new ChatRefused('no_chat', 'The chat has ended.')
      if (event.is === 'state' && event.state === 'reading' && lostAt) {
        tell({ is: 'gap', since: lostAt })
        lostAt = null
      }
    }
    throw new ChatLost('The platform closed the connection')
  }

  /** Reports the end of a connection. @returns the time until the next one, milliseconds */
  function ended(error: unknown, attempt: number): number {
    const now = services.clock.now()
    if (error instanceof ChatRefused) {
      tell({ is: 'state', state: 'failed', reason: error.reason })
      parts.onRefused?.(place, error)
      return error.reason === 'no_chat' && attempt < opening.attempts ? opening.everyMs : refusedMs
    }
    if (error instanceof QuotaGone) {
      tell({ is: 'state', state: 'waiting', reason: 'quota', until: error.until })
      return Math.max(error.until.getTime() - now.getTime(), 1_000)
    }
    if (!(error instanceof ChatLost)) fault(error)
    const wasReading = state === 'reading'
    if (wasReading && cursor === null && (!(error instanceof ChatLost) || error.isGap)) lostAt ??= now
    const wait = backoffMs(chatRetries, attempt + 1, parts.random)
    const reason = wasReading ? 'lost' : 'unreachable'
    tell({ is: 'state', state: 'waiting', reason, until: new Date(now.getTime() + wait) })
    return wait
  }

  async function read(): Promise<void> {
    let attempt = 0
    while (!signal.aborted) {
      tell({ is: 'state', state: 'connecting' })
      const began = services.clock.now().getTime()
      try {
        await connect()
      } catch (error) {
        if (signal.aborted) return
        if (services.clock.now().getTime() - began >= stableMs) attempt = 0
        await pause(Math.min(ended(error, attempt++), 2 ** 31 - 1), signal)
      }
    }
  }

  return { done: read().catch(fault), state: () => state }
}
