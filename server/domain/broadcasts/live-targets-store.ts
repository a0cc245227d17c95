// SQL of targets: addresses that platforms assigned to broadcasts.
import { type Selectable, sql } from 'kysely'
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import type { BroadcastTables } from '#server/db/tables-broadcasts.ts'

export type TargetRow = Selectable<BroadcastTables['broadcast_targets']>

/** Kind of the job that ends a broadcast at its platforms; the key is the broadcast. */
export const targetEndKind = { kind: 'broadcasts.target-end' } as const

interface TargetKey {
  readonly broadcastId: number
  readonly channelId: number
}

/** Returns the targets of broadcasts. */
export async function listTargets(db: ReadDb, broadcastIds: readonly number[]): Promise<TargetRow[]> {
  if (broadcastIds.length === 0) return []
  return await db.selectFrom('broadcast_targets').selectAll().where('broadcast_id', 'in', broadcastIds).execute()
}

/**
 * Marks a target as requested from its platform.
 * @returns the number of the attempt, from 1; null when the target has an address, or has ended
 */
export async function upsertTargetStarting(db: Db, { broadcastId, channelId }: TargetKey): Promise<number | null> {
  const row = await db
    .insertInto('broadcast_targets')
    .values({
      broadcast_id: broadcastId,
      channel_id: channelId,
      state: 'starting',
      attempt: 1,
      address: null,
      secret_sealed: null,
      video_id: null,
      url: null,
      date_next: null,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['broadcast_id', 'channel_id'])
        .doUpdateSet((eb) => ({ state: 'starting', attempt: eb('broadcast_targets.attempt', '+', 1), date_next: null }))
        .where('broadcast_targets.state', 'in', ['dropped', 'starting', 'failed']),
    )
    .returning('attempt')
    .executeTakeFirst()
  return row?.attempt ?? null
}

/** Updates a target that is in the expected state. */
export async function updateTarget(
  db: Db | Trx,
  { broadcastId, channelId, state }: TargetKey & Pick<TargetRow, 'state'>,
  change: Partial<TargetRow>,
): Promise<void> {
  await db
    .updateTable('broadcast_targets')
    .set(change)
    .where('broadcast_id', '=', broadcastId)
    .where('channel_id', '=', channelId)
    .where('state', '=', state)
    .execute()
}

/** Drops a target without an address. @returns false when another call did */
export const updateTargetDropped = (db: Db, broadcastId: number, channelId: number): Promise<boolean> =>
  updateState(db, { broadcastId, channelId }, ['starting', 'failed'], 'dropped')

/** Marks a target as ended. @returns false when another call did */
export const updateTargetEnded = (db: Db, broadcastId: number, channelId: number): Promise<boolean> =>
  updateState(db, { broadcastId, channelId }, ['ready'], 'ended')

async function updateState(
  db: Db,
  { broadcastId, channelId }: TargetKey,
  from: TargetRow['state'][],
  state: TargetRow['state'],
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('broadcast_targets')
    .set({ state })
    .where('broadcast_id', '=', broadcastId)
    .where('channel_id', '=', channelId)
    .where('state', 'in', from)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Returns broadcasts that are over and not ended at a platform. */
export async function listEndable(db: ReadDb): Promise<number[]> {
  const rows = await db
    .selectFrom('broadcast_targets')
    .innerJoin('broadcasts', 'broadcasts.id', 'broadcast_targets.broadcast_id')
    .select('broadcasts.id')
    .where('broadcasts.date_end', 'is not', null)
    // A literal, because the partial index does not match a bound value.
    .where('broadcast_targets.state', '=', sql.lit('ready'))
    .groupBy('broadcasts.id')
    .execute()
  return rows.map(({ id }) => id)
}
