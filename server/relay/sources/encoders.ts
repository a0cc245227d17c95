// The encoders of a project: the main one, and a backup that sends beside it.
import type { IngestReport } from '#contract/relay/reports.ts'
import type { Encoder, IngestSession } from '#server/relay/ingest/publication.ts'
import type { SilenceWatch } from '#server/relay/ingest/silence-watch.ts'
import { isFrame } from '#server/relay/media/codecs.ts'
import { Meter } from '#server/relay/media/meter.ts'
import { TrackRates } from '#server/relay/media/track-rates.ts'
import { trackKey, type TrackMessage } from '#server/relay/media/tracks.ts'
import type { Message } from '#server/relay/rtmp/message.ts'
import type { Feed } from './stage.ts'

/** An encoder without a message for this time does not send, milliseconds. */
const quietMs = 2_000
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

/** Returns the state of the backup encoder for reports; undefined without one that sends. */
export function backupOf(onAir: Source | null, beside: Source | null, now: number): IngestReport['backup'] {
  if (onAir?.isBackup) return onAir.isLost ? undefined : 'on_air'
  return beside?.isBackup && isSending(beside, now) ? 'connected' : undefined
}

/** The newest header of each track: encoders send them once. */
export class TrackHeaders {
  readonly #headers = new Map<number, TrackMessage>()

  take(tracks: readonly TrackMessage[]): void {
    for (const one of tracks)
      if (one.kind !== 'data' && one.message.payload.length > 0 && !isFrame(one.message))
        this.#headers.set(trackKey(one.kind, one.id), one)
  }

  all(): readonly TrackMessage[] {
    return [...this.#headers.values()]
  }
}

/** Bitrate of an encoder that is not on air. */
export class IdleRate {
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
export class Changes {
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
