// Destinations of one project on air: the desired ones run, each fed by the source, a transcoder or a delay.
import type { DestinationOptions } from './destinations/destination-options.ts'
import { isMainTracks, mainTracks } from '#contract/entities/tracks.ts'
import type { DesiredDestination } from '#contract/relay/desired-state.ts'
import type { DestinationReport } from '#contract/relay/reports.ts'
import { Destination } from './destinations/destination.ts'
import { Delays } from './media/delays.ts'
import type { Hub } from './media/hub.ts'
import { SilentLines } from './media/silent-line.ts'
import { Ladder } from './sources/ladder.ts'
import type { Mix, Mixes } from './sources/mix.ts'
import type { Transcoders } from './transcoders/transcoders.ts'

export interface LiveDestinationsOptions extends Pick<DestinationOptions, 'dial' | 'timing' | 'limit' | 'transports'> {
  readonly source: Hub
  readonly transcoders: Transcoders
  readonly mixes: Mixes
  /** Reserves egress. @param transcoder feeds the destination @returns a function that releases it; null: none left */
  readonly reserve: (transcoder: number | undefined) => (() => void) | null
  /** Returns true when destinations may start: not in a pause, and with an egress limit only when the bitrate is known. */
  readonly mayStart: () => boolean
  readonly onReport: (report: DestinationReport) => void
}

export class LiveDestinations {
  readonly #options: LiveDestinationsOptions
  readonly #destinations = new Map<number, Destination>()
  /** JSON of the desired state that each destination runs with. */
  readonly #desired = new Map<number, string>()
  /** Transcoder of each destination that has one. */
  readonly #transcoderOf = new Map<number, number>()
  /** Mix of each destination that chose its tracks. */
  readonly #mixOf = new Map<number, Mix>()
  /** Mix of each destination that can take a smaller picture. */
  readonly #ladders = new Map<number, { readonly mix: Mix; readonly ladder: Ladder; wasLower: boolean }>()
  /** Chooses the stream of each destination for its next connection. */
  readonly #inputs = new Map<number, () => Hub>()
  readonly #delays = new Delays()
  readonly #silences = new SilentLines((ids) => this.#reconnect(ids))
  /** Only delayed destinations still send. */
  #isDraining = false

  constructor(options: LiveDestinationsOptions) {
    this.#options = options
  }

  /** Applies the desired state: starts new destinations, stops removed ones and restarts changed ones. */
  update(desired: readonly DesiredDestination[]): void {
    const wanted = new Map(desired.map((one) => [one.id, JSON.stringify(one)]))
    for (const [id, destination] of this.#destinations)
      if (wanted.get(id) !== this.#desired.get(id)) this.#remove(id, destination)
    this.#delays.keep(desired)
    for (const one of desired) {
      this.#desired.set(one.id, wanted.get(one.id) ?? '')
      if (!this.#destinations.has(one.id) && (one.delayMs || !this.#isDraining)) this.#add(one)
    }
    this.#silences.sweep()
    this.#options.mixes.keep(new Set([...this.#mixOf.values(), ...[...this.#ladders.values()].map(({ mix }) => mix)]))
  }

  /**
   * Starts a destination, or retries it immediately. Platforms disconnect publishers that send no media, so a destination starts
   * with the first packet of its transcoder or delay.
   */
  start(id: number): void {
    if (!this.#options.mayStart()) return
    const destination = this.#destinations.get(id)
    const transcoder = this.#transcoderOf.get(id)
    if (transcoder !== undefined && !this.#options.transcoders.isReady(transcoder))
      return destination?.wait('transcoding')
    if (this.#mixOf.get(id)?.isReady === false) return destination?.wait('track')
    if (!destination?.isSending) this.#inputs.get(id)?.()
    const isWaiting = this.#delays.waitFor(id, () => this.start(id))
    if (isWaiting) destination?.wait('delay')
    else if (!this.#silences.isAwaited(id)) destination?.start()
  }

  startAll(): void {
    for (const id of this.#destinations.keys()) this.start(id)
  }

  /** Ends all attempts to connect until `startAll`. */
  hold(): void {
    for (const destination of this.#destinations.values()) destination.hold()
  }

  /** Starts the destinations of a transcoder. */
  startFedBy(transcoder: number): void {
    for (const [id, by] of this.#transcoderOf) if (by === transcoder) this.start(id)
  }

  /** Starts the destinations of a mix. */
  startMixed(mix: Mix): void {
    for (const id of this.#destinationsOf(mix)) this.start(id)
  }

  /** Disconnects the destinations of a mix until it is ready again. */
  restMixed(mix: Mix): void {
    for (const id of this.#destinationsOf(mix)) this.#destinations.get(id)?.rest('track')
  }

  #destinationsOf(mix: Mix): readonly number[] {
    const ofLadders = [...this.#ladders].flatMap(([id, one]) => (one.mix === mix ? [id] : []))
    return [...[...this.#mixOf].flatMap(([id, by]) => (by === mix ? [id] : [])), ...ofLadders]
  }

  /** Checks all connections; call it each second. @param now wall clock, milliseconds */
  watch(now: number): void {
    for (const destination of this.#destinations.values()) destination.watch(now)
    for (const [id, one] of this.#ladders) this.#climb(id, one, now)
  }

  /** A slow destination takes a smaller picture, and the larger one again when nothing was dropped for a while. */
  #climb(id: number, one: { readonly mix: Mix; readonly ladder: Ladder; wasLower: boolean }, now: number): void {
    const destination = this.#destinations.get(id)
    if (!destination?.isSending) return
    const { drops, state } = destination.report()
    const { mix, ladder } = one
    const step = ladder.see({ drops, isDropping: state === 'degraded', isLower: mix.isLower }, now)
    if (step) this.#options.mixes.step(mix, step)
    if (mix.isLower === one.wasLower) return
    one.wasLower = mix.isLower
    this.#options.onReport(this.#reportOf(destination))
  }

  reports(): DestinationReport[] {
    return [...this.#destinations.values()].map((destination) => this.#reportOf(destination))
  }

  #reportOf(destination: Destination): DestinationReport {
    return this.#marked(destination.report())
  }

  #marked(report: DestinationReport): DestinationReport {
    return this.#ladders.get(report.id)?.mix.isLower ? { ...report, smaller: true } : report
  }

  /** The encoder is back: all destinations may send. */
  resume(): void {
    this.#isDraining = false
  }

  /** Stops all destinations without a delay. @returns milliseconds until the delayed ones have sent everything */
  drain(): number {
    const left = this.#delays.left()
    if (left === 0) return 0
    this.#isDraining = true
    for (const [id, destination] of this.#destinations) if (!this.#delays.has(id)) this.#remove(id, destination)
    return left
  }

  /** Stops all destinations; their reports stay available. */
  stop(): void {
    for (const destination of this.#destinations.values()) destination.stop()
  }

  /** Deletes the buffers of delayed streams. */
  close(): void {
    this.#silences.close()
    this.#delays.close()
  }

  /** The stream of these destinations is another one from now on: with silence. */
  #reconnect(ids: readonly number[]): void {
    for (const id of ids) {
      this.#destinations.get(id)?.leave()
      this.start(id)
    }
  }

  #add(desired: DesiredDestination): void {
    const { id, target, transcoder, delayMs = 0, tracks } = desired
    const { source, transcoders, mixes, reserve, mayStart, dial, transports, timing, limit, onReport } = this.#options
    const mix = transcoder === undefined && tracks && !isMainTracks(tracks) ? mixes.of(tracks) : null
    const input = transcoder === undefined ? (mix?.hub ?? source) : transcoders.hubOf(transcoder)
    // A transcoder that is not desired has no output.
    if (!input) return
    const stream = delayMs > 0 ? this.#delays.behind(input, { id, delayMs }) : input
    if (mix) this.#mixOf.set(id, mix)
    if (transcoder !== undefined) this.#transcoderOf.set(id, transcoder)
    else this.#transcoderOf.delete(id)
    const hub = () => this.#hubOf(desired, stream)
    this.#inputs.set(id, hub)
    const room = () => reserve(transcoder)
    const onChange = (report: DestinationReport) => onReport(this.#marked(report))
    const options = { hub, dial, transports, limit, room, mayStart, onChange, ...(timing && { timing }) }
    this.#destinations.set(id, new Destination(id, target, options))
    this.start(id)
  }

  /** Returns the stream for the next connection of a destination: with a ladder where there is one, and with silence where it is needed. */
  #hubOf(desired: DesiredDestination, plain: Hub): Hub {
    const { id, silence = false } = desired
    const stream = this.#ladderOf(desired)?.hub ?? plain
    return silence ? this.#silences.behind(stream, id).hub : stream
  }

  /** A transcoder has one picture, and a delayed destination would get the smaller one when it is no longer slow. */
  #ladderOf({
    id,
    tracks = mainTracks,
    transcoder,
    delayMs = 0,
    ladder = 'same_size',
  }: DesiredDestination): Mix | null {
    if (transcoder !== undefined || delayMs > 0 || ladder === 'off') return null
    const mix = this.#options.mixes.withLadder(id, tracks)
    if (!mix) this.#ladders.delete(id)
    else if (this.#ladders.get(id)?.mix !== mix) {
      const drops = this.#destinations.get(id)?.report().drops ?? 0
      this.#ladders.set(id, {
        mix,
        ladder: new Ladder(drops, Date.now(), this.#options.timing?.ladderMs),
        wasLower: false,
      })
    }
    return mix
  }

  #remove(id: number, destination: Destination): void {
    destination.stop()
    this.#destinations.delete(id)
    this.#mixOf.delete(id)
    this.#ladders.delete(id)
    this.#inputs.delete(id)
    this.#silences.remove(id)
  }
}
