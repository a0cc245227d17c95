// Graphs of a broadcast, and its figures for analytics. Each takes one query, however long the broadcast is.
import type { Graph } from '#contract/entities/broadcast.ts'
import type { Services } from '#server/core/context.ts'
import type { BroadcastRow } from './store.ts'
import { type GraphPoint, listBitratePoints, listLastSamples, listSpans, listViewerPoints } from './samples-store.ts'
import type { ReadDb } from '#server/db/open.ts'
import { countTroubles } from './events-store.ts'

/** Points of a graph. The last minutes of a broadcast on air are added with a point for each second. */
const pointsMax = 1_500
const liveSeconds = 600

type GraphServices = Pick<Services, 'db' | 'clock'>

/** Returns the incoming bitrate, kbps. */
export async function bitrateGraph({ db, clock }: GraphServices, row: BroadcastRow): Promise<Graph> {
  const { bucket, from } = resolution(clock.now(), row)
  return graphOf(await listBitratePoints(db, row.id, { bucket, from }), bucket, 'kbps')
}

/** Returns the viewers at all platforms that publish a count. */
export async function viewersGraph({ db, clock }: GraphServices, row: BroadcastRow): Promise<Graph> {
  const { bucket } = resolution(clock.now(), row)
  return graphOf(await listViewerPoints(db, row.id, bucket), bucket, 'viewers')
}

/** Returns the seconds of a point, and from when on each second is a point. */
function resolution(now: Date, { date_create, date_end }: BroadcastRow) {
  const end = date_end === null ? now.getTime() : Date.parse(date_end)
  const bucket = Math.max(1, Math.ceil((end - Date.parse(date_create)) / 1000 / pointsMax))
  const from = date_end === null ? Math.floor(end / 1000) - liveSeconds : Math.ceil(end / 1000) + liveSeconds
  return { bucket, from }
}

const graphOf = (points: readonly GraphPoint[], bucket: number, unit: string): Graph => ({
  data: points.map(({ value }) => Math.round(Number(value))),
  labels: points.map(({ at }) => Number(at)),
  // Old samples have a longer step than the bucket.
  setting: { step: points.reduce((most, { step }) => Math.max(most, step), bucket), unit },
})

/** Seconds of the last figures. */
const lastSeconds = 5

/** Returns bitrate and frame rate of the last seconds of a broadcast; undefined without one. The very last second is not a whole one. */
export async function lastFiguresOf(
  db: ReadDb,
  id: number,
): Promise<{ readonly kbps: number; readonly fps: number } | undefined> {
  const last = await listLastSamples(db, id, lastSeconds + 1)
  const whole = last.length > lastSeconds ? last.slice(1) : last
  if (whole.length === 0) return undefined
  const mean = (of: (sample: (typeof whole)[number]) => number) =>
    whole.reduce((sum, sample) => sum + of(sample), 0) / whole.length
  return { kbps: Math.round(mean(({ kbps }) => kbps)), fps: Math.round(mean(({ fps }) => fps) * 10) / 10 }
}

// Figures of broadcasts for comparison: bitrate, viewers, warnings and errors. One query per kind of figure.

/** Mean, minimum and maximum. */
interface Span {
  readonly avg: number
  readonly min: number
  readonly max: number
}

/** Figures of one broadcast. */
interface Figures {
  readonly bitrate: Span | null
  readonly viewers: Span | null
  readonly warnings: number
  readonly errors: number
}

/** Returns the figures of broadcasts, by id. */
export async function figuresOf(db: ReadDb, ids: readonly number[]): Promise<ReadonlyMap<number, Figures>> {
  if (ids.length === 0) return new Map()
  const bitrates = await spans(db, ids, 'broadcast_samples', 'kbps')
  const viewers = await spans(db, ids, 'broadcast_viewers', 'viewers')
  const troubles = await countTroubles(db, ids)
  const countOf = (id: number, level: string) =>
    Number(troubles.find((row) => row.broadcast_id === id && row.level === level)?.count ?? 0)
  return new Map(
    ids.map((id) => [
      id,
      {
        bitrate: bitrates.get(id) ?? null,
        viewers: viewers.get(id) ?? null,
        warnings: countOf(id, 'warning'),
        errors: countOf(id, 'error'),
      },
    ]),
  )
}

async function spans(...query: Parameters<typeof listSpans>): Promise<ReadonlyMap<number, Span>> {
  const rows = await listSpans(...query)
  return new Map(rows.map(({ id, avg, min, max }) => [id, { avg: Math.round(Number(avg)), min, max }]))
}
