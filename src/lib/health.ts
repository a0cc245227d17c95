// Health of a broadcast.
import type { FillKind, OnAir, RestreamState } from '#contract/entities/on-air.ts'

/** `state` is a key below `home:health`. */
export interface Health {
  readonly state: 'lost' | 'paused' | 'unknown' | 'nowhere' | 'all' | 'some' | 'starting' | 'none'
  readonly live: number
  readonly count: number
}

/** What channels receive in the place of the encoder; null: its stream, or nothing. */
export const fillOf = ({ fill, status }: Pick<OnAir, 'fill' | 'status'>): FillKind | null =>
  fill ?? (status === 'lost' ? 'frame' : null)

/** A picture or a clip of the project that channels receive in the place of the encoder; null: neither. */
export const slateOf = ({ fill }: Pick<OnAir, 'fill'>): 'picture' | 'clip' | null =>
  fill === undefined || fill === 'frame' ? null : fill

/** What the channels of a project receive. */
export interface Air {
  /** Nothing: the broadcast is paused, without a picture or a clip. */
  readonly isPaused: boolean
  /** What they receive in the place of the encoder; null: its stream, or nothing. */
  readonly fill: FillKind | null
  /** Scheduled files are on air. */
  readonly isScheduled: boolean
}

/** Off air, and with an encoder on air. */
export const offAir: Air = { isPaused: false, fill: null, isScheduled: false }

const pausedWith = { picture: 'pausedPicture', clip: 'pausedClip' } as const
const scheduledWith = { picture: 'scheduledPicture', clip: 'scheduledClip' } as const

interface HealthContext {
  readonly slate: ReturnType<typeof slateOf>
  /** The encoder ended the stream itself. */
  readonly isHeld: boolean
  /** Scheduled files are on air, without an encoder. */
  readonly isScheduled: boolean
}

/** Returns the key below `home:health` of the sentence about a state. */
export function healthKey(state: Health['state'], { slate, isHeld, isScheduled }: HealthContext) {
  if (isHeld) return 'held'
  if (state !== 'paused') return state
  if (isScheduled) return slate ? scheduledWith[slate] : 'pausedScheduled'
  return slate ? pausedWith[slate] : state
}

/** States of a first attempt; one that follows a failure is a retry. */
const starting: ReadonlySet<RestreamState> = new Set(['connecting', 'publishing'])

/**
 * Live channels receive the stream; a slow one receives it too, but counts as a problem.
 * @param on ids of the channels that are on, also without a restream: the first reports follow the start of the broadcast.
 *   Undefined while unknown
 */
export function healthOf(
  { status, restreams }: Pick<OnAir, 'status' | 'restreams'>,
  on: readonly number[] | undefined,
): Health {
  const without = on?.filter((id) => restreams.every(({ channel_id }) => channel_id !== id)) ?? []
  const count = restreams.length + without.length
  const live = restreams.filter((one) => one.state === 'live').length
  const noneOn = on ? 'nowhere' : 'unknown'
  const isStarting = restreams.every(
    ({ state: one, attempt }) => one !== undefined && starting.has(one) && (attempt ?? 0) === 0,
  )
  const notLive = isStarting ? 'starting' : 'none'
  const ofChannels = count === 0 ? noneOn : live === count ? 'all' : live > 0 ? 'some' : notLive
  const state = status === 'lost' ? 'lost' : status === 'pause' ? 'paused' : ofChannels
  return { state, live, count }
}
