// Events as a feed: a repeated event is one line with a count.
import type { BroadcastEvent as Event } from '#contract/entities/broadcast.ts'

export interface FeedLine {
  /** The latest repetition. */
  readonly event: Event
  readonly count: number
}

/** Moment of the last repetition of an event. */
export const lastOf = ({ created_at, last_at }: Event): string => last_at ?? created_at

/** @param events in any order @returns newest first, by their last repetition */
export function feedOf(events: readonly Event[]): readonly FeedLine[] {
  const newest = events.toSorted((a, b) => lastOf(b).localeCompare(lastOf(a)) || b.id - a.id)
  return newest.reduce<readonly FeedLine[]>((lines, event) => {
    const before = lines.at(-1)
    return before && saysOf(before.event) === saysOf(event)
      ? [...lines.slice(0, -1), { ...before, count: before.count + countOf(event) }]
      : [...lines, { event, count: countOf(event) }]
  }, [])
}

const countOf = ({ count }: Event): number => count ?? 1
const saysOf = ({ kind, channel, reason, words }: Event) => JSON.stringify([kind, channel?.id, reason, words])
