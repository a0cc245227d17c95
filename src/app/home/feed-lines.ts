// Events as a feed: what happens again and again is one line that counts.
import type { BroadcastEvent as Event } from '#contract/entities/broadcast.ts'

export interface FeedLine {
  /** The latest of them. */
  readonly event: Event
  readonly count: number
}

/** @param events newest first */
export function feedOf(events: readonly Event[]): readonly FeedLine[] {
  return events.reduce<readonly FeedLine[]>((lines, event) => {
    const before = lines.at(-1)
    return before && saysOf(before.event) === saysOf(event)
      ? [...lines.slice(0, -1), { ...before, count: before.count + 1 }]
      : [...lines, { event, count: 1 }]
  }, [])
}

const saysOf = ({ kind, channel, reason, words }: Event) => JSON.stringify([kind, channel?.id, reason, words])
