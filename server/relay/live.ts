// One project on air: its source, its stream and its destinations. Continues over short absences of the encoder.
import type { DesiredState } from '#contract/relay/desired-state.ts'
import type { RelayEvent } from '#contract/relay/events.ts'
import type { IngestSink } from './ingest/admitted-encoder.ts'
import type { Encoder, IngestSession, PublicationEnd } from './ingest/publication.ts'
import { silentMs, type SilenceWatch, watchSilence } from './ingest/silence-watch.ts'
import { LiveDestinations } from './live-destinations.ts'
import { bitrateRefusal, type LiveOptions, type LiveSample, noSlates, withoutFfmpeg } from './live-options.ts'
import { faultsOf, type FaultStates, judgeInput, noFaults, stillsMin } from '#server/domain/broadcasts/verdict.ts'
import { BitrateLimit } from './media/bitrate-limit.ts'
import { isFrame } from './media/codecs.ts'
import { Hub } from './media/hub.ts'
import { Meter } from './media/meter.ts'
import { Mixes } from './sources/mix.ts'
import { queueLimit } from './media/outlet.ts'
import { TrackRates } from './media/track-rates.ts'
import type { TrackMessage } from './media/tracks.ts'
import { Pulls } from './pulls/pulls.ts'
import type { Message } from './rtmp/message.ts'
import type { Packet } from './media/packet.ts'
import { TransportStreams } from './srt/transport-streams.ts'
import { Stage } from './sources/stage.ts'
import { addUp, type Totals } from './totals.ts'
import { Transcoders } from './transcoders/transcoders.ts'

/** A silent encoder is replaced by a new one after this time, milliseconds. */
const replaceMs = 2_000

/** Shortest wait for a silent encoder whose connection is open, milliseconds: a stuck network often recovers. */
const openWaitMs = 5_000

/** Time for the last bytes to leave, also over a connection that is being opened, milliseconds. */
const lastBytesMs = 2_000

/** The connected encoder. */
interface Source extends Encoder {
  readonly session: IngestSession
  readonly silence: SilenceWatch
  /** Beginning of the connection, monotonic milliseconds. */
  readonly beganAt: number
  /** Arrival of the newest message, wall clock, milliseconds. */
  lastAt: number
  /** Arrival of the newest frame, monotonic milliseconds. */
  frameAt: number
  /** It is silent, and its connection is open. */
  isLost: boolean
}

export class Live {
  readonly projectId: number
  /** Epoch of the node's lease; undefined with services without leases. */
  epoch: number | undefined
  readonly hub: Hub
  /** Players that fetch the stream by its pull keys. */
  readonly pulls: Pulls
  readonly #transports: TransportStreams
  readonly #stage: Stage
  readonly #options: LiveOptions
  readonly #destinations: LiveDestinations
  readonly #transcoders: Transcoders
  readonly #limit: BitrateLimit
  readonly #meter = new Meter(Date.now())
  readonly #rates = new TrackRates(Date.now())
  readonly #mixes: Mixes
  #source: Source | null = null
  /** Number of the encoder that sends, or sent last. */
  #sources = 0
  #faults: FaultStates = noFaults
  #needs: DesiredState['needs']
  /** Stills and seconds of sound in a row that were black and silent. */
  #still = { black: 0, silent: 0 }
  #hasBegun = false
  /** The stream had media at the last look; without it, destinations do not begin. */
  #isShowing = true
  /** Queue limit of each receiver, bytes; depends on the bitrate of the last seconds. */
  #queueMax = queueLimit(0)
  #grace: NodeJS.Timeout | undefined
  #waitMs: number
  /** The same after the encoder ended the stream itself. */
  #holdMs: number
  #lostAt: number | null = null
  /** The encoder ended the stream itself. */
  #isHeld = false
  #ended = false

  constructor(projectId: number, options: LiveOptions) {
    this.projectId = projectId
    this.hub = new Hub(options.gatherMs)
    this.#options = options
    this.#waitMs = this.#holdMs = options.graceMs
    const tools = options.transcoding ?? withoutFfmpeg
    const slates = options.slates ?? noSlates
    this.#stage = new Stage(this.hub, slates)
    const limit = () => this.#queueMax
    this.#transports = new TransportStreams(tools.programs, limit)
    this.pulls = new Pulls(this.hub, this.#transports, limit)
    this.#transcoders = new Transcoders(tools, {
      source: this.hub,
      limit,
      onReady: (id) => this.#destinations.startFedBy(id),
    })
    this.#mixes = new Mixes({
      gatherMs: this.hub.gatherMs,
      slates,
      onReady: (mix) => this.#destinations.startMixed(mix),
      onGone: (mix) => this.#destinations.restMixed(mix),
    })
    this.#destinations = new LiveDestinations({
      source: this.hub,
      mixes: this.#mixes,
      transcoders: this.#transcoders,
      dial: options.dial,
      transports: this.#transports,
      ...(options.timing && { timing: options.timing }),
      limit,
      reserve: (transcoder) => this.#reserveEgress(transcoder),
      mayStart: () => this.#isBitrateKnown && this.#stage.isShowing,
      onReport: (report) => this.#emit({ type: 'destination', report }),
    })
    this.#limit = new BitrateLimit(options.bitrate)
  }

  /** True when an encoder is connected and sends; another one has to wait. */
  busy(now: number): boolean {
    return this.#source !== null && now - this.#source.lastAt < replaceMs
  }

  /** Connects an encoder, the first or a later one. A silent one is disconnected. @returns the sink for its media */
  begin(session: IngestSession, { encoder, address }: Encoder, epoch?: number): IngestSink {
    this.epoch = epoch
    this.#disconnect('NetStream.Publish.BadName', 'Another encoder took over')
    const source: Source = {
      session,
      encoder,
      address,
      silence: watchSilence(this.#options.silentMs ?? silentMs, () => this.#fallSilent(source)),
      beganAt: performance.now(),
      lastAt: Date.now(),
      frameAt: performance.now(),
      isLost: false,
    }
    this.#source = source
    this.#stage.begin(!this.#hasBegun)
    this.#hasBegun = true
    this.#mixes.begin()
    this.#recover(source)
    return {
      take: (received, tracks) => {
        if (this.#source === source) this.#take(source, received, tracks)
      },
      ended: (how) => {
        if (this.#source === source) this.#lose(how)
      },
    }
  }

  /** Applies the desired state. */
  update({ destinations, transcoders = [], pullKeys, ...terms }: DesiredState): void {
    const { waitMs = this.#options.graceMs, holdMs = waitMs, paused = false, slates = {}, kbpsMax = 0, needs } = terms
    this.#needs = needs
    this.#stage.setSlates(slates)
    this.#stage.setPaused(paused)
    this.#mixes.setSlates(slates)
    this.#mixes.setPaused(paused)
    this.#limit.max = kbpsMax
    if (waitMs !== this.#waitMs || holdMs !== this.#holdMs) {
      this.#waitMs = waitMs
      this.#holdMs = holdMs
      if (this.#lostAt !== null) this.#awaitEncoder(this.#lostAt)
    }
    if (pullKeys) this.pulls.keep(pullKeys)
    this.#transcoders.update(transcoders)
    this.#destinations.update(destinations)
    this.#applyPause()
  }

  /** Destinations do not begin in a pause that shows nothing. */
  #applyPause(): void {
    const wasShowing = this.#isShowing
    this.#isShowing = this.#stage.isShowing
    if (!this.#isShowing) {
      this.#destinations.hold()
      this.hub.forgetGroup()
    } else if (!wasShowing) this.#destinations.startAll()
  }

  /** Retries a destination immediately. */
  retry(id: number): void {
    this.#destinations.start(id)
  }

  /** Checks all parts and returns their reports; call it each second. @param now wall clock, milliseconds */
  watch(now: number): LiveSample {
    const wasBitrateKnown = this.#isBitrateKnown
    const ingest = this.#measure(now)
    if (!wasBitrateKnown && this.#isBitrateKnown) this.#destinations.startAll()
    this.#queueMax = queueLimit(this.#meter.average())
    this.#rates.second(now)
    this.#stage.watch()
    this.#mixes.watch()
    this.#applyPause()
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

  /** Identifies the encoder that sends: each connection that begins has another number. */
  get sourceNumber(): number {
    return this.#sources
  }

  /** Takes the result of a decoded still; null: unknown. @returns whether a fault is suspected, or counts */
  look({
    black,
    silent,
  }: {
    readonly black: boolean | null
    readonly silent: boolean | null
  }): 'fine' | 'suspect' | 'fault' {
    if (this.#stage.fill) return 'fine'
    const count = (before: number, is: boolean | null) => (is === null ? before : is ? before + 1 : 0)
    this.#still = { black: count(this.#still.black, black), silent: count(this.#still.silent, silent) }
    const most = Math.max(this.#still.black, this.#still.silent)
    return most === 0 ? 'fine' : most < stillsMin ? 'suspect' : 'fault'
  }

  /** Measures the last second, and judges it while an encoder sends. */
  #measure(now: number) {
    const { frameRate, ...facts } = this.hub.facts()
    const sample = this.#meter.sample(now)
    const steady = this.#meter.averages()
    const isSending = this.#source?.isLost === false
    if (isSending) {
      const measures = { ...sample, ...facts, ...this.#still, frameRate, steady, keyAgeMs: this.#meter.keyAgeMs() }
      const { states, changed } = judgeInput(this.#faults, measures, { needs: this.#needs, now })
      this.#faults = states
      for (const { fault, isOn } of changed) this.#emit({ type: 'fault', fault, isOn })
    }
    const { fill } = this.#stage
    const shown = steady && isSending ? { kbps: steady.kbps, fps: steady.fps } : null
    return {
      ...sample,
      ...facts,
      steady: shown,
      faults: faultsOf(this.#faults),
      link: this.#link(),
      ...(fill && { fill }),
    }
  }

  #link() {
    if (!this.#source) return null
    const { session, beganAt, frameAt } = this.#source
    const now = performance.now()
    return { ...session.link(), ageMs: now - beganAt, quietMs: now - frameAt }
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
    this.#stage.rest()
    this.#mixes.stop()
    this.#disconnect('NetStream.Unpublish.Success', message)
    this.#destinations.stop()
    this.#transcoders.stop()
    this.pulls.end()
    this.#transports.end()
    this.#destinations.close()
    this.#emit({ type: 'ended' })
    this.#options.onEnd()
  }

  /** Disconnects the encoder; the broadcast waits for it. @param message for the encoder's user */
  disconnectEncoder(message: string): void {
    if (!this.#source) return
    this.#source.session.end('NetStream.Unpublish.Success', message)
    this.#lose('socket')
  }

  /** Returns the headers of the encoder, which sends them once; those of the stream may be of a picture. */
  encoderHeaders(): readonly Packet[] {
    return this.#stage.headers()
  }

  /** Ends the broadcast and keeps the encoder connected. @returns the session of the encoder, or null */
  detachEncoder(): IngestSession | null {
    const session = this.#source?.session ?? null
    this.#forget()
    this.end()
    return session
  }

  /** Warns, then disconnects an encoder above the bitrate limit. */
  #checkBitrate(now: number): void {
    const kbps = this.#rates.judged(this.#meter.average())
    const kbpsMax = this.#limit.max
    const state = this.#limit.judge(kbps, now)
    if (state === null) return
    this.#emit({ type: 'bitrate', state, kbps, kbpsMax })
    if (state !== 'refused' || !this.#source) return
    this.#source.session.end('NetStream.Publish.BadName', bitrateRefusal(kbpsMax))
    this.#lose('bitrate')
  }

  #take(source: Source, received: Message, tracks: readonly TrackMessage[]): void {
    const now = Date.now()
    source.lastAt = now
    if (isFrame(received)) {
      source.silence.receive()
      source.frameAt = performance.now()
    }
    const forwarded = tracks.find(({ isMain }) => isMain)?.message ?? null
    this.#meter.add(received, forwarded)
    for (const one of tracks) this.#rates.add(one)
    this.#mixes.take(tracks)
    if (!forwarded) return
    const taken = this.#stage.take(forwarded, now)
    if (source.isLost && (taken === 'enters' || taken === 'returns')) this.#recover(source)
  }

  /** An encoder sends, or begins to. */
  #recover(source: Source): void {
    const { encoder, address } = source
    source.isLost = false
    clearTimeout(this.#grace)
    this.#lostAt = null
    this.#destinations.resume()
    this.#meter.restart()
    this.#sources++
    this.#still = { black: 0, silent: 0 }
    this.#emit({ type: 'source-began', encoder, address })
  }

  /** The encoder sends no media and stays connected: it may continue over its connection. */
  #fallSilent(source: Source): void {
    if (this.#source !== source || source.isLost) return
    source.isLost = true
    this.#isHeld = false
    this.#markLost('silent')
    this.#stage.lose(0)
    this.#mixes.lose(0)
  }

  #disconnect(code: string, message: string): void {
    const session = this.#source?.session
    this.#forget()
    session?.end(code, message)
  }

  #forget(): void {
    this.#source?.silence.close()
    this.#source = null
  }

  #lose(how: 'bitrate' | PublicationEnd): void {
    const wasLost = this.#source?.isLost ?? false
    this.#isHeld = how === 'unpublish'
    this.#forget()
    // The wait without a connection may be shorter.
    if (wasLost) return this.#awaitEncoder(this.#lostAt ?? Date.now())
    this.#markLost(how)
    this.#stage.lose()
    this.#mixes.lose()
  }

  #markLost(how: 'bitrate' | 'silent' | PublicationEnd): void {
    this.#emit({ type: 'source-lost', how })
    this.#lostAt = Date.now()
    this.#awaitEncoder(this.#lostAt)
  }

  /** Waits for the encoder to reconnect. @param since when it was lost */
  #awaitEncoder(since: number): void {
    clearTimeout(this.#grace)
    const waitMs = this.#source ? Math.max(this.#waitMs, openWaitMs) : this.#isHeld ? this.#holdMs : this.#waitMs
    this.#grace = setTimeout(() => this.#finish(), Math.max(0, since + waitMs - Date.now()))
  }

  /** Ends the broadcast after the delayed destinations have sent everything. */
  #finish(): void {
    // It sends again, and its media enters the stream with the next keyframe.
    if (this.busy(Date.now())) return this.#awaitEncoder(Date.now())
    const left = this.#destinations.drain()
    if (left === 0) return this.end()
    this.#stage.rest()
    this.#mixes.stop()
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
