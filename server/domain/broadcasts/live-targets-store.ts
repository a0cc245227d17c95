// What platforms gave for broadcasts, in the database.
import type { Selectable } from 'kysely'
import type { Db } from '#server/db/open.ts'
import type { BroadcastTables } from '#server/db/tables-broadcasts.ts'

export type TargetRow = Selectable<BroadcastTables['broadcast_targets']>

interface Which {
  readonly broadcastId: number
  readonly channelId: number
}

/** The targets of a broadcast. */
export const listTargets = (db: Db, broadcastId: number): Promise<TargetRow[]> =>
  db.selectFrom('broadcast_targets').selectAll().where('broadcast_id', '=', broadcastId).execute()

/**
 * Takes the right to ask the platform; of several at a time one has it.
 * @returns which attempt it is, from 1 on; null when somebody else asks, or it is not time
 */
export async function claimTarget(
  db: Db,
  { broadcastId, channelId }: Which,
  now: string,
  until: string,
): Promise<number | null> {
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
      date_next: until,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['broadcast_id', 'channel_id'])
        .doUpdateSet((eb) => ({
          state: 'starting',
          attempt: eb('broadcast_targets.attempt', '+', 1),
          date_next: until,
        }))
        .where((eb) =>
          eb.or([
            eb('broadcast_targets.state', '=', 'dropped'),
            eb.and([
              eb('broadcast_targets.state', 'in', ['starting', 'failed']),
              eb('broadcast_targets.date_next', '<=', now),
            ]),
          ]),
        ),
    )
    .returning('attempt')
    .executeTakeFirst()
  return row?.attempt ?? null
}

/** Changes a target that is in the state which is expected. */
export async function updateTarget(
  db: Db,
  { broadcastId, channelId, state }: Which & Pick<TargetRow, 'state'>,
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

/** Nobody wants what was not there yet. @returns false when somebody else noted it */
export const dropTarget = (db: Db, broadcastId: number, channelId: number): Promise<boolean> =>
  enter(db, { broadcastId, channelId }, ['starting', 'failed'], 'dropped')

/** The platform is about to be told. @returns false when somebody else does */
export const finishTarget = (db: Db, broadcastId: number, channelId: number): Promise<boolean> =>
  enter(db, { broadcastId, channelId }, ['ready'], 'ended')

async function enter(
  db: Db,
  { broadcastId, channelId }: Which,
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

/** Broadcasts that are over and of which a platform does not know. */
export async function listEndable(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('broadcast_targets')
    .innerJoin('broadcasts', 'broadcasts.id', 'broadcast_targets.broadcast_id')
    .select('broadcasts.id')
    .where('broadcasts.date_end', 'is not', null)
    .where('broadcast_targets.state', '=', 'ready')
    .groupBy('broadcasts.id')
    .execute()
  return rows.map(({ id }) => id)
}
