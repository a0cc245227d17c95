// One project on air: its source, its stream, its destinations. Goes on over short absences of the encoder.
import type { PullFacts, TranscoderFacts } from '#server/domain/live-facts.ts'
import type { TranscoderWish } from '#server/domain/transcoders-live.ts'
import { Destination, type DestinationOptions, type DestinationReport } from './destinations/destination.ts'
import type { Target } from './destinations/publisher.ts'
import type { IngestSession, Publication, PublishRequest } from './ingest/session.ts'
import { Hold } from './media/hold.ts'
import { Hub, type StreamFacts } from './media/hub.ts'
import { type IngestSample, Meter } from './media/meter.ts'
import { queueLimit } from './media/outlet.ts'
import { openPrograms } from './programs/programs.ts'
import { Pulls } from './pulls/pulls.ts'
import type { CloseReason } from './rtmp/connection.ts'
import { slots } from './transcoders/slots.ts'
import type { TranscoderTools } from './transcoders/transcoder.ts'
import { Transcoders } from './transcoders/transcoders.ts'

/** A destination as the service wants it. */
export interface DestinationWish {
  /** Number of the channel. */
  readonly id: number
  /** Whose output it gets; left out: the stream as it comes. */
  readonly transcoder?: number | undefined
  readonly target: Target
}

/** What a project wants. */
export interface LiveWish {
  readonly destinations: readonly DestinationWish[]
  /** How long they are kept while the encoder is away; left out: as long as the node's own grace. */
  readonly waitMs?: number | undefined
  readonly transcoders?: readonly TranscoderWish[] | undefined
  /** Destinations stay connected, and nothing is passed on to them. */
  readonly paused?: boolean | undefined
  /** Numbers of the keys that players may fetch by. */
  readonly pullKeys?: readonly number[] | undefined
}

/** What the service allows a publisher. */
export interface Admission extends LiveWish {
  readonly projectId: number
}

/** What a live project tells. Times in milliseconds of the wall clock. */
export type LiveEvent =
  | {
      readonly type: 'source-began'
      readonly projectId: number
      readonly at: number
      readonly encoder: string
      readonly address: string
    }
  | { readonly type: 'source-lost'; readonly projectId: number; readonly at: number; readonly how: string }
  | { readonly type: 'ended'; readonly projectId: number; readonly at: number }
  | {
      readonly type: 'destination'
      readonly projectId: number
      readonly at: number
      readonly report: DestinationReport
    }

/** A second of a live project. */
export interface LiveSample {
  readonly projectId: number
  readonly at: number
  readonly ingest: IngestSample & StreamFacts
  readonly destinations: readonly DestinationReport[]
  readonly transcoders: readonly TranscoderFacts[]
  readonly pulls: readonly PullFacts[]
}

export interface LiveOptions extends Pick<DestinationOptions, 'dial' | 'timing'> {
  /** How long the destinations are kept while the encoder is away, in milliseconds. */
  readonly graceMs: number
  /** Left out: there is no ffmpeg. */
  readonly transcoding?: TranscoderTools
  readonly onEvent: (event: LiveEvent) => void
  /** The grace is over, or somebody stopped it. */
  readonly onEnd: () => void
}

/** Bytes in and out, and packets that destinations got, or did not. */
export type Totals = Pick<DestinationReport, 'bytes' | 'packets' | 'dropped'>

export const addUp = (some: readonly Totals[]): Totals => ({
  bytes: some.reduce((sum, one) => sum + one.bytes, 0),
  packets: some.reduce((sum, one) => sum + one.packets, 0),
  dropped: some.reduce((sum, one) => sum + one.dropped, 0),
})

const withoutFfmpeg: TranscoderTools = {
  programs: openPrograms(''),
  slots: slots(0),
}

/** No bytes for so long: the connection of the encoder is taken for dead when a new one comes. */
const silentMs = 2_000

export class Live {
  readonly projectId: number
  readonly hub = new Hub()
  readonly #hold = new Hold(this.hub)
  readonly #options: LiveOptions
  readonly #destinations = new Map<number, Destination>()
  readonly #wishes = new Map<number, string>()
  readonly #transcoders: Transcoders
  /** Who fetches the stream by its pull keys. */
  readonly pulls = new Pulls(this.hub, () => this.#queueMax)
  /** Destinations that get the output of a transcoder. */
  readonly #fedBy = new Map<number, number>()
  #source: { readonly session: IngestSession; lastAt: number } | null = null
  readonly #meter = new Meter(Date.now())
  /** Bytes that may wait for a destination; by the bitrate of the last seconds. */
  #queueMax = queueLimit(0)
  #grace: NodeJS.Timeout | undefined
  #waitMs: number
  #lostAt: number | null = null
  #ended = false

  constructor(projectId: number, options: LiveOptions) {
    this.projectId = projectId
    this.#options = options
    this.#waitMs = options.graceMs
    this.#transcoders = new Transcoders(options.transcoding ?? withoutFfmpeg, {
      source: this.hub,
      limit: () => this.#queueMax,
      onReady: (id) => this.#startAll(id),
    })
  }

  /** Whether another encoder that knows the key has to wait: one is there and sends. */
  busy(now: number): boolean {
    return this.#source !== null && now - this.#source.lastAt < silentMs
  }

  /** An encoder begins, the first or one that comes back. One that was silent is sent away. */
  begin(session: IngestSession, { encoder, address }: Pick<PublishRequest, 'encoder' | 'address'>): Publication {
    this.#source?.session.end('NetStream.Publish.BadName', 'Another encoder took over')
    clearTimeout(this.#grace)
    this.#lostAt = null
    const source = { session, lastAt: Date.now() }
    this.#source = source
    this.hub.timeline.restart()
    this.#tell({ type: 'source-began', encoder, address })
    return {
      take: (message) => {
        if (this.#source !== source) return
        source.lastAt = Date.now()
        this.#meter.add(message)
        if (this.#hold.passes(message)) this.hub.push([message], source.lastAt)
      },
      ended: (how) => {
        if (this.#source === source) this.#lose(how)
      },
    }
  }

  /** Brings the destinations to what is wanted: new ones start, others stop, changed ones start anew. */
  wish(all: LiveWish): void {
    const { destinations: wishes, transcoders = [], pullKeys, waitMs = this.#options.graceMs, paused = false } = all
    this.#hold.set(paused)
    if (waitMs !== this.#waitMs) {
      this.#waitMs = waitMs
      if (this.#lostAt !== null) this.#await(this.#lostAt)
    }
    if (pullKeys) this.pulls.keep(pullKeys)
    this.#transcoders.wish(transcoders)
    const wanted = new Map(wishes.map((wish) => [wish.id, JSON.stringify([wish.target, wish.transcoder])]))
    for (const [id, destination] of this.#destinations) {
      if (wanted.get(id) === this.#wishes.get(id)) continue
      destination.stop()
      this.#destinations.delete(id)
    }
    for (const wish of wishes) {
      this.#wishes.set(wish.id, wanted.get(wish.id) ?? '')
      if (!this.#destinations.has(wish.id)) this.#add(wish)
    }
  }

  /** Tries a destination again at once. */
  retry(id: number): void {
    this.#start(id)
  }

  /** Looks after everything; call it each second. */
  watch(now: number): LiveSample {
    const ingest = { ...this.#meter.sample(now), ...this.hub.facts() }
    this.#queueMax = queueLimit(this.#meter.average())
    for (const destination of this.#destinations.values()) destination.watch(now)
    return {
      projectId: this.projectId,
      at: now,
      ingest,
      destinations: [...this.#destinations.values()].map((destination) => destination.report()),
      transcoders: this.#transcoders.watch(now),
      pulls: this.pulls.watch(now),
    }
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
    this.#source?.session.end('NetStream.Unpublish.Success', words)
    this.#source = null
    for (const destination of this.#destinations.values()) destination.stop()
    this.#transcoders.stop()
    this.pulls.end()
    this.#tell({ type: 'ended' })
    this.#options.onEnd()
  }

  #lose(how: 'unpublish' | CloseReason): void {
    this.#source = null
    this.#tell({ type: 'source-lost', how })
    this.#lostAt = Date.now()
    this.#await(this.#lostAt)
  }

  /** Waits for the encoder to come back, counted from when it was lost. */
  #await(since: number): void {
    clearTimeout(this.#grace)
    this.#grace = setTimeout(() => this.end(), Math.max(0, since + this.#waitMs - Date.now()))
  }

  #add({ id, target, transcoder }: DestinationWish): void {
    const hub = transcoder === undefined ? this.hub : this.#transcoders.hubOf(transcoder)
    // One that is not wanted has no output to send.
    if (!hub) return
    if (transcoder !== undefined) this.#fedBy.set(id, transcoder)
    else this.#fedBy.delete(id)
    const destination = new Destination(id, target, {
      hub,
      ...this.#options,
      limit: () => this.#queueMax,
      onChange: (report) => this.#tell({ type: 'destination', report }),
    })
    this.#destinations.set(id, destination)
    this.#start(id)
  }

  /** A platform that is connected and gets nothing soon hangs up: who waits for a transcoder begins with its output. */
  #start(id: number): void {
    const destination = this.#destinations.get(id)
    const transcoder = this.#fedBy.get(id)
    if (transcoder === undefined || this.#transcoders.isReady(transcoder)) destination?.start()
    else destination?.wait('transcoding')
  }

  #startAll(transcoder: number): void {
    for (const [id, by] of this.#fedBy) if (by === transcoder) this.#start(id)
  }

  #tell(event: DistributiveOmit<LiveEvent, 'projectId' | 'at'>): void {
    this.#options.onEvent({ ...event, projectId: this.projectId, at: Date.now() } as LiveEvent)
  }
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never
