// One destination of a stream: a state machine that connects, publishes, notices trouble, and comes back by itself.
import type { DestinationReason, DestinationReport, DestinationState } from '#contract/relay/reports.ts'
import type { Target } from '#contract/relay/desired-state.ts'
import type { Hub } from '#server/relay/media/hub.ts'
import { Outlet } from '#server/relay/media/outlet.ts'
import { dial, type DialOptions } from './dial.ts'
import { openPublisher, type Publisher } from './publisher.ts'
import { breaks, closures, rejections } from './reasons.ts'
import { redirected, redirectsMax } from './redirect.ts'
import { type DestinationTiming, retryWait, usualTiming } from './timing.ts'

export interface DestinationOptions {
  readonly hub: Hub
  readonly dial: Omit<DialOptions, 'timeoutMs'>
  /** Default: quick first retry, then up to 30 s; 10 s for a stall. */
  readonly timing?: DestinationTiming
  /** Bytes that may wait. */
  readonly limit: () => number
  /** Asks for a place on the node. Left out: there is always one. @returns what gives it back; null: there is none now */
  readonly room?: (() => (() => void) | null) | undefined
  /** After each change of state. */
  readonly onChange: (report: DestinationReport) => void
}

/** From so many breaks on since it was last well, each attempt sends in the other way. */
const breaksMax = 2
/** One that fails more often gives its place to others. */
const keptAttempts = 3
const anyRoom = () => () => undefined

export class Destination {
  readonly id: number
  readonly #target: Target
  readonly #options: DestinationOptions
  readonly #timing: DestinationTiming
  #state: DestinationState = 'idle'
  #since = Date.now()
  #reason: DestinationReason | null = null
  #words: string | null = null
  #attempt = 0
  /** How often this attempt was sent on. */
  #redirects = 0
  #reconnects = 0
  #breaks = 0
  /** It is sent to as a plain encoder does, for itself alone (docs/decisions/0022). */
  #isPlain = false
  /** The server has kept this connection for a while. */
  #isSteady = false
  /** It kept the last one: the next one counts as live at once. */
  #isProven = false
  #nextRetry: number | null = null
  #timer: NodeJS.Timeout | undefined
  #hangUp: (() => void) | null = null
  /** Gives its place on the node back. */
  #leave: (() => void) | null = null
  #publisher: Publisher | null = null
  #outlet: Outlet | null = null
  /** Codecs of the stream that the server did not say it takes. */
  #lacks = ''
  #past = { bytes: 0, packets: 0, dropped: 0, drops: 0 }
  #progress = { written: 0, at: 0 }

  constructor(id: number, target: Target, options: DestinationOptions) {
    this.id = id
    this.#target = target
    this.#options = options
    this.#timing = options.timing ?? usualTiming
  }

  /** Connects, or tries again at once. */
  start(): void {
    if (this.#publisher || this.#hangUp || this.#state === 'stopped') return
    clearTimeout(this.#timer)
    this.#nextRetry = null
    this.#leave ??= (this.#options.room ?? anyRoom)()
    if (!this.#leave) return this.#awaitRoom()
    if (this.#state === 'idle') this.#reason = null
    this.#redirects = 0
    this.#connect(this.#target)
  }

  /** It is asked again each second. */
  #awaitRoom(): void {
    if (this.#isWaitingForRoom) return
    this.#reason = 'egress'
    this.#words = null
    this.#enter('idle')
  }

  get #isWaitingForRoom(): boolean {
    return this.#state === 'idle' && this.#reason === 'egress'
  }

  #connect(target: Target): void {
    this.#isSteady = false
    this.#enter('connecting')
    this.#hangUp = dial(
      target,
      { ...this.#options.dial, timeoutMs: this.#timing.dialMs },
      {
        onOpen: (socket) => {
          this.#hangUp = null
          this.#enter('publishing')
          const { publishMs } = this.#timing
          this.#timer = setTimeout(() => this.#fail('timeout'), publishMs)
          const publisher: Publisher = openPublisher(
            socket,
            target,
            {
              onLive: () => this.#live(),
              // One that was let go of before has nothing to say any more.
              onClose: (failure, words, redirect) =>
                this.#publisher === publisher && (this.#follow(target, redirect) || this.#fail(failure, words)),
            },
            { readyMs: publishMs, isPlain: this.#isPlain },
          )
          this.#publisher = publisher
        },
        onFailure: (failure) => {
          this.#hangUp = null
          this.#fail(failure)
        },
      },
    )
  }

  /** Goes where the server sends us on to. Every attempt begins at the channel's own address again. */
  #follow(from: Target, address: string | undefined): boolean {
    if (address === undefined || this.#state === 'stopped' || this.#redirects >= redirectsMax) return false
    const to = redirected(from, address, this.#options.dial)
    if (!to) return false
    this.#redirects++
    this.#clear()
    this.#connect(to)
    return true
  }

  /** Says what it waits for before it is started. */
  wait(reason: DestinationReason): void {
    if (this.#state !== 'idle') return
    this.#reason = reason
    this.#enter('idle')
  }

  /** Ends for good: says goodbye where there is a connection. */
  stop(): void {
    if (this.#state === 'stopped') return
    const publisher = this.#publisher
    this.#clear()
    this.#giveUpPlace()
    this.#reason = null
    this.#words = null
    this.#enter('stopped')
    publisher?.end()
  }

  /** Looks after a live connection, and after one that waits for room; call it each second. @param now wall clock, milliseconds */
  watch(now: number): void {
    if (this.#isWaitingForRoom) return this.start()
    const publisher = this.#publisher
    if (!publisher || !this.#outlet) return
    const written = publisher.written()
    if (written !== this.#progress.written || publisher.queued() === 0) this.#progress = { written, at: now }
    else if (now - this.#progress.at >= this.#timing.stallMs) return this.#fail('stalled')
    if (this.#state === 'publishing') return this.#confirm()
    if (now - this.#since >= this.#timing.wellMs) {
      this.#attempt = 0
      this.#breaks = 0
    }
    const lacks = publisher.lacks(Object.values(this.#options.hub.codecs())).join(', ')
    if (lacks !== this.#lacks) {
      this.#lacks = lacks
      this.#options.onChange(this.report())
    }
    const state = this.#outlet.dropping ? 'degraded' : 'live'
    if (state !== this.#state) this.#enter(state)
  }

  report(): DestinationReport {
    const counts = this.#counts()
    return {
      id: this.id,
      state: this.#state,
      since: this.#since,
      reason: this.#reason,
      words: this.#words,
      attempt: this.#attempt,
      nextRetry: this.#nextRetry,
      reconnects: this.#reconnects,
      ...counts,
      lacks: this.#lacks,
      acknowledged: this.#publisher?.acknowledged() ?? 0,
      queued: this.#publisher?.queued() ?? 0,
    }
  }

  #live(): void {
    const publisher = this.#publisher
    if (!publisher) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#isSteady = true
      this.#confirm()
    }, this.#timing.steadyMs)
    this.#progress = { written: 0, at: Date.now() }
    this.#outlet = new Outlet(this.#options.hub, publisher, this.#options.limit)
    this.#confirm()
  }

  /** Servers say Publish.Start before they look at the key: live is a connection that carries media and stays. */
  #confirm(): void {
    const isSent = (this.#outlet?.counts.packets ?? 0) > 0
    if (this.#state !== 'publishing' || !isSent || !(this.#isSteady || this.#isProven)) return
    this.#isProven = true
    this.#reason = null
    this.#words = null
    this.#enter('live')
  }

  #fail(failure: DestinationReason, words?: string): void {
    if (this.#state === 'stopped' || this.#state === 'backoff' || this.#state === 'rejected') return
    const wasLive = this.#state === 'live' || this.#state === 'degraded'
    const publisher = this.#publisher
    const isEarly = !this.#isSteady && publisher?.answered() === true && closures.has(failure)
    if (isEarly) this.#isProven = false
    const reason = isEarly ? 'closed-early' : failure
    this.#clear()
    publisher?.destroy()
    if (wasLive) this.#reconnects++
    if (publisher?.answered() && breaks.has(reason) && ++this.#breaks >= breaksMax) this.#isPlain = !this.#isPlain
    this.#reason = reason
    this.#words = words ?? null
    const wait = retryWait(this.#timing, reason, this.#attempt)
    this.#attempt++
    if (rejections.has(reason) || this.#attempt > keptAttempts) this.#giveUpPlace()
    this.#nextRetry = Date.now() + wait
    this.#timer = setTimeout(() => this.start(), wait)
    this.#enter(rejections.has(reason) ? 'rejected' : 'backoff')
  }

  #giveUpPlace(): void {
    this.#leave?.()
    this.#leave = null
  }

  /** Lets go of the connection, keeping what it counted. */
  #clear(): void {
    clearTimeout(this.#timer)
    this.#hangUp?.()
    this.#past = this.#counts()
    this.#outlet?.close()
    this.#hangUp = null
    this.#outlet = null
    this.#publisher = null
    this.#nextRetry = null
  }

  #counts() {
    const { packets = 0, dropped = 0, drops = 0 } = this.#outlet?.counts ?? {}
    const past = this.#past
    return {
      bytes: past.bytes + (this.#outlet ? (this.#publisher?.written() ?? 0) : 0),
      packets: past.packets + packets,
      dropped: past.dropped + dropped,
      drops: past.drops + drops,
    }
  }

  #enter(state: DestinationState): void {
    this.#state = state
    this.#since = Date.now()
    this.#options.onChange(this.report())
  }
}
