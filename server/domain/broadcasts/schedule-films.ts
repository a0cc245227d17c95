// Films of the media library, as schedules play them.
import type { ItemState } from '#contract/entities/schedule.ts'
import type { ReadDb } from '#server/db/open.ts'
import { isProcessing } from '#server/domain/media/films.ts'
import { listFilmsOf } from '#server/domain/media/store.ts'

/** A film of the library. */
export interface Film {
  readonly id: number
  readonly name: string
  /** Name of the prepared file. */
  readonly file: string
  /** Duration, milliseconds; 0: unknown. */
  readonly ms: number
  /** Average of the prepared file, kilobits per second; 0: unknown. */
  readonly kbps: number
  /** Of the prepared file; 0: not ready. */
  readonly bytes: number
  readonly state: Exclude<ItemState, 'missing'>
}

/** Returns the films of a project among some ids; unknown ids and pictures are left out. */
export async function filmsOf(
  db: ReadDb,
  projectId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Film>> {
  const rows = await listFilmsOf(db, projectId, [...new Set(ids)])
  return new Map(
    rows.map((row) => {
      const { id, name, file, duration_ms: ms } = row
      const state = row.state === 'ready' && ms > 0 ? 'ready' : isProcessing(row) ? 'processing' : 'failed'
      const bytes = state === 'ready' ? Number(row.bytes) : 0
      const kbps = bytes && Math.round((bytes * 8) / ms)
      return [id, { id, name, file, ms, kbps, bytes, state }]
    }),
  )
}

/** Returns whether a film is above the bitrate of the plan. @param max kilobits per second; 0: no limit */
export const isTooHeavy = ({ kbps }: Pick<Film, 'kbps'>, max: number): boolean => max > 0 && kbps > max
