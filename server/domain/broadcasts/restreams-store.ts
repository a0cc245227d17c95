// SQL of restreams: the channels that received a broadcast.
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import type { BroadcastTables } from '#server/db/tables-broadcasts.ts'

/** A restream, with the current photo of its channel. */
export type RestreamRow = Selectable<BroadcastTables['restreams']> & { readonly photo: string | null }

/** Returns the restreams of broadcasts. */
export async function listRestreams(db: ReadDb, broadcastIds: readonly number[]): Promise<RestreamRow[]> {
  if (broadcastIds.length === 0) return []
  return db
    .selectFrom('restreams')
    .leftJoin('channels', 'channels.id', 'restreams.channel_id')
    .selectAll('restreams')
    .select('channels.photo')
    .where('broadcast_id', 'in', broadcastIds)
    .orderBy('restreams.id')
    .execute()
}

/** Inserts a restream. */
export async function insertRestream(trx: Trx, row: Insertable<BroadcastTables['restreams']>): Promise<void> {
  await trx.insertInto('restreams').values(row).execute()
}

/** Updates a restream. */
export async function updateRestream(
  trx: Trx,
  id: number,
  change: Updateable<BroadcastTables['restreams']>,
): Promise<void> {
  await trx.updateTable('restreams').set(change).where('id', '=', id).execute()
}

/** Updates the page of a restream at its platform. */
export async function updateRestreamUrl(
  db: Db,
  { broadcastId, channelId }: { readonly broadcastId: number; readonly channelId: number },
  url: string | null,
): Promise<void> {
  await db
    .updateTable('restreams')
    .set({ url })
    .where('broadcast_id', '=', broadcastId)
    .where('channel_id', '=', channelId)
    .execute()
}
