// Timeline lanes of the encoder and each channel, derived from events: consecutive stretches of one state.
import type { Broadcast, BroadcastEvent } from '#contract/entities/broadcast.ts'

/** `on`: healthy · `poor`: too slow, or paused · `off`: wanted but not connected. */
export type LaneTone = 'on' | 'poor' | 'off'

/** Stretch of one state, in Unix seconds. */
export interface Stretch {
  readonly from: number
  readonly to: number
  readonly tone: LaneTone
  /** Kind of the event that started it. */
  readonly kind: string
}

export interface Lane {
  /** Channel id; null for the encoder. */
  readonly channelId: number | null
  readonly name: string
  readonly type: string | null
  readonly stretches: readonly Stretch[]
}

/** State after an event; null ends the stretch. Other events do not change the state. */
const channelTones: Readonly<Record<string, LaneTone | null>> = {
  live: 'on',
  degraded: 'poor',
  backoff: 'off',
  rejected: 'off',
  stopped: null,
}
const encoderTones: Readonly<Record<string, LaneTone | null>> = {
  began: 'on',
  'source-back': 'on',
  resumed: 'on',
  paused: 'poor',
  'source-lost': 'off',
  ended: null,
  abandoned: null,
}

type Event = Pick<BroadcastEvent, 'kind' | 'created_at' | 'last_at' | 'channel'>

/**
 * The lanes of a broadcast: the encoder, then its channels.
 * @param events in chronological order
 * @param end of the broadcast, or now; Unix seconds
 */
export function lanesOf(
  restreams: readonly Pick<Broadcast['restreams'][number], 'channel_id' | 'name' | 'type'>[],
  events: readonly Event[],
  end: number,
): Lane[] {
  const encoder = events.filter(({ channel }) => !channel)
  return [
    { channelId: null, name: '', type: null, stretches: stretchesOf(encoder, encoderTones, end) },
    ...restreams.map(({ channel_id, name, type }) => ({
      channelId: channel_id,
      name,
      type,
      stretches: stretchesOf(
        events.filter(({ channel }) => channel?.id === channel_id),
        channelTones,
        end,
      ),
    })),
  ]
}

function stretchesOf(
  events: readonly Event[],
  tones: Readonly<Record<string, LaneTone | null>>,
  end: number,
): Stretch[] {
  // A repeated event has only its first and last time: events that alternate in between count as one failure.
  const known = events
    .flatMap(({ kind, created_at, last_at }) => {
      const tone = tones[kind]
      const times = last_at === undefined ? [created_at] : [created_at, last_at]
      return tone === undefined ? [] : times.map((time) => ({ kind, tone, at: Date.parse(time) / 1000 }))
    })
    .toSorted((a, b) => a.at - b.at)
  // A new reason with the same tone continues the stretch.
  const turns = known.filter(({ tone }, index) => tone !== known[index - 1]?.tone)
  return turns.flatMap(({ kind, tone, at: from }, index) => {
    const to = turns[index + 1]?.at ?? end
    return tone === null || to <= from ? [] : [{ from, to, tone, kind }]
  })
}

/** Healthy seconds, and number of interruptions. */
export const sumOf = ({ stretches }: Pick<Lane, 'stretches'>) => ({
  seconds: stretches.reduce((sum, { from, to, tone }) => sum + (tone === 'on' ? to - from : 0), 0),
  troubles: stretches.filter(({ tone }) => tone !== 'on').length,
})
