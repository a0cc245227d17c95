// How a broadcast is doing, in one word.
import type { OnAir } from '#contract/entities/on-air.ts'

/** `state` is a sentence below `home:health`. */
export interface Health {
  readonly state: 'lost' | 'paused' | 'nowhere' | 'all' | 'some' | 'none'
  readonly live: number
  readonly count: number
}

/** Live are those that get the stream; one that is too slow does get it, and is a trouble all the same. */
export function healthOf({ status, restreams }: Pick<OnAir, 'status' | 'restreams'>): Health {
  const count = restreams.length
  const live = restreams.filter((one) => one.state === 'live').length
  const ofChannels = count === 0 ? 'nowhere' : live === count ? 'all' : live > 0 ? 'some' : 'none'
  const state = status === 'lost' ? 'lost' : status === 'pause' ? 'paused' : ofChannels
  return { state, live, count }
}
