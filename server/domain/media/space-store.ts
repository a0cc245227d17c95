// SQL of the space that files of a project take: recordings, and films of the library.
import { sql } from 'kysely'
import type { ReadDb } from '#server/db/open.ts'

/** Returns the bytes of a project's recordings. @param exceptNode machine whose files do not count */
export async function sumRecordingBytes(db: ReadDb, projectId: number, exceptNode = ''): Promise<number> {
  const { bytes } = await db
    .selectFrom('recordings')
    .select((eb) => eb.fn.sum<number | string | null>('bytes').as('bytes'))
    .where('project_id', '=', projectId)
    .where('node', '!=', exceptNode)
    .where('date_delete', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(bytes ?? 0)
}

/** Returns the bytes that a project's films take, and those that uploads reserve. @param exceptId film that does not count */
export async function sumFilmBytes(db: ReadDb, projectId: number, exceptId = 0): Promise<number> {
  const { bytes } = await db
    .selectFrom('media_files')
    .select((eb) => eb.fn.sum<number | string | null>('bytes').as('bytes'))
    .where('project_id', '=', projectId)
    .where('id', '!=', exceptId)
    .where('kind', '=', 'film')
    .where('state', '!=', 'missing')
    .where('date_delete', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(bytes ?? 0)
}

/** Returns the projects whose recordings and films take more than these bytes. */
export async function listLarge(db: ReadDb, bytes: number): Promise<number[]> {
  const recorded = db.selectFrom('recordings').select(['project_id', 'bytes']).where('date_delete', 'is', null)
  const films = db
    .selectFrom('media_files')
    .select(['project_id', 'bytes'])
    .where('kind', '=', 'film')
    .where('state', '!=', 'missing')
    .where('date_delete', 'is', null)
  const rows = await db
    .selectFrom(recorded.unionAll(films).as('files'))
    .select('project_id')
    .groupBy('project_id')
    .having(sql<number>`sum(bytes)`, '>', bytes)
    .execute()
  return rows.map(({ project_id }) => project_id)
}
