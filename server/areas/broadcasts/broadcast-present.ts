// Broadcasts as the wire shows them.
import type { StoredSample } from '#contract/relay/events.ts'
import type { IngestReport } from '#contract/relay/reports.ts'
import {
  type BroadcastStatus,
  inputFaults,
  type OnAir,
  type Restream,
  type Verdict,
} from '#contract/entities/on-air.ts'
import { isOneOf } from '#contract/platforms/platforms.ts'
import type { Broadcast, BroadcastRow as BroadcastRowShape } from '#contract/entities/broadcast.ts'
import { playOf } from '#server/domain/broadcasts/plays.ts'
import { latestFactsOf, sampleOf } from '#server/domain/broadcasts/records.ts'
import type { Absence, Ending } from '#server/domain/broadcasts/stops.ts'
import type { BroadcastRow, RestreamRow } from '#server/domain/broadcasts/store.ts'
import { type DestinationFacts, wireStatusOf } from '#server/domain/broadcasts/live-facts.ts'
import { isDark, type Seen, seenOf } from '#server/domain/broadcasts/sightings.ts'
import { type ChannelFacts, verdictOf } from '#server/domain/broadcasts/verdict.ts'

const iso = (ms: number): string => new Date(ms).toISOString()

/** Returns the seconds without an encoder, until the last return of it or the end. */
const awayOf = ({ away_ms }: Pick<BroadcastRow, 'away_ms'>): number => Math.round(away_ms / 1000)

/** Presents a project off air. @param held id of a stopped broadcast whose encoder continues to send */
export const presentOffline = (stoppedId: number | undefined): BroadcastStatus => ({
  kind: 'inactive',
  status: 'offline',
  ...(stoppedId !== undefined && { stopped_broadcast_id: stoppedId }),
})

/** Presents a broadcast on air. @param absence of its encoder */
export function presentOnAir(row: BroadcastRow, restreams: readonly RestreamRow[], absence?: Absence): OnAir {
  const sample = sampleOf(row)
  const ingest = sample?.ingest
  const latestFacts = latestFactsOf(row)
  return {
    ...presentSource(row),
    broadcast_id: row.id,
    stream_id: row.id,
    status: statusOf(row),
    action: row.date_pause === null ? 'active' : 'stopped',
    reconnects: row.reconnects,
    date_start: row.date_create,
    away: awayOf(row),
    ...(absence && { date_lost: absence.since, date_close: absence.until }),
    resolution: ingest && ingest.width > 0 ? `${ingest.width}x${ingest.height}` : '',
    ...presentFigures(ingest),
    ...presentBitrate(sample?.bitrate),
    verdict: presentVerdict(
      row,
      restreams.map((one) => ({ ...latestFacts(one), isDark: isDarkNow(one, latestFacts(one)) })),
      absence,
    ),
    key_frame: ingest?.gopMs ? ingest.gopMs / 1000 : null,
    ...presentPaths(ingest),
    ...presentFill(ingest),
    ...(ingest?.backup && { backup: ingest.backup }),
    video_codec_name: ingest?.videoCodec || null,
    audio_codec_name: ingest?.audioCodec || null,
    encoder: ingest?.encoder || row.encoder,
    server: row.node,
    date_sample: sample ? iso(sample.at) : null,
    restreams: restreams
      .map((one) => presentRestream(one, latestFacts(one)))
      .filter(({ state }) => state !== 'stopped'),
  }
}

/** A node reports a clip as a picture with a mark. */
const presentFill = (ingest: IngestReport | undefined): Pick<OnAir, 'fill'> =>
  ingest?.fill ? { fill: ingest.clip ? 'clip' : ingest.fill } : {}

/** Presents what is on air: an encoder, or scheduled files. */
function presentSource(
  row: BroadcastRow,
): Pick<OnAir, 'kind' | 'app' | 'schedulerId' | 'video_id' | 'name' | 'duration'> {
  const play = playOf(row)
  if (!play) return { kind: 'live', app: 'live' }
  const { schedule, video, name, duration } = play
  return {
    kind: 'scheduler',
    app: 'scheduler',
    ...(schedule !== null && { schedulerId: schedule }),
    ...(video !== null && { video_id: video }),
    name,
    duration,
  }
}

/** The first seconds are no measure: figures are unknown until they are steady. Older nodes measure single seconds only. */
function presentFigures(ingest: IngestReport | undefined): Pick<OnAir, 'fps' | 'bitrate'> {
  const { fps, kbps } = (ingest?.steady === undefined ? ingest : ingest.steady) ?? { fps: 0, kbps: 0 }
  return { fps: fps || null, bitrate: kbps || null }
}

/** Presents the paths of a bonded encoder. */
function presentPaths(ingest: IngestReport | undefined): Pick<OnAir, 'paths'> {
  const rates = (ingest?.link?.paths ?? []).map(({ rate }) => rate)
  const sum = rates.reduce((all, rate) => all + rate, 0)
  return rates.length === 0
    ? {}
    : { paths: rates.map((rate) => ({ share: sum === 0 ? 0 : Math.round((rate / sum) * 100) })) }
}

/** Presents the verdict on a broadcast on air. */
function presentVerdict(row: BroadcastRow, destinations: readonly ChannelFacts[], absence?: Absence): Verdict {
  const sample = sampleOf(row)
  const { state: bitrate = 'fine', kbps = null, kbpsMax = null } = sample?.bitrate ?? {}
  return verdictOf({
    status: statusOf(row),
    isHeld: absence?.isHeld ?? false,
    isMeasured: presentFigures(sample?.ingest).bitrate !== null,
    bitrate,
    bitrateFigures: { value: kbps, limit: kbpsMax },
    faults: (sample?.ingest.faults ?? []).flatMap(({ kind, value, limit }) =>
      isOneOf(inputFaults, kind) ? [{ kind, value, limit }] : [],
    ),
    channels: destinations.filter(({ state }) => state !== 'stopped'),
  })
}

/** A broadcast without an encoder is lost, also when it is paused. */
export function statusOf({ status, date_pause }: BroadcastRow): OnAir['status'] {
  if (status === 'lost') return 'lost'
  return date_pause === null ? 'active' : 'pause'
}

/** Presents the bitrate and the limit of the plan. */
const presentBitrate = (
  bitrate: StoredSample['bitrate'],
): Pick<OnAir, 'bitrate_max' | 'bitrate_state' | 'bitrate_judged'> => ({
  bitrate_max: bitrate?.kbpsMax || null,
  bitrate_state: bitrate?.state ?? 'fine',
  bitrate_judged: bitrate?.kbps ?? null,
})

const isSending = ({ state }: DestinationFacts): boolean => state === 'live' || state === 'degraded'

const presentRestream = (row: RestreamRow, facts: DestinationFacts): Restream => ({
  id: row.id,
  status: wireStatusOf(facts.state),
  channel_id: row.channel_id,
  name: row.name,
  type: row.type,
  state: facts.state,
  since: iso(facts.since),
  reason: facts.reason,
  words: facts.words,
  attempt: facts.attempt,
  next_retry: facts.nextRetry === null ? null : iso(facts.nextRetry),
  reconnects: facts.reconnects,
  bytes: facts.bytes,
  queued: facts.queued,
  dropped: facts.dropped,
  ...(isSending(facts) && facts.smaller && { smaller: true }),
  date_live: row.date_live,
  url: row.url,
  viewers: row.viewers,
  seen: presentSeen(row, facts),
})

/** A platform is judged while the channel is live. */
const shownOf = (row: RestreamRow, { state }: DestinationFacts): Seen | null =>
  state === 'live' || state === 'degraded' ? seenOf(row) : null
const isDarkNow = (row: RestreamRow, facts: DestinationFacts): boolean => isDark(shownOf(row, facts))

/** Presents what the platform shows. */
function presentSeen(row: RestreamRow, facts: DestinationFacts): Restream['seen'] {
  const seen = shownOf(row, facts)
  if (!seen) return { state: 'unknown', since: null, checked: null }
  const words = isDark(seen) ? seen.words : undefined
  return { state: seen.state, since: iso(seen.since), checked: iso(seen.checked), ...(words && { words }) }
}

interface Parts {
  readonly restreams: readonly RestreamRow[]
  /** Received messages by restream. */
  readonly messages: ReadonlyMap<number, number>
}

/** Presents a row of the history. Viewers: the maximum, 0 if unknown. */
export const presentRow = (
  row: BroadcastRow,
  { restreams, messages, recordings }: Parts & { readonly recordings: ReadonlyMap<number, number> },
): BroadcastRowShape => ({
  id: row.id,
  created_at: row.date_create,
  finish_at: row.date_end,
  away: awayOf(row),
  reconnects: row.reconnects,
  restreams: restreams
    .filter((one) => one.broadcast_id === row.id)
    .map(({ id, type, viewers_max, date_live }) => ({
      type,
      viewers: viewers_max ?? 0,
      message: messages.get(id) ?? 0,
      date_live,
    })),
  recordings: recordings.get(row.id) ?? 0,
})

interface BroadcastParts extends Parts {
  readonly endings: ReadonlyMap<number, Ending>
  /** The last seconds with media. */
  readonly last: { readonly kbps: number; readonly fps: number } | undefined
}

/** Presents a broadcast. */
export function presentBroadcast(row: BroadcastRow, { restreams, messages, endings, last }: BroadcastParts): Broadcast {
  const ingest = sampleOf(row)?.ingest
  const latestFacts = latestFactsOf(row)
  return {
    id: row.id,
    created_at: row.date_create,
    finish_at: row.date_end,
    away: awayOf(row),
    reconnects: row.reconnects,
    bitrate: last?.kbps ?? null,
    fps: last?.fps ?? null,
    width: ingest?.width || null,
    height: ingest?.height || null,
    location: row.node,
    encoder: row.encoder,
    ip: row.address,
    viewers: restreams.reduce((sum, { viewers_max }) => sum + (viewers_max ?? 0), 0),
    message: restreams.reduce((sum, { id }) => sum + (messages.get(id) ?? 0), 0),
    restreams: restreams.map((one) => {
      const { state, reconnects, bytes } = latestFacts(one)
      const { id, channel_id, name, type, date_create: created_at, date_live } = one
      return {
        id,
        channel_id,
        name,
        type,
        photo: one.photo ?? '',
        video: one.url ?? '',
        viewers: one.viewers_max ?? 0,
        message: messages.get(id) ?? 0,
        created_at,
        state,
        reconnects,
        bytes,
        date_live,
        reason: endings.get(channel_id)?.reason ?? null,
        words: endings.get(channel_id)?.words ?? null,
      }
    }),
  }
}
