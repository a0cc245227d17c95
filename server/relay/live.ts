// One project on air: its source, its stream and its destinations. Continues over short absences of the encoder.
import type { DesiredState } from '#contract/relay/desired-state.ts'
import type { RelayEvent } from '#contract/relay/events.ts'
import type { IngestSink } from './ingest/admitted-encoder.ts'
import type { Encoder, IngestSession, PublicationEnd } from './ingest/publication.ts'
import { LiveDestinations } from './live-destinations.ts'
import { bitrateRefusal, type LiveOptions, type LiveSample, withoutFfmpeg } from './live-options.ts'
import { BitrateLimit } from './media/bitrate-limit.ts'
import { Freeze } from './media/freeze.ts'
import { Hub } from './media/hub.ts'
import { Meter } from './media/meter.ts'
import { queueLimit } from './media/outlet.ts'
import { PauseGate } from './media/pause-gate.ts'
import { Pulls } from './pulls/pulls.ts'
import { addUp, type Totals } from './totals.ts'
import { Transcoders } from './transcoders/transcoders.ts'

/** A silent encoder is replaced by a new one after this time, milliseconds. */
const silentMs = 2_000

/** Time for the last bytes to leave, also over a connection that is being opened, milliseconds. */
const lastBytesMs = 2_000

export class Live {
  readonly projectId: number
  /** Epoch of the node's lease; undefined with services without leases. */
  epoch: number | undefined
  readonly hub: Hub
  /** Players that fetch the stream by its pull keys. */
  readonly pulls: Pulls
  readonly #pause: PauseGate
  readonly #freeze: Freeze
  readonly #options: LiveOptions
  readonly #destinations: LiveDestinations
  readonly #transcoders: Transcoders
  readonly #limit: BitrateLimit
  readonly #meter = new Meter(Date.now())
  #source: { readonly session: IngestSession; lastAt: number } | null = null
  /** Queue limit of each receiver, bytes; depends on the bitrate of the last seconds. */
  #queueMax = queueLimit(0)
  #grace: NodeJS.Timeout | undefined
  #waitMs: number
  #lostAt: number | null = null
  #ended = false

  constructor(projectId: number, options: LiveOptions) {
    this.projectId = projectId
    this.hub = new Hub(options.gatherMs)
    this.#pause = new PauseGate(this.hub)
    this.#freeze = new Freeze(this.hub, { isPaused: () => this.#pause.isPaused })
    this.#options = options
    this.#waitMs = options.graceMs
    const tools = options.transcoding ?? withoutFfmpeg
    const limit = () => this.#queueMax
    this.pulls = new Pulls(this.hub, tools.programs, limit)
    this.#transcoders = new Transcoders(tools, {
      source: this.hub,
      limit,
      onReady: (id) => this.#destinations.startFedBy(id),
    })
    this.#destinations = new LiveDestinations({
      source: this.hub,
      transcoders: this.#transcoders,
      dial: options.dial,
      ...(options.timing && { timing: options.timing }),
      limit,
      reserve: (transcoder) => this.#reserveEgress(transcoder),
      mayStart: () => this.#isBitrateKnown,
      onReport: (report) => this.#emit({ type: 'destination', report }),
    })
    this.#limit = new BitrateLimit(options.bitrate)
  }

  /** True when an encoder is connected and sends; another one has to wait. */
  busy(now: number): boolean {
    return this.#source !== null && now - this.#source.lastAt < silentMs
  }

  /** Connects an encoder, the first or a later one. A silent one is disconnected. @returns the sink for its media */
  begin(session: IngestSession, { encoder, address }: Encoder, epoch?: number): IngestSink {
    this.epoch = epoch
    this.#source?.session.end('NetStream.Publish.BadName', 'Another encoder took over')
    clearTimeout(this.#grace)
    this.#freeze.stop()
    this.#lostAt = null
    this.#destinations.resume()
    const source = { session, lastAt: Date.now() }
    this.#source = source
    this.hub.timeline.restart()
    this.#meter.restart()
    this.#emit({ type: 'source-began', encoder, address })
    return {
      take: (received, forwarded) => {
        if (this.#source !== source) return
        source.lastAt = Date.now()
        this.#meter.add(received, forwarded)
        if (forwarded && this.#pause.passes(forwarded)) this.hub.push([forwarded], source.lastAt)
      },
      ended: (how) => {
        if (this.#source === source) this.#lose(how)
      },
    }
  }

  /** Applies the desired state. */
  update({ destinations, transcoders = [], pullKeys, ...terms }: DesiredState): void {
    const { waitMs = this.#options.graceMs, paused = false, kbpsMax = 0 } = terms
    this.#pause.set(paused)
    this.#limit.max = kbpsMax
    if (waitMs !== this.#waitMs) {
      this.#waitMs = waitMs
      if (this.#lostAt !== null) this.#awaitEncoder(this.#lostAt)
    }
    if (pullKeys) this.pulls.keep(pullKeys)
    this.#transcoders.update(transcoders)
    this.#destinations.update(destinations)
  }

  /** Retries a destination immediately. */
  retry(id: number): void {
    this.#destinations.start(id)
  }

  /** Checks all parts and returns their reports; call it each second. @param now wall clock, milliseconds */
  watch(now: number): LiveSample {
    const wasBitrateKnown = this.#isBitrateKnown
    const ingest = { ...this.#meter.sample(now), ...this.hub.facts() }
    if (!wasBitrateKnown && this.#isBitrateKnown) this.#destinations.startAll()
    this.#queueMax = queueLimit(this.#meter.average())
    this.#checkBitrate(now)
    this.#destinations.watch(now)
    return {
      type: 'sample',
      projectId: this.projectId,
      at: now,
      epoch: this.epoch,
      ingest,
      bitrate: { state: this.#limit.state, kbps: this.#limit.kbps, kbpsMax: this.#limit.max },
      destinations: this.#destinations.reports(),
      transcoders: this.#transcoders.watch(now),
      pulls: this.pulls.watch(now),
    }
  }

  /** Reserves egress for a player. @returns a function that releases it; null: the egress limit is reached */
  reserveEgress(): (() => void) | null {
    return this.#reserveEgress(undefined)
  }

  /** Returns the traffic of this broadcast. */
  totals(): Totals {
    return addUp([{ bytes: this.#meter.total, packets: 0, dropped: 0 }, ...this.#destinations.reports()])
  }

  /** Ends the broadcast. @param message for the encoder's user */
  end(message = 'The broadcast was ended'): void {
    if (this.#ended) return
    this.#ended = true
    clearTimeout(this.#grace)
    this.#freeze.stop()
    this.#source?.session.end('NetStream.Unpublish.Success', message)
    this.#source = null
    this.#destinations.stop()
    this.#transcoders.stop()
    this.pulls.end()
    this.#destinations.close()
    this.#emit({ type: 'ended' })
    this.#options.onEnd()
  }

  /** Ends the broadcast and keeps the encoder connected. @returns the session of the encoder, or null */
  detachEncoder(): IngestSession | null {
    const session = this.#source?.session ?? null
    this.#source = null
    this.end()
    return session
  }

  /** Warns, then disconnects an encoder above the bitrate limit. */
  #checkBitrate(now: number): void {
    const kbps = this.#meter.average()
    const kbpsMax = this.#limit.max
    const state = this.#limit.judge(kbps, now)
    if (state === null) return
    this.#emit({ type: 'bitrate', state, kbps, kbpsMax })
    if (state !== 'refused' || !this.#source) return
    this.#source.session.end('NetStream.Publish.BadName', bitrateRefusal(kbpsMax))
    this.#lose('bitrate')
  }

  #lose(how: 'bitrate' | PublicationEnd): void {
    this.#source = null
    this.#emit({ type: 'source-lost', how })
    this.#lostAt = Date.now()
    this.#freeze.start()
    this.#awaitEncoder(this.#lostAt)
  }

  /** Waits for the encoder to reconnect. @param since when it was lost */
  #awaitEncoder(since: number): void {
    clearTimeout(this.#grace)
    this.#grace = setTimeout(() => this.#finish(), Math.max(0, since + this.#waitMs - Date.now()))
  }

  /** Ends the broadcast after the delayed destinations have sent everything. */
  #finish(): void {
    const left = this.#destinations.drain()
    if (left === 0) return this.end()
    this.#freeze.stop()
    this.#grace = setTimeout(() => this.end(), left + lastBytesMs)
  }

  /** With an egress limit, a destination starts when its bitrate is known. */
  get #isBitrateKnown(): boolean {
    return !this.#options.egress || this.#meter.steady() > 0
  }

  #reserveEgress(transcoder: number | undefined): (() => void) | null {
    const rate = () => (transcoder === undefined ? 0 : this.#transcoders.kbpsOf(transcoder)) || this.#meter.steady()
    return this.#options.egress ? this.#options.egress.reserve(rate) : () => undefined
  }

  #emit(event: DistributiveOmit<RelayEvent, 'projectId' | 'at'>): void {
    this.#options.onEvent({ ...event, projectId: this.projectId, at: Date.now(), epoch: this.epoch } as RelayEvent)
  }
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never
