// Which broadcast somebody means.
import type { Services } from '#server/core/context.ts'
import { ForbiddenError } from '#server/core/errors.ts'
import { type BroadcastRow, findBroadcast } from './store.ts'

export interface Which {
  readonly project_id: number
  readonly broadcast_id: number
}

/** A broadcast of the project; the same refusal for one of another project and for none at all. */
export async function getBroadcast(
  { db }: Pick<Services, 'db'>,
  { project_id, broadcast_id }: Which,
): Promise<BroadcastRow> {
  const row = await findBroadcast(db, project_id, broadcast_id)
  if (!row) throw new ForbiddenError()
  return row
}
