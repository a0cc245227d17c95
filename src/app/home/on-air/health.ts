// Health of a broadcast.
import type { OnAir } from '#contract/entities/on-air.ts'

/** `state` is a key below `home:health`. */
export interface Health {
  readonly state: 'lost' | 'paused' | 'nowhere' | 'all' | 'some' | 'none'
  readonly live: number
  readonly count: number
}

/** Live channels receive the stream; a slow one receives it too, but counts as a problem. */
export function healthOf({ status, restreams }: Pick<OnAir, 'status' | 'restreams'>): Health {
  const count = restreams.length
  const live = restreams.filter((one) => one.state === 'live').length
  const ofChannels = count === 0 ? 'nowhere' : live === count ? 'all' : live > 0 ? 'some' : 'none'
  const state = status === 'lost' ? 'lost' : status === 'pause' ? 'paused' : ofChannels
  return { state, live, count }
}
