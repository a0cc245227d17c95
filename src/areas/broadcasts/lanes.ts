// Timeline lanes of the encoder and each channel, derived from events: consecutive stretches of one state.
import type { Broadcast, BroadcastEvent } from '#contract/entities/broadcast.ts'

/** `on`: healthy · `poor`: too slow, paused, or without the encoder · `off`: wanted but not connected. */
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
  'backup-on': 'on',
  'play-on': 'on',
  'encoder-on': 'on',
  'source-lost': 'off',
  ended: null,
  abandoned: null,
}

type Event = Pick<BroadcastEvent, 'kind' | 'created_at' | 'last_at' | 'channel' | 'reason'>

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
  const pauses = pausesOf(encoder, end)
  const spans = [...pauses, ...absencesOf(encoder, end)].toSorted((a, b) => a.from - b.from)
  const sent = stretchesOf(encoder, encoderTones, end).flatMap((stretch) => divide(stretch, pauses))
  return [
    { channelId: null, name: '', type: null, stretches: sent },
    ...restreams.map(({ channel_id, name, type }) => ({
      channelId: channel_id,
      name,
      type,
      stretches: stretchesOf(
        events.filter(({ channel }) => channel?.id === channel_id),
        channelTones,
        end,
      ).flatMap((stretch) => divide(stretch, spans)),
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
    .flatMap(({ kind, created_at, last_at, reason }) => {
      // An encoder that stopped its stream is not missed.
      const tone = kind === 'source-lost' && reason === 'unpublish' ? null : tones[kind]
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

/** A pause, or an absence of the encoder. */
interface Span extends Pick<Stretch, 'from' | 'to'> {
  readonly kind: 'paused' | 'absent'
}

/** Pauses of a broadcast, in chronological order. */
function pausesOf(events: readonly Event[], end: number): readonly Span[] {
  const turns = events
    .filter(({ kind }) => kind === 'paused' || kind === 'resumed')
    .map(({ kind, created_at }) => ({ isPause: kind === 'paused', at: Date.parse(created_at) / 1000 }))
  return turns.flatMap(({ isPause, at: from }, index) =>
    isPause ? [{ from, to: turns[index + 1]?.at ?? end, kind: 'paused' as const }] : [],
  )
}

/** Absences of the encoder, in chronological order: channels receive a picture, a clip or the last frame. */
const absencesOf = (events: readonly Event[], end: number): readonly Span[] =>
  events.flatMap(({ kind, created_at }, index) => {
    if (kind !== 'source-lost') return []
    const next = events.slice(index + 1).find((one) => one.kind in encoderTones)
    const to = next ? Date.parse(next.created_at) / 1000 : end
    return [{ from: Date.parse(created_at) / 1000, to, kind: 'absent' as const }]
  })

/** Divides a connected stretch: in a pause and in an absence of the encoder its stream is not received. */
function divide(stretch: Stretch, spans: readonly Span[]): readonly Stretch[] {
  if (stretch.tone === 'off') return [stretch]
  const parts: Stretch[] = []
  let from = stretch.from
  for (const { kind, ...span } of spans) {
    const [begin, end] = [Math.max(span.from, from), Math.min(span.to, stretch.to)]
    if (end <= begin) continue
    if (begin > from) parts.push({ ...stretch, from, to: begin })
    parts.push({ from: begin, to: end, tone: 'poor', kind })
    from = end
  }
  return from < stretch.to ? [...parts, { ...stretch, from }] : parts
}

/** Not an interruption of the lane: a pause, and an absence of the encoder, which its own lane counts. */
const calm: ReadonlySet<string> = new Set(['paused', 'absent'])

/** Healthy seconds, and number of interruptions. */
export const sumOf = ({ stretches }: Pick<Lane, 'stretches'>) => ({
  seconds: stretches.reduce((sum, { from, to, tone }) => sum + (tone === 'on' ? to - from : 0), 0),
  troubles: stretches.filter(({ tone, kind }) => tone !== 'on' && !calm.has(kind)).length,
})
