// Access to broadcasts.
import type { Reading, Services } from '#server/core/context.ts'
import { ForbiddenError } from '#server/core/errors.ts'
import { type BroadcastRow, findBroadcast } from './store.ts'

/** A project and one of its broadcasts. */
export interface BroadcastInProject {
  readonly project_id: number
  readonly broadcast_id: number
}

/** Returns a broadcast of a project. @throws ForbiddenError for an unknown one, or one of another project */
export async function getBroadcast(
  { db }: Reading<Pick<Services, 'db'>>,
  { project_id, broadcast_id }: BroadcastInProject,
): Promise<BroadcastRow> {
  const row = await findBroadcast(db, project_id, broadcast_id)
  if (!row) throw new ForbiddenError()
  return row
}
