// Space of a project: recordings and films are one sum against the storage of its plan.
import type { Reading, Services } from '#server/core/context.ts'
import type { ReadDb } from '#server/db/open.ts'
import { storageGb } from '#server/domain/tariffs/allowances.ts'
import { sumFilmBytes, sumRecordingBytes } from './space-store.ts'

/** Bytes of a gigabyte, as plans count them. */
export const gigabyte = 1_000_000_000

/** Storage of a project, bytes. */
export interface Space {
  /** What the plan includes. 0: nothing is recorded or uploaded. */
  readonly limit: number
  /** What recordings and films take, and uploads reserve. */
  readonly used: number
}

/** Returns the bytes that recordings and films of a project take. @param exceptFilm film that does not count */
export const usedBytes = async (db: ReadDb, projectId: number, exceptFilm = 0): Promise<number> =>
  (await sumRecordingBytes(db, projectId)) + (await sumFilmBytes(db, projectId, exceptFilm))

/** Returns the storage of a project. @param db lock the project where the answer decides. @param exceptFilm film that does not count */
export async function storageOf(
  services: Reading<Pick<Services, 'clock' | 'config' | 'db'>>,
  projectId: number,
  { db = services.db, exceptFilm = 0 }: { readonly db?: ReadDb; readonly exceptFilm?: number } = {},
): Promise<Space> {
  const limit = (await storageGb(services, db, projectId)) * gigabyte
  return { limit, used: await usedBytes(db, projectId, exceptFilm) }
}

/** Returns the bytes that are left. */
export const leftOf = ({ limit, used }: Space): number => Math.max(0, limit - used)
