// SQL of videos: films that are ready and finished recordings, in one order.
import { sql } from 'kysely'
import { countRows } from '#server/db/fragments.ts'
import type { ReadDb } from '#server/db/open.ts'

/** A film or a recording, by its row. */
export interface VideoRef {
  readonly kind: 'upload' | 'recording'
  readonly id: number
}

/** Returns one page of the videos of a project, newest first, and the number of all. */
export async function listVideos(
  db: ReadDb,
  projectId: number,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly refs: VideoRef[]; readonly total: number }> {
  const films = db
    .selectFrom('media_files')
    .select([sql<VideoRef['kind']>`'upload'`.as('kind'), 'id', 'date_create'])
    .where('project_id', '=', projectId)
    .where('kind', '=', 'film')
    .where('state', '=', 'ready')
    .where('date_delete', 'is', null)
  const recorded = db
    .selectFrom('recordings')
    .select([sql<VideoRef['kind']>`'recording'`.as('kind'), 'id', 'date_create'])
    .where('project_id', '=', projectId)
    .where('state', '=', 'ready')
    .where('date_delete', 'is', null)
  const all = db.selectFrom(films.unionAll(recorded).as('videos'))
  const refs = await all
    .select(['kind', 'id'])
    .orderBy('date_create', 'desc')
    .orderBy('kind')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return { refs, total: Number(await countRows(all)) }
}
