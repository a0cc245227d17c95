// One destination of a stream: a state machine that connects, publishes, detects failures, and retries.
import type { DestinationReason, DestinationReport, DestinationState } from '#contract/relay/reports.ts'
import type { Target } from '#contract/relay/desired-state.ts'
import type { Totals } from '#server/relay/totals.ts'
import type { Hub } from '#server/relay/media/hub.ts'
import type { DestinationOptions } from './destination-options.ts'
import { breaks, closures, rejections } from './reasons.ts'
import { redirected, redirectsMax } from './redirect.ts'
import { openRtmpUplink } from './rtmp-uplink.ts'
import { openSrtUplink } from './srt-uplink.ts'
import { type DestinationTiming, retryWait, usualTiming } from './timing.ts'
import type { Feed, Uplink, UplinkHandlers } from './uplink.ts'

/** After this many breaks since the connection was last stable, attempts alternate the sending mode (decision 0022). */
const breaksMax = 2
/** After this many failed attempts a destination releases its egress reservation. */
const keptAttempts = 3
const anyRoom = () => () => undefined
const noCounts = { packets: 0, dropped: 0, drops: 0 } as const

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
  /** Redirects of this attempt. */
  #redirects = 0
  #reconnects = 0
  #breaks = 0
  /** Sending mode of a plain encoder (decision 0022). */
  #isPlain = false
  /** The server has kept this connection for `steadyMs`. */
  #isSteady = false
  /** The server kept the last connection: the next one is live with Publish.Start. */
  #isProven = false
  #nextRetry: number | null = null
  #timer: NodeJS.Timeout | undefined
  /** Releases the egress reservation. */
  #release: (() => void) | null = null
  #uplink: Uplink | null = null
  /** Media of the uplink, once the server accepts it. */
  #feed: Feed | null = null
  /** Stream of the uplink. */
  #hub: Hub | null = null
  /** Codecs of the stream that the server did not announce. */
  #lacks = ''
  #past: Totals & { readonly drops: number } = { bytes: 0, ...noCounts }
  #progress = { written: 0, at: 0 }

  constructor(id: number, target: Target, options: DestinationOptions) {
    this.id = id
    this.#target = target
    this.#options = options
    this.#timing = options.timing ?? usualTiming
  }

  /** Connects, or retries immediately. No effect while destinations may not start: the caller repeats `start` then. */
  start(): void {
    if (this.#uplink || this.#state === 'stopped') return
    if (this.#options.mayStart && !this.#options.mayStart()) return this.hold()
    clearTimeout(this.#timer)
    this.#nextRetry = null
    this.#release ??= (this.#options.room ?? anyRoom)()
    if (!this.#release) return this.#awaitRoom()
    if (this.#state === 'idle') this.#reason = null
    this.#redirects = 0
    this.#connect(this.#target)
  }

  /** `watch` tries again each second. */
  #awaitRoom(): void {
    if (!this.#isWaitingForRoom) this.#enter('idle', 'egress')
  }

  get #isWaitingForRoom(): boolean {
    return this.#state === 'idle' && this.#reason === 'egress'
  }

  #connect(target: Target): void {
    this.#isSteady = false
    this.#enter('connecting')
    const { dial, transports } = this.#options
    const options = { dial, transports, timing: this.#timing, isPlain: this.#isPlain }
    // An uplink that was replaced is ignored.
    const isCurrent = () => this.#uplink === uplink
    const handlers: UplinkHandlers = {
      onOpen: () => isCurrent() && this.#open(),
      onLive: () => isCurrent() && this.#live(),
      onClose: (failure, words, redirect) =>
        isCurrent() && (this.#follow(target, redirect) || this.#fail(failure, words)),
    }
    const uplink: Uplink =
      target.protocol === 'srt' ? openSrtUplink(target, options, handlers) : openRtmpUplink(target, options, handlers)
    this.#uplink = uplink
  }

  /** Follows a redirect. Every attempt begins at the channel's own address. */
  #follow(from: Target, address: string | undefined): boolean {
    if (address === undefined || this.#state === 'stopped' || this.#redirects >= redirectsMax) return false
    if (from.protocol === 'srt') return false
    const to = redirected(from, address, this.#options.dial)
    if (!to) return false
    this.#redirects++
    this.#clear()
    this.#connect(to)
    return true
  }

  /** True when media is sent, or about to be. */
  get isSending(): boolean {
    return this.#feed !== null
  }

  /** Reports the reason of the wait before the start. */
  wait(reason: DestinationReason): void {
    if (this.#state !== 'idle') return
    this.#reason = reason
    this.#enter('idle')
  }

  /** Ends attempts and waits for `start`. A connection that receives media already is kept. */
  hold(): void {
    if (this.#state === 'stopped' || this.#feed) return
    const uplink = this.#uplink
    const hadRetry = this.#nextRetry !== null
    this.#clear()
    uplink?.destroy()
    if (uplink) this.#enter('idle', null)
    else if (hadRetry) this.#options.onChange(this.report())
  }

  /** Disconnects, and waits for `start`. */
  rest(reason: DestinationReason): void {
    if (this.#state === 'stopped') return
    const uplink = this.#uplink
    this.#clear()
    this.#releaseEgress()
    this.#enter('idle', reason)
    uplink?.end()
  }

  /** Disconnects if its stream will be another one: `start` connects to it. An attempt that sends nothing yet is kept. */
  leave(): void {
    const uplink = this.#uplink
    if (!uplink || !this.#feed) return
    this.#clear()
    this.#reconnects++
    this.#enter('idle', null)
    uplink.end()
  }

  /** Ends the destination, and unpublishes if connected. */
  stop(): void {
    if (this.#state === 'stopped') return
    const uplink = this.#uplink
    this.#clear()
    this.#releaseEgress()
    this.#enter('stopped', null)
    uplink?.end()
  }

  /** Checks the connection, or the egress limit; call it each second. @param now wall clock, milliseconds */
  watch(now: number): void {
    if (this.#isWaitingForRoom) return this.start()
    const uplink = this.#uplink
    if (!uplink || !this.#feed) return
    const written = uplink.written()
    if (written !== this.#progress.written || uplink.queued() === 0) this.#progress = { written, at: now }
    else if (now - this.#progress.at >= this.#timing.stallMs) return this.#fail('stalled')
    if (this.#state === 'publishing') return this.#confirm()
    if (now - this.#since >= this.#timing.wellMs) [this.#attempt, this.#breaks] = [0, 0]
    const lacks = uplink.lacks(Object.values(this.#hub?.codecs() ?? {})).join(', ')
    if (lacks !== this.#lacks) {
      this.#lacks = lacks
      this.#options.onChange(this.report())
    }
    const state = this.#feed.dropping ? 'degraded' : 'live'
    if (state !== this.#state) this.#enter(state)
  }

  report(): DestinationReport {
    return {
      id: this.id,
      state: this.#state,
      since: this.#since,
      reason: this.#reason,
      words: this.#words,
      attempt: this.#attempt,
      nextRetry: this.#nextRetry,
      reconnects: this.#reconnects,
      ...this.#counts(),
      lacks: this.#lacks,
      acknowledged: this.#uplink?.acknowledged() ?? 0,
      queued: this.#uplink?.queued() ?? 0,
    }
  }

  #open(): void {
    this.#enter('publishing')
    this.#timer = setTimeout(() => this.#fail('timeout'), this.#timing.publishMs)
  }

  #live(): void {
    const uplink = this.#uplink
    if (!uplink) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#isSteady = true
      this.#confirm()
    }, this.#timing.steadyMs)
    this.#progress = { written: 0, at: Date.now() }
    this.#hub = this.#options.hub()
    this.#feed = uplink.begin(this.#hub, this.#options.limit)
    this.#confirm()
  }

  /** Servers send Publish.Start before they check the key: live is a connection that carries media and stays. */
  #confirm(): void {
    const isSent = (this.#feed?.counts.packets ?? 0) > 0
    if (this.#state !== 'publishing' || !isSent || !(this.#isSteady || this.#isProven)) return
    this.#isProven = true
    this.#enter('live', null)
  }

  #fail(failure: DestinationReason, words?: string): void {
    if (this.#state === 'stopped' || this.#state === 'backoff' || this.#state === 'rejected') return
    const wasLive = this.#state === 'live' || this.#state === 'degraded'
    const uplink = this.#uplink
    const isEarly = !this.#isSteady && uplink?.answered() === true && closures.has(failure)
    if (isEarly) this.#isProven = false
    const reason = isEarly ? 'closed-early' : failure
    this.#clear()
    uplink?.destroy()
    if (wasLive) this.#reconnects++
    if (uplink?.answered() && breaks.has(reason) && ++this.#breaks >= breaksMax) this.#isPlain = !this.#isPlain
    this.#reason = reason
    this.#words = words ?? null
    const wait = retryWait(this.#timing, reason, ++this.#attempt)
    if (rejections.has(reason) || this.#attempt > keptAttempts) this.#releaseEgress()
    this.#nextRetry = Date.now() + wait
    this.#timer = setTimeout(() => this.start(), wait)
    this.#enter(rejections.has(reason) ? 'rejected' : 'backoff')
  }

  #releaseEgress(): void {
    this.#release?.()
    this.#release = null
  }

  /** Releases the connection, and keeps its counters. */
  #clear(): void {
    clearTimeout(this.#timer)
    this.#past = this.#counts()
    this.#feed?.close()
    this.#feed = null
    this.#uplink = null
    this.#nextRetry = null
  }

  #counts() {
    const { packets, dropped, drops } = this.#feed?.counts ?? noCounts
    const past = this.#past
    return {
      bytes: past.bytes + (this.#feed ? (this.#uplink?.written() ?? 0) : 0),
      packets: past.packets + packets,
      dropped: past.dropped + dropped,
      drops: past.drops + drops,
    }
  }

  /** @param reason default: the current one, with its message */
  #enter(state: DestinationState, reason?: DestinationReason | null): void {
    if (reason !== undefined) [this.#reason, this.#words] = [reason, null]
    this.#state = state
    this.#since = Date.now()
    this.#options.onChange(this.report())
  }
}
