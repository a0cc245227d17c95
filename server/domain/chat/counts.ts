// Numbers of received messages.
import type { ReadDb } from '#server/db/open.ts'
import { listCounts } from './messages-store.ts'

/** Returns the received messages of broadcasts by restream, including those that retention removed since. */
export async function countReceived(db: ReadDb, broadcastIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const rows = await listCounts(db, broadcastIds)
  return new Map(rows.map(({ restream_id, received }) => [restream_id, received]))
}
