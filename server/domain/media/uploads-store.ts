// SQL of uploads and preparations of films. Locks and preparations end by the clock of the database.
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { databaseNow } from '#server/db/fragments.ts'
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import type { MediaRow } from './store.ts'

export type UploadRow = Selectable<Tables['media_uploads']>

export async function insertUpload(trx: Trx, values: Insertable<Tables['media_uploads']>): Promise<void> {
  await trx.insertInto('media_uploads').values(values).execute()
}

export const findUpload = (db: ReadDb, mediaId: number): Promise<UploadRow | undefined> =>
  db.selectFrom('media_uploads').selectAll().where('media_id', '=', mediaId).executeTakeFirst()

/** Returns the bytes that an upload will have; null: there is none, or it has not begun. */
export async function findUploadLength(db: ReadDb, fileId: string): Promise<number | null> {
  const row = await db.selectFrom('media_uploads').select('length').where('file_id', '=', fileId).executeTakeFirst()
  const length = row?.length ?? null
  return length === null ? null : Number(length)
}

export const hasUpload = async (db: ReadDb, fileId: string): Promise<boolean> =>
  (await db.selectFrom('media_uploads').select('media_id').where('file_id', '=', fileId).executeTakeFirst()) !==
  undefined

/** Returns the bytes that uploads of all projects have announced and not sent yet. @param exceptId film that does not count */
export async function sumMissing(db: ReadDb, exceptId: number): Promise<number> {
  const { bytes } = await db
    .selectFrom('media_uploads')
    .innerJoin('media_files', 'media_files.id', 'media_uploads.media_id')
    .select(sql<number | string | null>`sum(bytes - received)`.as('bytes'))
    .where('media_files.state', '=', 'uploading')
    .where('media_files.id', '!=', exceptId)
    .where('date_delete', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(bytes ?? 0)
}

export async function updateUpload(
  db: Db | Trx,
  mediaId: number,
  values: Updateable<Tables['media_uploads']>,
): Promise<void> {
  await db.updateTable('media_uploads').set(values).where('media_id', '=', mediaId).execute()
}

export async function removeUpload(db: Db | Trx, mediaId: number): Promise<void> {
  await db.deleteFrom('media_uploads').where('media_id', '=', mediaId).execute()
}

// Locks of uploads.

const in_ = (db: ReadDb, ms: number) => sql<number>`${databaseNow(db)} + ${ms}`

/** Takes the lock of an upload that is free or expired. @returns false while another request has it */
export async function claimUploadLock(db: Db, fileId: string, owner: string, ms: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('media_uploads')
    .set({ lock_owner: owner, lock_until: in_(db, ms), lock_wanted: 0 })
    .where('file_id', '=', fileId)
    .where((eb) => eb.or([eb('lock_owner', 'is', null), eb('lock_until', '<=', databaseNow(db))]))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Asks the holder of a lock to release it. @returns false when the upload is gone */
export async function updateLockWanted(db: Db, fileId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('media_uploads')
    .set({ lock_wanted: 1 })
    .where('file_id', '=', fileId)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Extends a lock. @returns whether another request waits for it; null: the lock is lost */
export async function updateUploadLock(db: Db, fileId: string, owner: string, ms: number): Promise<boolean | null> {
  const row = await db
    .updateTable('media_uploads')
    .set({ lock_until: in_(db, ms) })
    .where('file_id', '=', fileId)
    .where('lock_owner', '=', owner)
    .returning('lock_wanted')
    .executeTakeFirst()
  return row ? row.lock_wanted === 1 : null
}

export async function releaseUploadLock(db: Db, fileId: string, owner: string): Promise<void> {
  await db
    .updateTable('media_uploads')
    .set({ lock_owner: null, lock_until: 0, lock_wanted: 0 })
    .where('file_id', '=', fileId)
    .where('lock_owner', '=', owner)
    .execute()
}

// Preparations.

/** A preparation in progress, with its film. */
export interface Preparation {
  readonly film: MediaRow
  readonly upload: UploadRow
  /** Time until its node is taken for lost, milliseconds; negative: it is. */
  readonly leftMs: number
}

/** Returns the upload of a film, and when its node is lost. */
export async function findPreparation(db: ReadDb, film: MediaRow): Promise<Preparation | undefined> {
  const upload = await db
    .selectFrom('media_uploads')
    .selectAll()
    .select(sql<number>`node_until - ${databaseNow(db)}`.as('left_ms'))
    .where('media_id', '=', film.id)
    .executeTakeFirst()
  return upload && { film, upload, leftMs: Number(upload.left_ms) }
}

/** Begins a preparation. */
export async function claimPreparation(
  trx: Trx,
  mediaId: number,
  { job, node, ms }: { readonly job: string; readonly node: string; readonly ms: number },
): Promise<void> {
  await trx
    .updateTable('media_uploads')
    .set((eb) => ({ job, node, node_until: in_(trx, ms), attempts: eb('attempts', '+', 1) }))
    .where('media_id', '=', mediaId)
    .execute()
}

/** Extends a preparation. @returns the film; undefined: the preparation is over */
export async function updatePreparation(
  db: Db,
  job: string,
  ms: number,
): Promise<{ readonly media_id: number } | undefined> {
  return await db
    .updateTable('media_uploads')
    .set({ node_until: in_(db, ms) })
    .where('job', '=', job)
    .returning('media_id')
    .executeTakeFirst()
}

export const findUploadOfJob = (db: ReadDb, job: string): Promise<UploadRow | undefined> =>
  db.selectFrom('media_uploads').selectAll().where('job', '=', job).executeTakeFirst()

/** Returns films that wait for a relay node, oldest first. */
export async function listUploaded(db: ReadDb, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('media_files')
    .select('id')
    .where('state', '=', 'uploaded')
    .where('date_delete', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}
