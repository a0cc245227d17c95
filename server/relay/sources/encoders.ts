// The encoders of a project: the main one, and a backup that sends beside it.
import type { IngestReport } from '#contract/relay/reports.ts'
import type { Encoder, IngestSession } from '#server/relay/ingest/publication.ts'
import type { SilenceWatch } from '#server/relay/ingest/silence-watch.ts'
import { BitrateLimit, type BitrateTiming } from '#server/relay/media/bitrate-limit.ts'
import { isFrame } from '#server/relay/media/codecs.ts'
import type { Packet } from '#server/relay/media/packet.ts'
import { Meter } from '#server/relay/media/meter.ts'
import { TrackRates } from '#server/relay/media/track-rates.ts'
import { trackKey, type TrackMessage } from '#server/relay/media/tracks.ts'
import type { Message } from '#server/relay/rtmp/message.ts'
import type { Feed } from './stage.ts'

/** An encoder without a message for this time does not send, milliseconds. */
const quietMs = 2_000
/** Headers have some hundred bytes; larger ones are not kept. */
const headerBytesMax = 65_536
/** Changes between the encoders within a minute; afterwards the backup stays. */
const changesMax = 6
const minuteMs = 60_000

/** A connected encoder. */
export interface Source extends Encoder {
  readonly session: IngestSession
  readonly isBackup: boolean
  readonly silence: SilenceWatch
  /** Its way into the stream. */
  readonly feed: Feed
  /** Headers of its tracks. */
  readonly headers: TrackHeaders
  /** Bitrate while another encoder is on air. */
  readonly rate: IdleRate
  /** Beginning of the connection, monotonic milliseconds. */
  readonly beganAt: number
  /** Arrival of the newest message, wall clock, milliseconds. */
  lastAt: number
  /** Arrival of the newest frame, monotonic milliseconds. */
  frameAt: number
  /** It is silent, and its connection is open. */
  isLost: boolean
}

/** Returns whether an encoder sends. @param now wall clock, milliseconds */
export const isSending = (source: Source | null, now: number): boolean =>
  source !== null && now - source.lastAt < quietMs

/** An encoder that the gate admitted. */
export interface AdmittedSource extends Encoder {
  readonly isBackup?: boolean | undefined
}

/** An encoder that was detached from its broadcast, and its headers, which it sends once. */
export interface Detached {
  readonly session: IngestSession
  readonly headers: readonly Packet[]
}

/** A new encoder. */
export const openSource = (
  session: IngestSession,
  about: Encoder & Pick<Source, 'isBackup' | 'feed' | 'silence'>,
): Source => ({
  ...about,
  session,
  headers: new TrackHeaders(),
  rate: new IdleRate(),
  beganAt: performance.now(),
  lastAt: Date.now(),
  frameAt: performance.now(),
  isLost: false,
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

  add(received: Message, tracks: readonly TrackMessage[]): void {
    this.#meter.add(received, null)
    for (const one of tracks) this.#tracks.add(one)
  }

  /** Ends a second. @param now wall clock, milliseconds @returns the bitrate that the limit of the tariff applies to, kbps */
  second(now: number): number {
    this.#meter.sample(now)
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

  /** Returns whether the main encoder has to wait while the backup is on air. */
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
  /** The other encoder: the backup while the main encoder is on air, and the main encoder until it takes over again. */
  beside: Source | null = null
  /** Bytes of encoders that were not on air. */
  idleBytes = 0
  readonly #changes = new Changes()
  readonly #limits: Readonly<Record<'main' | 'backup', BitrateLimit>>
  /** The backup is on air, or was last. */
  #isBackup = false

  constructor(timing?: BitrateTiming) {
    this.#limits = { main: new BitrateLimit(timing), backup: new BitrateLimit(timing) }
  }

  /** Kilobits per second; 0: no limit. */
  set kbpsMax(kbps: number) {
    for (const limit of Object.values(this.#limits)) limit.max = kbps
  }

  /** Limit of the encoder that is on air, or was last. */
  get limit(): BitrateLimit {
    return this.#limitOf(this.#isBackup)
  }

  /** The connected encoder of that limit. */
  get limited(): Source | null {
    return this.source?.isBackup === this.#isBackup ? this.source : null
  }

  get isConnected(): boolean {
    return this.source !== null || this.beside !== null
  }

  has(source: Source): boolean {
    return source === this.source || source === this.beside
  }

  /** Returns the main encoder, or the backup. */
  of(isBackup: boolean): Source | null {
    return [this.source, this.beside].find((one) => one?.isBackup === isBackup) ?? null
  }

  /** True when an encoder sends. @param now wall clock, milliseconds */
  busy(now: number): boolean {
    return isSending(this.source, now) || isSending(this.beside, now)
  }

  /** Returns the state of the backup encoder for reports; undefined without one that sends. */
  backup(now: number): IngestReport['backup'] {
    if (this.source?.isBackup) return this.source.isLost ? undefined : 'on_air'
    return this.beside?.isBackup && isSending(this.beside, now) ? 'connected' : undefined
  }

  /** Returns why an encoder may not begin: another one of its kind sends, or the last one exceeded the bitrate limit. */
  refusalOf(isBackup: boolean, now: number): 'another_encoder' | 'bitrate' | null {
    if (isSending(this.of(isBackup), now)) return 'another_encoder'
    return this.#limitOf(isBackup).state === 'refused' ? 'bitrate' : null
  }

  /** The backup enters while the main encoder is lost; the main encoder always, unless it came and went too often. */
  mayEnter({ isBackup }: Source): boolean {
    const isHeld = this.#changes.isHeld(performance.now()) && isSending(this.source, Date.now())
    return isBackup ? (this.source?.isLost ?? true) : !isHeld
  }

  /** Puts the encoder that was beside in the place of the one on air. */
  exchange(source: Source): void {
    this.beside = this.source
    this.source = source
  }

  /** The media of an encoder is on air from now on. */
  enter({ isBackup }: Source): void {
    if (isBackup !== this.#isBackup || this.beside) this.#changes.note(performance.now())
    this.#isBackup = isBackup
  }

  /** Counts a message of an encoder that is not on air. */
  countIdle({ rate }: Source, received: Message, tracks: readonly TrackMessage[]): void {
    rate.add(received, tracks)
    this.idleBytes += received.payload.length
  }

  /** Judges the bitrate of the encoder that is not on air. @returns it, when it has to be disconnected */
  checkBeside(now: number): Source | null {
    const idle = this.beside?.isBackup === this.#isBackup ? null : this.beside
    const state = this.#limitOf(!this.#isBackup).judge(idle?.rate.second(now) ?? 0, now)
    return state === 'refused' ? idle : null
  }

  /** Returns the connections, and the headers of their main tracks. */
  headers(): readonly Detached[] {
    return [this.source, this.beside].flatMap((one) =>
      one ? [{ session: one.session, headers: one.feed.headers.packets() }] : [],
    )
  }

  /** Removes the encoder on air. */
  forget(): void {
    this.source?.silence.close()
    this.source = null
  }

  /** Removes the other encoder. */
  leave(): void {
    this.beside?.silence.close()
    this.beside = null
  }

  #limitOf(isBackup: boolean): BitrateLimit {
    return this.#limits[isBackup ? 'backup' : 'main']
  }
}
