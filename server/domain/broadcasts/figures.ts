// Broadcasts in figures, to compare them: what came in, how many watched, what went wrong. A query per kind of figure.
import { sql } from 'kysely'
import type { Db } from '#server/db/open.ts'

/** Least, mean and most. */
export interface Span {
  readonly avg: number
  readonly min: number
  readonly max: number
}

/** Figures of one broadcast. */
export interface Figures {
  readonly bitrate: Span | null
  readonly viewers: Span | null
  readonly warnings: number
  readonly errors: number
}

/** Figures of these broadcasts, by their numbers. */
export async function figuresOf(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, Figures>> {
  if (ids.length === 0) return new Map()
  const bitrates = await spans(db, ids, 'broadcast_samples', 'kbps')
  const viewers = await spans(db, ids, 'broadcast_viewers', 'viewers')
  const troubles = await db
    .selectFrom('broadcast_events')
    .select(['broadcast_id', 'level', (eb) => eb.fn.countAll<number>().as('count')])
    .where('broadcast_id', 'in', ids)
    .where('level', 'in', ['warning', 'error'])
    .groupBy(['broadcast_id', 'level'])
    .execute()
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

/** Samples stand for as many seconds as their step has. */
async function spans(
  db: Db,
  ids: readonly number[],
  table: 'broadcast_samples' | 'broadcast_viewers',
  value: 'kbps' | 'viewers',
): Promise<ReadonlyMap<number, Span>> {
  const { rows } = await sql<{ id: number; avg: number; min: number; max: number }>`
    select broadcast_id as id, sum(1.0 * ${sql.ref(value)} * step) / sum(step) as avg,
      min(${sql.ref(value)}) as min, max(${sql.ref(value)}) as max
    from ${sql.table(table)}
    where broadcast_id in (${sql.join(ids)})
    group by broadcast_id
  `.execute(db)
  return new Map(rows.map(({ id, avg, min, max }) => [id, { avg: Math.round(Number(avg)), min, max }]))
}
