// Graphs of a broadcast: one query each, however long it was.
import { sql } from 'kysely'
import type { Graph } from '#contract/entities/broadcast.ts'
import type { Services } from '#server/core/context.ts'
import type { BroadcastRow } from './store.ts'

/** Points of a graph; the last minutes of what is on air come on top, each second of them. */
const pointsMax = 1_500
const liveSeconds = 600

type Part = Pick<Services, 'db' | 'clock'>

/** What came in, in kbps. */
export async function bitrateGraph({ db, clock }: Part, row: BroadcastRow): Promise<Graph> {
  const { bucket, from } = coarseness(clock.now(), row)
  const points = await sql<Point>`
    select at, max(step) as step, avg(value) as value
    from (
      select case when at >= ${from} then at else at / ${sql.lit(bucket)} * ${sql.lit(bucket)} end as at, step, kbps as value
      from broadcast_samples
      where broadcast_id = ${row.id}
    ) as samples
    group by at
    order by at
  `.execute(db)
  return graphOf(points.rows, bucket, 'kbps')
}

/** How many watched, at all platforms that say it. */
export async function viewersGraph({ db, clock }: Part, row: BroadcastRow): Promise<Graph> {
  const { bucket } = coarseness(clock.now(), row)
  const points = await sql<Point>`
    select at, max(step) as step, avg(value) as value
    from (
      select at / ${sql.lit(bucket)} * ${sql.lit(bucket)} as at, step, viewers as value
      from broadcast_viewers
      where broadcast_id = ${row.id}
    ) as samples
    group by at
    order by at
  `.execute(db)
  return graphOf(points.rows, bucket, 'viewers')
}

interface Point {
  readonly at: number | string
  readonly step: number
  readonly value: number | string
}

/** Seconds of a point, and from when on there is one for each second. */
function coarseness(now: Date, { date_create, date_end }: BroadcastRow) {
  const end = date_end === null ? now.getTime() : Date.parse(date_end)
  const bucket = Math.max(1, Math.ceil((end - Date.parse(date_create)) / 1000 / pointsMax))
  const from = date_end === null ? Math.floor(end / 1000) - liveSeconds : Math.ceil(end / 1000) + liveSeconds
  return { bucket, from }
}

const graphOf = (points: readonly Point[], bucket: number, unit: string): Graph => ({
  data: points.map(({ value }) => Math.round(Number(value))),
  labels: points.map(({ at }) => Number(at)),
  // Old samples are coarser than what is asked for.
  setting: { step: points.reduce((most, { step }) => Math.max(most, step), bucket), unit },
})
