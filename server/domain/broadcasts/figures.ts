// Figures of broadcasts for comparison: bitrate, viewers, warnings and errors. One query per kind of figure.
import type { ReadDb } from '#server/db/open.ts'
import { countTroubles } from './events-store.ts'
import { listSpans } from './samples-store.ts'

/** Mean, minimum and maximum. */
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
