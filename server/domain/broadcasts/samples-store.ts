// SQL of samples: bitrate and frame rate of broadcasts, and their viewers, per step of seconds.
import type { SampleEvent } from '#contract/relay/events.ts'
import { sql } from 'kysely'
import type { ReadDb, Trx } from '#server/db/open.ts'

/** A point of a graph. PostgreSQL returns computed numbers as text. */
export interface GraphPoint {
  /** Unix seconds. */
  readonly at: number | string
  /** Seconds. */
  readonly step: number
  readonly value: number | string
}

/** Inserts the sample of a second; a second that has one keeps it. @param sample `at`: Unix seconds */
export async function insertSample(
  trx: Trx,
  broadcastId: number,
  { at, kbps, fps }: { readonly at: number; readonly kbps: number; readonly fps: number },
): Promise<void> {
  await trx
    .insertInto('broadcast_samples')
    .values({ broadcast_id: broadcastId, step: 1, at, kbps, fps })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Returns bitrate and frame rate of the last seconds with media of a broadcast, the newest first. */
export const listLastSamples = (db: ReadDb, broadcastId: number, limit: number) =>
  db
    .selectFrom('broadcast_samples')
    .select(['kbps', 'fps'])
    .where('broadcast_id', '=', broadcastId)
    .where('kbps', '>', 0)
    .orderBy('at', 'desc')
    .limit(limit)
    .execute()

/** Broadcasts on air whose project a node owns under an epoch; `row` has `column1` project and `column2` epoch. */
const ownBroadcasts = (node: string) => sql`broadcasts.project_id = row.column1 and broadcasts.date_end is null
  and exists (select 1 from owners where owners.kind = 'air' and owners.key = cast(row.column1 as text)
    and owners.holder = ${node} and owners.epoch = row.column2)`

/** Inserts samples of a node; a second that has one keeps it. */
export async function insertSamples(trx: Trx, node: string, samples: readonly SampleEvent[]): Promise<void> {
  const values = samples.map(
    ({ projectId, epoch, at, ingest: { kbps, fps } }) =>
      sql`(cast(${projectId} as integer), cast(${epoch ?? 0} as integer), cast(${Math.floor(at / 1000)} as bigint),
        cast(${Math.round(kbps)} as integer), cast(${fps} as real))`,
  )
  await sql`insert into broadcast_samples (broadcast_id, step, at, kbps, fps)
    select broadcasts.id, 1, row.column3, row.column4, row.column5 from (values ${sql.join(values)}) as row, broadcasts
    where ${ownBroadcasts(node)} on conflict do nothing`.execute(trx)
}

/** Updates the newest sample of broadcasts. @param samples `stored`: text of the column */
export async function updateNewestSamples(
  trx: Trx,
  node: string,
  samples: readonly (Pick<SampleEvent, 'projectId' | 'epoch'> & { readonly stored: string })[],
): Promise<void> {
  const values = samples.map(
    ({ projectId, epoch, stored }) => sql`(cast(${projectId} as integer), cast(${epoch ?? 0} as integer), ${stored})`,
  )
  await sql`update broadcasts set sample = row.column3 from (values ${sql.join(values)}) as row
    where ${ownBroadcasts(node)}`.execute(trx)
}

/** Inserts numbers of viewers; a step that has one keeps it. @param rows `at`: Unix seconds */
export async function insertViewers(
  trx: Trx,
  rows: readonly {
    readonly broadcast_id: number
    readonly step: number
    readonly at: number
    readonly viewers: number
  }[],
): Promise<void> {
  for (let index = 0; index < rows.length; index += 1_000)
    await trx
      .insertInto('broadcast_viewers')
      .values(rows.slice(index, index + 1_000))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

/**
 * Returns the bitrate of a broadcast, averaged over buckets.
 * @param by `bucket`: seconds; `from`: Unix seconds, from when on each second is a point
 */
export async function listBitratePoints(
  db: ReadDb,
  broadcastId: number,
  { bucket, from }: { readonly bucket: number; readonly from: number },
): Promise<readonly GraphPoint[]> {
  const { rows } = await sql<GraphPoint>`
    select at, max(step) as step, avg(value) as value
    from (
      select case when at >= ${from} then at else at / ${sql.lit(bucket)} * ${sql.lit(bucket)} end as at, step, kbps as value
      from broadcast_samples
      where broadcast_id = ${broadcastId}
    ) as samples
    group by at
    order by at
  `.execute(db)
  return rows
}

/** Returns the viewers of a broadcast, averaged over buckets of seconds. */
export async function listViewerPoints(
  db: ReadDb,
  broadcastId: number,
  bucket: number,
): Promise<readonly GraphPoint[]> {
  const { rows } = await sql<GraphPoint>`
    select at, max(step) as step, avg(value) as value
    from (
      select at / ${sql.lit(bucket)} * ${sql.lit(bucket)} as at, step, viewers as value
      from broadcast_viewers
      where broadcast_id = ${broadcastId}
    ) as samples
    group by at
    order by at
  `.execute(db)
  return rows
}

interface SpanRow {
  readonly id: number
  /** PostgreSQL returns it as text. */
  readonly avg: number | string
  readonly min: number
  readonly max: number
}

/**
 * Returns minimum, maximum and mean of a value for each broadcast. Samples count as many seconds as their step. Seconds without
 * media, which earlier releases stored, do not count as bitrate.
 */
export async function listSpans(
  db: ReadDb,
  ids: readonly number[],
  table: 'broadcast_samples' | 'broadcast_viewers',
  value: 'kbps' | 'viewers',
): Promise<readonly SpanRow[]> {
  const { rows } = await sql<SpanRow>`
    select broadcast_id as id, sum(1.0 * ${sql.ref(value)} * step) / sum(step) as avg,
      min(${sql.ref(value)}) as min, max(${sql.ref(value)}) as max
    from ${sql.table(table)}
    where broadcast_id in (${sql.join(ids)}) and (${sql.lit(value)} <> 'kbps' or ${sql.ref(value)} > 0)
    group by broadcast_id
  `.execute(db)
  return rows
}

/** Inserts the averages of samples of a step before a time, as samples of a longer step. Times and steps are seconds. */
export async function insertCoarserSamples(
  trx: Trx,
  { step, next, before }: { readonly step: number; readonly next: number; readonly before: number },
): Promise<void> {
  await sql`
    insert into broadcast_samples (broadcast_id, step, at, kbps, fps)
    select broadcast_id, ${sql.lit(next)}, at / ${sql.lit(next)} * ${sql.lit(next)}, round(avg(kbps)), avg(fps)
    from broadcast_samples
    where step = ${sql.lit(step)} and at < ${sql.lit(before)}
    group by broadcast_id, at / ${sql.lit(next)}
    on conflict do nothing
  `.execute(trx)
}

/** Inserts the averages of viewers of shorter steps before a time, as viewers of a step. Times and steps are seconds. */
export async function insertCoarserViewers(
  trx: Trx,
  { step, before }: { readonly step: number; readonly before: number },
): Promise<void> {
  await sql`
    insert into broadcast_viewers (broadcast_id, step, at, viewers)
    select broadcast_id, ${sql.lit(step)}, at / ${sql.lit(step)} * ${sql.lit(step)}, round(avg(viewers))
    from broadcast_viewers
    where step < ${sql.lit(step)} and at < ${sql.lit(before)}
    group by broadcast_id, at / ${sql.lit(step)}
    on conflict do nothing
  `.execute(trx)
}

/** Removes samples of a step before a time, seconds. */
export async function removeSamples(trx: Trx, step: number, before: number): Promise<void> {
  await trx.deleteFrom('broadcast_samples').where('step', '=', step).where('at', '<', before).execute()
}

/** Removes viewers before a time, seconds. @param stepBelow only those of shorter steps */
export async function removeViewers(
  trx: Trx,
  { before, stepBelow }: { readonly before: number; readonly stepBelow?: number },
): Promise<void> {
  await trx
    .deleteFrom('broadcast_viewers')
    .where('at', '<', before)
    .$if(stepBelow !== undefined, (query) => query.where('step', '<', stepBelow ?? 0))
    .execute()
}
