// What sends to a project: the main encoder, a backup, and a play of scheduled files. The highest of them that sends is on air.
import type { IngestReport } from '#contract/relay/reports.ts'
import type { Encoder, IngestSession, PublishRequest } from '#server/relay/ingest/publication.ts'
import { isHigher, type Rank, ranks } from '#server/relay/ingest/rank.ts'
import type { SilenceWatch } from '#server/relay/ingest/silence-watch.ts'
import { BitrateLimit, type BitrateTiming } from '#server/relay/media/bitrate-limit.ts'
import { isFrame } from '#server/relay/media/codecs.ts'
import type { Packet } from '#server/relay/media/packet.ts'
import { Meter } from '#server/relay/media/meter.ts'
import { TrackRates } from '#server/relay/media/track-rates.ts'
import { trackKey, type TrackMessage } from '#server/relay/media/tracks.ts'
import type { Message } from '#server/relay/rtmp/message.ts'
import { Quality } from './quality.ts'
import type { Feed } from './stage.ts'

/** An encoder without a message for this time does not send, milliseconds. */
const quietMs = 2_000
/** Headers have some hundred bytes; larger ones are not kept. */
const headerBytesMax = 65_536
/** Without a frame for this time an encoder that has to enter lets a lower one enter before it, milliseconds. */
const frameMs = 1_000
/** Changes between the encoders within a minute; afterwards the lower one stays. */
const changesMax = 6
const minuteMs = 60_000

/** A connected encoder, or a play. */
export interface Source extends Encoder {
  readonly session: IngestSession
  readonly rank: Rank
  /** Number of the run; only of plays. */
  readonly play?: number | undefined
  /** Only of plays: an encoder that went away during it does not return before its end. */
  readonly stays?: boolean | undefined
  readonly silence: SilenceWatch
  /** Its way into the stream. */
  readonly feed: Feed
  /** Headers of its tracks. */
  readonly headers: TrackHeaders
  /** Bitrate while another encoder is on air. */
  readonly rate: IdleRate
  /** Beginning of the connection, monotonic milliseconds. */
  readonly beganAt: number
  /** Arrival of the newest message, monotonic milliseconds: a wall clock that is set ends no source. */
  lastAt: number
  /** Arrival of the newest frame, monotonic milliseconds. */
  frameAt: number
  /** It is silent, and its connection is open. */
  isLost: boolean
  /** A play that has taken the place of an encoder, and stays. */
  isKept: boolean
}

/** Returns whether an encoder sends. */
export const isSending = (source: Source | null): boolean =>
  source !== null && performance.now() - source.lastAt < quietMs

/** An encoder that the gate admitted. */
export type AdmittedSource = Encoder & Pick<PublishRequest, 'isBackup' | 'play' | 'stays'>

/** An encoder that was detached from its broadcast, and its headers, which it sends once. */
export interface Detached {
  readonly session: IngestSession
  readonly headers: readonly Packet[]
}

/** A new encoder. */
export const openSource = (
  session: IngestSession,
  about: Encoder & Pick<Source, 'rank' | 'play' | 'stays' | 'feed' | 'silence'>,
): Source => ({
  ...about,
  session,
  headers: new TrackHeaders(),
  rate: new IdleRate(),
  beganAt: performance.now(),
  lastAt: performance.now(),
  frameAt: performance.now(),
  isLost: false,
  isKept: false,
})

/** The newest header of each track: encoders send them once. */
class TrackHeaders {
  readonly #headers = new Map<number, TrackMessage>()

  take(tracks: readonly TrackMessage[]): void {
    for (const one of tracks)
      if (one.kind !== 'data' && isHeader(one.message)) this.#headers.set(trackKey(one.kind, one.id), one)
  }

  all(): readonly TrackMessage[] {
    return [...this.#headers.values()]
  }
}

const isHeader = (message: Message): boolean =>
  message.payload.length > 0 && message.payload.length <= headerBytesMax && !isFrame(message)

/** Bitrate of an encoder that is not on air. */
class IdleRate {
  readonly #meter = new Meter(Date.now())
  readonly #tracks = new TrackRates(Date.now())
  /** Of the last second. */
  kbps = 0

  add(received: Message, tracks: readonly TrackMessage[]): void {
    this.#meter.add(received, null)
    for (const one of tracks) this.#tracks.add(one)
  }

  /** Ends a second. @param now wall clock, milliseconds @returns the bitrate that the limit of the tariff applies to, kbps */
  second(now: number): number {
    this.kbps = this.#meter.sample(now).kbps
    this.#tracks.second(now)
    return this.#tracks.judged(this.#meter.average())
  }
}

/** Limits the changes between the encoders: a main encoder that comes and goes does not take the backup along. */
class Changes {
  #times: number[] = []

  /** An encoder took over. @param now monotonic milliseconds */
  note(now: number): void {
    this.#times = [...this.#recent(now), now]
  }

  /** Returns whether a higher encoder has to wait while the lower one is on air. */
  isHeld(now: number): boolean {
    return this.#recent(now).length >= changesMax
  }

  #recent(now: number): readonly number[] {
    return this.#times.filter((time) => now - time < minuteMs)
  }
}

/** The encoders that are connected, and their bitrate limits: each may have the bitrate of the tariff. */
export class Encoders {
  /** Encoder on air; while it is lost, the one that sends and has to enter with its keyframe. */
  source: Source | null = null
  /** The others: lower ones, and higher ones until they take over. */
  readonly #beside = new Set<Source>()
  /** Bytes of encoders that were not on air. */
  idleBytes = 0
  readonly #changes = new Changes()
  readonly #limits: Readonly<Record<Rank, BitrateLimit>>
  readonly quality = new Quality()
  /** Rank that is on air, or was last. */
  #rank: Rank = 'main'

  constructor(timing?: BitrateTiming) {
    const limit = () => new BitrateLimit(timing)
    this.#limits = { main: limit(), backup: limit(), play: limit() }
  }

  /** Kilobits per second; 0: no limit. Plays have none: the service has prepared their files. */
  set kbpsMax(kbps: number) {
    this.#limits.main.max = this.#limits.backup.max = kbps
  }

  /** Limit of the encoder that is on air, or was last. */
  get limit(): BitrateLimit {
    return this.#limits[this.#rank]
  }

  /** The connected encoder of that limit. */
  get limited(): Source | null {
    return this.source?.rank === this.#rank ? this.source : null
  }

  get isConnected(): boolean {
    return this.source !== null || this.#beside.size > 0
  }

  /** All that are connected; that on air first. */
  all(): readonly Source[] {
    return [...(this.source ? [this.source] : []), ...this.#beside]
  }

  has(source: Source): boolean {
    return source === this.source || this.#beside.has(source)
  }

  of(rank: Rank): Source | null {
    return this.all().find((one) => one.rank === rank) ?? null
  }

  /** True when an encoder or a play sends. */
  busy(): boolean {
    return this.all().some((one) => isSending(one))
  }

  /** True when an encoder sends: a play does not keep the project at this node. */
  hasEncoder(): boolean {
    return this.all().some((one) => one.rank !== 'play' && isSending(one))
  }

  /** Returns the state of a backup encoder, or of a play, for reports; undefined without one that sends. */
  stateOf(rank: 'backup' | 'play'): IngestReport['backup'] {
    if (this.source?.rank === rank) return this.source.isLost ? undefined : 'on_air'
    return isSending(this.of(rank)) ? 'connected' : undefined
  }

  /** Returns why an encoder may not begin: another one of its kind sends, or the last one exceeded the bitrate limit. */
  refusalOf(rank: Rank): 'another_encoder' | 'bitrate' | null {
    if (isSending(this.of(rank))) return 'another_encoder'
    return this.#limits[rank].state === 'refused' ? 'bitrate' : null
  }

  /**
   * A lower encoder enters while the one on air is lost, a backup also while the main encoder is poor. A higher one always enters,
   * unless it is poor, encoders came and went too often, or a play stays.
   */
  mayEnter({ rank }: Source): boolean {
    const { source } = this
    if (!source) return true
    const isHeld = source.isKept || this.#changes.isHeld(performance.now())
    if (this.#goesBefore(rank, source.rank)) return !(isHeld && isHigher(rank, source.rank) && isSending(source))
    return source.isLost && performance.now() - source.frameAt >= frameMs
  }

  /** Returns the first encoder that sends beside the one on air. */
  next(): Source | null {
    const sending = [...this.#beside].filter((one) => isSending(one))
    return sending.toSorted((a, b) => (this.#goesBefore(a.rank, b.rank) ? -1 : 1))[0] ?? null
  }

  /** Judges the bitrate of the main encoder. @param kbps of the encoder on air, in the last second */
  judgeQuality(kbps: number): void {
    const main = this.of('main')
    if (!main || main.isLost || !isSending(main)) this.quality.interrupt()
    else this.quality.second(main === this.source ? kbps : main.rate.kbps, performance.now())
  }

  /** The order of the ranks, but for a poor main encoder beside a backup. */
  #goesBefore(one: Rank, other: Rank): boolean {
    const isOfBoth = one !== 'play' && other !== 'play'
    return isHigher(one, other) !== (isOfBoth && one !== other && this.quality.isPoor)
  }

  /** An encoder begins while another one has the air. */
  add(source: Source): void {
    this.#beside.add(source)
  }

  /** Puts an encoder that was beside in the place of the one on air. */
  exchange(source: Source): void {
    this.#beside.delete(source)
    if (this.source) this.#beside.add(this.source)
    this.source = source
    source.isKept = source.stays === true
  }

  /** The media of an encoder is on air from now on. */
  enter({ rank }: Source): void {
    if (rank !== this.#rank || this.#beside.size > 0) this.#changes.note(performance.now())
    this.#rank = rank
  }

  /** Counts a message of an encoder that is not on air. */
  countIdle({ rate }: Source, received: Message, tracks: readonly TrackMessage[]): void {
    rate.add(received, tracks)
    this.idleBytes += received.payload.length
  }

  /** Judges the bitrates of the encoders that are not on air. @returns those that have to be disconnected */
  checkBeside(now: number): readonly Source[] {
    return ranks.flatMap((rank) => {
      if (rank === this.#rank) return []
      const idle = [...this.#beside].find((one) => one.rank === rank)
      const state = this.#limits[rank].judge(idle?.rate.second(now) ?? 0, now)
      return state === 'refused' && idle ? [idle] : []
    })
  }

  /** Removes the encoder on air. */
  forget(): void {
    this.source?.silence.close()
    this.source = null
  }

  /** Removes another encoder. */
  leave(source: Source): void {
    source.silence.close()
    this.#beside.delete(source)
  }
}
