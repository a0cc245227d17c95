// One project on air: its encoders and its play, its stream and its destinations. Continues over short absences of the encoders.
import type { DesiredState } from '#contract/relay/desired-state.ts'
import type { RelayEvent } from '#contract/relay/events.ts'
import type { BitrateState } from '#contract/relay/reports.ts'
import type { IngestSink } from './ingest/admitted-encoder.ts'
import type { IngestSession, PublicationEnd } from './ingest/publication.ts'
import { type Rank, rankOf } from './ingest/rank.ts'
import { silentMs, watchSilence } from './ingest/silence-watch.ts'
import { LiveDestinations } from './live-destinations.ts'
import { bitrateRefusal, type LiveOptions, type LiveSample, noSlates, withoutFfmpeg } from './live-options.ts'
import { InputJudge, type Still } from './input-judge.ts'
import { isFrame } from './media/codecs.ts'
import { Hub } from './media/hub.ts'
import { Meter } from './media/meter.ts'
import { Mixes } from './sources/mix.ts'
import { queueLimit } from './media/outlet.ts'
import { TrackRates } from './media/track-rates.ts'
import type { TrackMessage } from './media/tracks.ts'
import { Pulls } from './pulls/pulls.ts'
import type { Message } from './rtmp/message.ts'
import { type AdmittedSource, type Detached, Encoders, openSource, type Source } from './sources/encoders.ts'
import { Stage } from './sources/stage.ts'
import { TransportStreams } from './srt/transport-streams.ts'
import { addUp, type Totals } from './totals.ts'
import { Transcoders } from './transcoders/transcoders.ts'

/** Shortest wait for a silent encoder whose connection is open, milliseconds: a stuck network often recovers. */
const openWaitMs = 5_000

/** Time for the last bytes to leave, also over a connection that is being opened, milliseconds. */
const lastBytesMs = 2_000

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
  /** State of the limit that was reported last. */
  #bitrate: BitrateState = 'fine'
  readonly #meter = new Meter(Date.now())
  readonly #rates = new TrackRates(Date.now())
  readonly #mixes: Mixes
  readonly #encoders: Encoders
  /** Number of the encoder that sends, or sent last. */
  #sources = 0
  readonly #judge = new InputJudge((change) => this.#emit({ type: 'fault', ...change }))
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
  /** The encoder ended the stream itself, or the play is over; null: neither. */
  #end: 'encoder' | 'play' | null = null
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
    this.#encoders = new Encoders(options.bitrate)
  }

  /** True when an encoder is connected and sends; a play does not count. */
  busy(): boolean {
    return this.#encoders.hasEncoder()
  }

  /** Returns why an encoder may not begin: another one of its kind sends, or the last one exceeded the bitrate limit. */
  refusalOf(rank: Rank): 'another_encoder' | 'bitrate' | null {
    return this.#encoders.refusalOf(rank)
  }

  /**
   * Connects an encoder or a play, the first or a later one. A silent one of its kind is disconnected. It waits beside the one on air.
   * @returns the sink for its media
   */
  begin(session: IngestSession, admitted: AdmittedSource, epoch?: number): IngestSink {
    this.epoch = epoch
    const { encoder, address, play, stays } = admitted
    const rank = rankOf(admitted)
    this.#disconnect(this.#encoders.of(rank), 'NetStream.Publish.BadName', 'Another encoder took over')
    const encoders = this.#encoders
    const isFirst = encoders.source === null
    const feed = isFirst ? this.#stage.begin(!this.#hasBegun) : this.#stage.beside()
    const watch = (onSilent: () => void) => watchSilence(this.#options.silentMs ?? silentMs, onSilent)
    const source: Source = openSource(session, {
      encoder,
      address,
      rank,
      play,
      stays,
      feed,
      silence: watch(() => this.#fallSilent(source)),
    })
    if (isFirst) {
      encoders.source = source
      this.#hasBegun = true
      this.#mixes.begin()
      this.#recover(source)
    } else {
      encoders.add(source)
    }
    return {
      take: (received, tracks) => this.#take(source, received, tracks),
      ended: (how) => {
        if (encoders.source === source) this.#lose(how)
        else if (encoders.has(source)) this.#leave(source)
      },
    }
  }

  /** Applies the desired state. */
  update({ destinations, transcoders = [], pullKeys, ...terms }: DesiredState): void {
    const {
      waitMs = this.#options.graceMs,
      holdMs = waitMs,
      paused = false,
      slates = {},
      kbpsMax = 0,
      needs,
      quality,
    } = terms
    this.#judge.needs = needs
    this.#stage.setSlates(slates)
    this.#stage.setPaused(paused)
    this.#mixes.setSlates(slates)
    this.#mixes.setPaused(paused)
    this.#encoders.kbpsMax = kbpsMax
    this.#encoders.quality.rule = quality
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
    this.#encoders.judgeQuality(ingest.kbps)
    this.#destinations.watch(now)
    const { limit } = this.#encoders
    return {
      type: 'sample',
      projectId: this.projectId,
      at: now,
      epoch: this.epoch,
      ingest,
      bitrate: { state: limit.state, kbps: limit.kbps, kbpsMax: limit.max },
      destinations: this.#destinations.reports(),
      transcoders: this.#transcoders.watch(now),
      pulls: this.pulls.watch(now),
    }
  }

  /** Identifies the encoder that sends: each connection that begins has another number. */
  get sourceNumber(): number {
    return this.#sources
  }

  /** Takes a decoded still. @returns whether a fault is suspected, or counts */
  look(still: Still): 'fine' | 'suspect' | 'fault' {
    return this.#stage.fill || this.#isPlay ? 'fine' : this.#judge.look(still)
  }

  /** Measures the last second, and judges it while an encoder sends. */
  #measure(now: number) {
    const { frameRate, ...facts } = this.hub.facts()
    const sample = this.#meter.sample(now)
    const steady = this.#meter.averages()
    const isOnAir = this.#encoders.source?.isLost === false
    if (isOnAir && !this.#isPlay)
      this.#judge.judge({ ...sample, ...facts, frameRate, steady, keyAgeMs: this.#meter.keyAgeMs() }, now)
    const { fill } = this.#stage
    const [backup, play] = [this.#encoders.stateOf('backup'), this.#encoders.stateOf('play')]
    const shown = steady && isOnAir ? { kbps: steady.kbps, fps: steady.fps } : null
    return {
      ...sample,
      ...facts,
      steady: shown,
      faults: this.#judge.faults,
      link: this.#link(),
      ...(fill && ({ fill: fill === 'frame' ? fill : 'picture', clip: fill === 'clip' } as const)),
      ...(backup && { backup }),
      ...(play && { play }),
    }
  }

  /** A play is on air: it is not judged, because its user has no encoder to correct. */
  get #isPlay(): boolean {
    return this.#encoders.source?.rank === 'play'
  }

  #link() {
    const { source } = this.#encoders
    if (!source || this.#isPlay) return null
    const { session, beganAt, frameAt } = source
    const now = performance.now()
    return { ...session.link(), ageMs: now - beganAt, quietMs: now - frameAt }
  }

  /** Reserves egress for a player. @returns a function that releases it; null: the egress limit is reached */
  reserveEgress(): (() => void) | null {
    return this.#reserveEgress(undefined)
  }

  /** Returns the traffic of this broadcast. */
  totals(): Totals {
    const bytes = this.#meter.total + this.#encoders.idleBytes
    return addUp([{ bytes, packets: 0, dropped: 0 }, ...this.#destinations.reports()])
  }

  /** Ends the broadcast. @param message for the encoder's user */
  end(message = 'The broadcast was ended'): void {
    if (this.#ended) return
    this.#ended = true
    clearTimeout(this.#grace)
    this.#stage.rest()
    this.#mixes.stop()
    for (const source of this.#encoders.all()) this.#disconnect(source, 'NetStream.Unpublish.Success', message)
    this.#destinations.stop()
    this.#transcoders.stop()
    this.pulls.end()
    this.#transports.end()
    this.#destinations.close()
    this.#emit({ type: 'ended' })
    this.#options.onEnd()
  }

  /** Disconnects the encoders; the broadcast waits for them. @param message for their users */
  disconnectEncoders(message: string): void {
    const { source } = this.#encoders
    for (const one of this.#encoders.all())
      if (one !== source) this.#disconnect(one, 'NetStream.Unpublish.Success', message)
    source?.session.end('NetStream.Unpublish.Success', message)
    if (source && this.#encoders.source === source) this.#lose('socket')
  }

  /** Ends the broadcast and its play, and keeps the encoders connected. */
  detachEncoders(): readonly Detached[] {
    const kept = this.#encoders.all().filter(({ rank }) => rank !== 'play')
    for (const source of kept) this.#remove(source)
    this.end()
    return kept.map(({ session, feed }) => ({ session, headers: feed.headers.packets() }))
  }

  /** Warns, then disconnects an encoder above the bitrate limit. That of the encoder on air is reported. */
  #checkBitrate(now: number): void {
    const kbps = this.#rates.judged(this.#meter.average())
    const { limit } = this.#encoders
    limit.judge(kbps, now)
    for (const beside of this.#encoders.checkBeside(now))
      this.#disconnect(beside, 'NetStream.Publish.BadName', bitrateRefusal(limit.max))
    const { state, max } = limit
    if (state === this.#bitrate) return
    this.#bitrate = state
    this.#emit({ type: 'bitrate', state, kbps, kbpsMax: max })
    const source = this.#encoders.limited
    if (state !== 'refused' || !source) return
    source.session.end('NetStream.Publish.BadName', bitrateRefusal(max))
    this.#lose('bitrate')
  }

  #take(source: Source, received: Message, tracks: readonly TrackMessage[]): void {
    if (!this.#encoders.has(source)) return
    const now = Date.now()
    source.lastAt = performance.now()
    if (isFrame(received)) {
      source.silence.receive()
      source.frameAt = source.lastAt
    }
    source.headers.take(tracks)
    if (source !== this.#encoders.source) return this.#takeBeside(source, received, tracks)
    const forwarded = mainOf(tracks)
    this.#meter.add(received, forwarded)
    for (const one of tracks) this.#rates.add(one)
    this.#mixes.take(tracks)
    if (!forwarded) return
    const taken = this.#stage.take(forwarded, now, source.feed)
    if (source.isLost && (taken === 'enters' || taken === 'returns')) this.#recover(source)
  }

  /** Keeps the headers of an encoder that is not on air, or puts it on air with its keyframe. */
  #takeBeside(source: Source, received: Message, tracks: readonly TrackMessage[]): void {
    this.#encoders.countIdle(source, received, tracks)
    const forwarded = mainOf(tracks)
    if (!forwarded) return
    if (!this.#encoders.mayEnter(source)) return this.#stage.note(forwarded, source.feed)
    if (this.#stage.take(forwarded, Date.now(), source.feed) !== 'enters') return
    // The main encoder still sends.
    const { source: before, quality } = this.#encoders
    if (before?.rank === 'main' && !before.isLost && quality.isPoor) this.#emit({ type: 'source-lost', how: 'poor' })
    this.#exchange(source)
    this.#mixes.take(tracks)
    this.#recover(source)
  }

  #exchange(source: Source): void {
    this.#encoders.exchange(source)
    this.#mixes.replace(source.headers.all())
  }

  /** The encoder on air is lost: the highest other one that sends enters with its next keyframe. */
  #promote(): void {
    const next = this.#encoders.next()
    if (!next) return
    this.#exchange(next)
    next.isLost = true
  }

  /** An encoder sends, or begins to. */
  #recover(source: Source): void {
    const { encoder, address, play, rank } = source
    source.isLost = false
    this.#encoders.enter(source)
    clearTimeout(this.#grace)
    this.#lostAt = null
    this.#destinations.resume()
    this.#meter.restart()
    this.#sources++
    this.#judge.restart()
    if (play !== undefined) this.#judge.forget()
    this.#emit({ type: 'source-began', encoder, address, play, isBackup: rank === 'backup' })
  }

  /** The encoder sends no media and stays connected: it may continue over its connection. */
  #fallSilent(source: Source): void {
    if (this.#encoders.source !== source || source.isLost) return
    source.isLost = true
    this.#end = null
    this.#markLost('silent')
    this.#stage.lose(0)
    this.#mixes.lose(0)
    this.#promote()
  }

  #disconnect(source: Source | null, code: string, message: string): void {
    if (!source) return
    this.#remove(source)
    source.session.end(code, message)
  }

  #remove(source: Source): void {
    if (source === this.#encoders.source) this.#encoders.forget()
    else this.#leave(source)
  }

  /** An encoder that is not on air has left. */
  #leave(source: Source): void {
    this.#encoders.leave(source)
    // The wait without a connection may be shorter.
    if (!this.#encoders.source && this.#lostAt !== null) this.#awaitEncoder(this.#lostAt)
  }

  #lose(how: 'bitrate' | PublicationEnd): void {
    const { rank, isLost: wasLost = false, frameAt = performance.now() } = this.#encoders.source ?? {}
    this.#end = how === 'unpublish' ? (rank === 'play' ? 'play' : 'encoder') : null
    this.#encoders.forget()
    if (wasLost) {
      // The wait without a connection may be shorter.
      this.#awaitEncoder(this.#lostAt ?? Date.now())
    } else {
      this.#markLost(how)
      // Counted from the last frame, as over an open connection.
      const delayMs = Math.max(0, silentMs - (performance.now() - frameAt))
      this.#stage.lose(delayMs)
      this.#mixes.lose(delayMs)
    }
    this.#promote()
  }

  #markLost(how: 'bitrate' | 'silent' | PublicationEnd): void {
    this.#emit({ type: 'source-lost', how })
    this.#lostAt = Date.now()
    this.#awaitEncoder(this.#lostAt)
  }

  /** Waits for the encoder to reconnect. @param since when it was lost */
  #awaitEncoder(since: number): void {
    clearTimeout(this.#grace)
    if (this.#ended) return
    const closedMs = this.#end === 'play' ? 0 : this.#end === 'encoder' ? this.#holdMs : this.#waitMs
    const waitMs = this.#encoders.isConnected ? Math.max(this.#waitMs, openWaitMs) : closedMs
    this.#grace = setTimeout(() => this.#finish(), Math.max(0, since + waitMs - Date.now()))
  }

  /** Ends the broadcast after the delayed destinations have sent everything. */
  #finish(): void {
    // It sends again, and its media enters the stream with the next keyframe.
    if (this.#encoders.busy()) return this.#awaitEncoder(Date.now())
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

/** The part of a message for the main stream. */
const mainOf = (tracks: readonly TrackMessage[]): Message | null => tracks.find(({ isMain }) => isMain)?.message ?? null

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never
