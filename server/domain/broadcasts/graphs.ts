// Graphs of a broadcast. Each takes one query, however long the broadcast is.
import type { Graph } from '#contract/entities/broadcast.ts'
import type { Services } from '#server/core/context.ts'
import type { BroadcastRow } from './store.ts'
import { type GraphPoint, listBitratePoints, listViewerPoints } from './samples-store.ts'

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
