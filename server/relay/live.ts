// One project on air: its source, its stream, its destinations. Goes on over short absences of the encoder.
import { Destination, type DestinationOptions } from './destinations/destination.ts'
import type { Place } from './ingest/guest.ts'
import type { Encoder, IngestSession } from './ingest/session.ts'
import { Freeze } from './media/freeze.ts'
import { Hold } from './media/hold.ts'
import { Hub } from './media/hub.ts'
import { Meter } from './media/meter.ts'
import { queueLimit } from './media/outlet.ts'
import { BitrateLimit, type BitrateTiming } from './media/bitrate-limit.ts'
import { Delays } from './media/delay.ts'
import type { Egress } from './egress.ts'
import { openPrograms } from './programs/programs.ts'
import { Pulls } from './pulls/pulls.ts'
import type { CloseReason } from './rtmp/connection.ts'
import { addUp, type DestinationWish, type LiveEvent, type LiveSample, type LiveWish, type Totals } from './told.ts'
import { slots } from './transcoders/slots.ts'
import type { TranscoderTools } from './transcoders/transcoder.ts'
import { Transcoders } from './transcoders/transcoders.ts'

export interface LiveOptions extends Pick<DestinationOptions, 'dial' | 'timing'> {
  /** How long the destinations are kept while the encoder is away, in milliseconds. */
  readonly graceMs: number
  /** How long a sound may wait for the next picture, milliseconds. Left out: hardly. */
  readonly gatherMs?: number
  /** What the node may send in all. Left out: as much as it can. */
  readonly egress?: Egress | undefined
  /** Left out: there is no ffmpeg. */
  readonly transcoding?: TranscoderTools
  /** Default: a warning after 15 s above the limit, the end after 15 s more. */
  readonly bitrate?: BitrateTiming
  readonly onEvent: (event: LiveEvent) => void
  /** The grace is over, or somebody stopped it. */
  readonly onEnd: () => void
}

/** For a relay that was given no ffmpeg. */
export const withoutFfmpeg: TranscoderTools = {
  programs: openPrograms(''),
  slots: slots(0),
}

/** No bytes for so long: the connection of the encoder is taken for dead when a new one comes. */
const silentMs = 2_000

/** What an encoder hears that sent more than the tariff allows. */
export const tooMuch = (kbpsMax: number): string =>
  `The bitrate is above what the tariff allows: ${kbpsMax} kbps. Lower it, then start again in a minute`

/** For the last bytes to leave, also over a connection that only begins, in milliseconds. */
const lastMs = 2_000

export class Live {
  readonly projectId: number
  /** Of the lease that this node has for the project; undefined where the service has none. */
  epoch: number | undefined
  readonly hub: Hub
  readonly #hold: Hold
  readonly #freeze: Freeze
  readonly #options: LiveOptions
  readonly #destinations = new Map<number, Destination>()
  readonly #wishes = new Map<number, string>()
  readonly #transcoders: Transcoders
  /** Who fetches the stream by its pull keys. */
  readonly pulls: Pulls
  /** Destinations that get the output of a transcoder. */
  readonly #fedBy = new Map<number, number>()
  #source: { readonly session: IngestSession; lastAt: number } | null = null
  readonly #meter = new Meter(Date.now())
  /** Bytes that may wait for a destination; by the bitrate of the last seconds. */
  #queueMax = queueLimit(0)
  #grace: NodeJS.Timeout | undefined
  readonly #limit: BitrateLimit
  readonly #delays = new Delays()
  #waitMs: number
  #lostAt: number | null = null
  /** The encoder stayed away; only channels that lag behind still send. */
  #draining = false
  #ended = false

  constructor(projectId: number, options: LiveOptions) {
    this.projectId = projectId
    this.hub = new Hub(options.gatherMs)
    this.#hold = new Hold(this.hub)
    this.#freeze = new Freeze(this.hub, { isHeld: () => this.#hold.isHeld })
    this.#options = options
    this.#waitMs = options.graceMs
    const tools = options.transcoding ?? withoutFfmpeg
    this.pulls = new Pulls(this.hub, tools.programs, () => this.#queueMax)
    this.#transcoders = new Transcoders(tools, {
      source: this.hub,
      limit: () => this.#queueMax,
      onReady: (id) => this.#startAll(id),
    })
    this.#limit = new BitrateLimit(options.bitrate)
  }

  /** Whether another encoder that knows the key has to wait: one is there and sends. */
  busy(now: number): boolean {
    return this.#source !== null && now - this.#source.lastAt < silentMs
  }

  /** An encoder begins, the first or one that comes back. One that was silent is sent away. */
  begin(session: IngestSession, { encoder, address }: Encoder, epoch?: number): Place {
    this.epoch = epoch
    this.#source?.session.end('NetStream.Publish.BadName', 'Another encoder took over')
    clearTimeout(this.#grace)
    this.#freeze.stop()
    this.#lostAt = null
    this.#draining = false
    const source = { session, lastAt: Date.now() }
    this.#source = source
    this.hub.timeline.restart()
    this.#meter.restart()
    this.#tell({ type: 'source-began', encoder, address })
    return {
      take: (sent, passed) => {
        if (this.#source !== source) return
        source.lastAt = Date.now()
        this.#meter.add(sent, passed)
        if (passed && this.#hold.passes(passed)) this.hub.push([passed], source.lastAt)
      },
      ended: (how) => {
        if (this.#source === source) this.#lose(how)
      },
    }
  }

  /** Brings the destinations to what is wanted: new ones start, others stop, changed ones start anew. */
  wish({ destinations: wishes, transcoders = [], pullKeys, ...terms }: LiveWish): void {
    const { waitMs = this.#options.graceMs, paused = false, kbpsMax = 0 } = terms
    this.#hold.set(paused)
    this.#limit.max = kbpsMax
    if (waitMs !== this.#waitMs) {
      this.#waitMs = waitMs
      if (this.#lostAt !== null) this.#await(this.#lostAt)
    }
    if (pullKeys) this.pulls.keep(pullKeys)
    this.#transcoders.wish(transcoders)
    const wanted = new Map(wishes.map((wish) => [wish.id, JSON.stringify(wish)]))
    for (const [id, destination] of this.#destinations) {
      if (wanted.get(id) === this.#wishes.get(id)) continue
      destination.stop()
      this.#destinations.delete(id)
    }
    this.#delays.keep(wishes)
    for (const wish of wishes) {
      this.#wishes.set(wish.id, wanted.get(wish.id) ?? '')
      if (!this.#destinations.has(wish.id) && (wish.delayMs || !this.#draining)) this.#add(wish)
    }
  }

  /** Tries a destination again at once. */
  retry(id: number): void {
    this.#start(id)
  }

  /** Looks after everything; call it each second. */
  watch(now: number): LiveSample {
    const wasKnown = this.#isKnown
    const ingest = { ...this.#meter.sample(now), ...this.hub.facts() }
    if (!wasKnown && this.#isKnown) for (const id of this.#destinations.keys()) this.#start(id)
    this.#queueMax = queueLimit(this.#meter.average())
    this.#judge(now)
    for (const destination of this.#destinations.values()) destination.watch(now)
    return {
      projectId: this.projectId,
      at: now,
      epoch: this.epoch,
      ingest,
      bitrate: { state: this.#limit.state, kbps: this.#limit.kbps, kbpsMax: this.#limit.max },
      destinations: [...this.#destinations.values()].map((destination) => destination.report()),
      transcoders: this.#transcoders.watch(now),
      pulls: this.pulls.watch(now),
    }
  }

  /** A place for a player. @returns what gives it back; null: the node sends as much as it may */
  takePlace(): (() => void) | null {
    return this.#place(undefined)
  }

  /** What went through so far. */
  totals(): Totals {
    const reports = [...this.#destinations.values()].map((one) => one.report())
    return addUp([{ bytes: this.#meter.total, packets: 0, dropped: 0 }, ...reports])
  }

  /** Ends it: the encoder is told why, destinations hear goodbye. */
  end(words = 'The broadcast was ended'): void {
    if (this.#ended) return
    this.#ended = true
    clearTimeout(this.#grace)
    this.#freeze.stop()
    this.#source?.session.end('NetStream.Unpublish.Success', words)
    this.#source = null
    for (const destination of this.#destinations.values()) destination.stop()
    this.#transcoders.stop()
    this.pulls.end()
    this.#delays.close()
    this.#tell({ type: 'ended' })
    this.#options.onEnd()
  }

  /** Ends it and keeps the encoder connected. @returns the connection of the encoder, where there is one */
  leave(): IngestSession | null {
    const session = this.#source?.session ?? null
    this.#source = null
    this.end()
    return session
  }

  /** Who sends more than the tariff allows is warned, then sent away, and hears why. */
  #judge(now: number): void {
    const kbps = this.#meter.average()
    const kbpsMax = this.#limit.max
    const state = this.#limit.judge(kbps, now)
    if (state === null) return
    this.#tell({ type: 'bitrate', state, kbps, kbpsMax })
    if (state !== 'refused' || !this.#source) return
    this.#source.session.end('NetStream.Publish.BadName', tooMuch(kbpsMax))
    this.#lose('bitrate')
  }

  #lose(how: 'unpublish' | 'unreadable' | 'bitrate' | CloseReason): void {
    this.#source = null
    this.#tell({ type: 'source-lost', how })
    this.#lostAt = Date.now()
    this.#freeze.start()
    this.#await(this.#lostAt)
  }

  /** Waits for the encoder to come back, counted from when it was lost. */
  #await(since: number): void {
    clearTimeout(this.#grace)
    this.#grace = setTimeout(() => this.#finish(), Math.max(0, since + this.#waitMs - Date.now()))
  }

  /** Ends it as soon as channels that lag behind have sent what came in; the others say goodbye now. */
  #finish(): void {
    const left = this.#delays.left()
    if (left === 0) return this.end()
    this.#draining = true
    this.#freeze.stop()
    for (const [id, destination] of this.#destinations) {
      if (this.#delays.has(id)) continue
      destination.stop()
      this.#destinations.delete(id)
    }
    this.#grace = setTimeout(() => this.end(), left + lastMs)
  }

  #add({ id, target, transcoder, delayMs = 0 }: DestinationWish): void {
    const source = this.#hubFor(transcoder)
    // One that is not wanted has no output to send.
    if (!source) return
    const hub = delayMs > 0 ? this.#delays.behind(source, { id, delayMs }) : source
    if (transcoder !== undefined) this.#fedBy.set(id, transcoder)
    else this.#fedBy.delete(id)
    const destination = new Destination(id, target, {
      hub,
      ...this.#options,
      limit: () => this.#queueMax,
      room: () => this.#place(transcoder),
      onChange: (report) => this.#tell({ type: 'destination', report }),
    })
    this.#destinations.set(id, destination)
    this.#start(id)
  }

  #hubFor = (transcoder: number | undefined): Hub | undefined =>
    transcoder === undefined ? this.hub : this.#transcoders.hubOf(transcoder)

  /** A platform that is connected and gets nothing soon hangs up: who waits for something begins when it is there. */
  #start(id: number): void {
    if (!this.#isKnown) return
    const destination = this.#destinations.get(id)
    const transcoder = this.#fedBy.get(id)
    if (transcoder !== undefined && !this.#transcoders.isReady(transcoder)) return destination?.wait('transcoding')
    const late = this.#delays.waitFor(id, () => destination?.start())
    if (late) destination?.wait('delay')
    else destination?.start()
  }

  /** Where the node may not send more than so much, nobody begins before it is known how much that would be. */
  get #isKnown(): boolean {
    return !this.#options.egress || this.#meter.steady() > 0
  }

  #place(transcoder: number | undefined): (() => void) | null {
    const rate = () => (transcoder === undefined ? 0 : this.#transcoders.kbpsOf(transcoder)) || this.#meter.steady()
    return this.#options.egress ? this.#options.egress.take(rate) : () => undefined
  }

  #startAll(transcoder: number): void {
    for (const [id, by] of this.#fedBy) if (by === transcoder) this.#start(id)
  }

  #tell(event: DistributiveOmit<LiveEvent, 'projectId' | 'at'>): void {
    this.#options.onEvent({ ...event, projectId: this.projectId, at: Date.now(), epoch: this.epoch } as LiveEvent)
  }
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never
