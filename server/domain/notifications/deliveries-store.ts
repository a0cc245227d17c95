// SQL of the outbox: deliveries, and lanes with their claims.
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { NotifyChannel } from '#contract/entities/notification.ts'
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

export type LaneRow = Selectable<Tables['notification_lanes']>

/** Key of a lane, and when it has work. */
export interface LaneDue {
  readonly user_id: number
  readonly project_id: number
  readonly channel: NotifyChannel
  readonly date_due: string
}

/** Creates lanes, or moves their work to an earlier time. @returns their ids, by user and channel */
export const upsertLanes = (trx: Trx, lanes: readonly LaneDue[]) =>
  trx
    .insertInto('notification_lanes')
    .values(lanes)
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'project_id', 'channel']).doUpdateSet((eb) => ({
        date_due: eb
          .case()
          .when(
            eb.or([
              eb('notification_lanes.date_due', 'is', null),
              eb('excluded.date_due', '<', eb.ref('notification_lanes.date_due')),
            ]),
          )
          .then(eb.ref('excluded.date_due'))
          .else(eb.ref('notification_lanes.date_due'))
          .end(),
      })),
    )
    .returning(['id', 'user_id', 'channel'])
    .execute()

/** Inserts deliveries. */
export async function insertDeliveries(
  trx: Trx,
  rows: readonly Insertable<Tables['notification_deliveries']>[],
): Promise<void> {
  await trx.insertInto('notification_deliveries').values(rows).execute()
}

/** Has finished deliveries of notifications sent again. Waiting ones keep their time. @returns lanes with work */
export async function updateDeliveriesWaiting(
  trx: Trx,
  notificationIds: readonly number[],
  due: string,
): Promise<void> {
  const rows = await trx
    .updateTable('notification_deliveries')
    .set({ state: 'waiting', date_due: due, attempts: 0, batch: null })
    .where('notification_id', 'in', notificationIds)
    .where('state', 'in', ['sent', 'unknown', 'failed', 'skipped'])
    .returning('lane_id')
    .execute()
  const lanes = rows.map(({ lane_id }) => lane_id)
  if (lanes.length === 0) return
  await trx
    .updateTable('notification_lanes')
    .set({ date_due: due })
    .where('id', 'in', lanes)
    .where((eb) => eb.or([eb('date_due', 'is', null), eb('date_due', '>', due)]))
    .execute()
}

/** Claim of rows that are due: no other replica gets them before `until`. Times are ISO 8601. */
export interface Claim {
  /** Unique text; the rows keep it until they are released. */
  readonly claim: string
  readonly now: string
  readonly until: string
  readonly limit: number
}

/**
 * Claims lanes of a channel that have work. An expired claim can be claimed again. Of concurrent replicas one gets a lane.
 * @returns the claimed lanes
 */
export const claimLanes = (
  db: Db,
  { claim, now, until, limit, channel }: Claim & { readonly channel: NotifyChannel },
): Promise<LaneRow[]> =>
  db
    .updateTable('notification_lanes')
    .set({ claim, date_claim: until })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('notification_lanes')
        .select('id')
        .where('channel', '=', channel)
        .where('date_due', '<=', now)
        .where((or) => or.or([or('date_claim', 'is', null), or('date_claim', '<=', now)]))
        .orderBy('date_due')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute()

/** Returns a lane that is still claimed, locked. */
export const lockClaimedLane = (trx: Trx, id: number, claim: string): Promise<LaneRow | undefined> =>
  trx
    .selectFrom('notification_lanes')
    .selectAll()
    .where('id', '=', id)
    .where('claim', '=', claim)
    .forUpdate()
    .executeTakeFirst()

/** Updates a lane. */
export async function updateLane(
  trx: Trx,
  id: number,
  change: Updateable<Tables['notification_lanes']>,
): Promise<void> {
  await trx.updateTable('notification_lanes').set(change).where('id', '=', id).execute()
}

/** A delivery with its notification. */
export const listLaneDeliveries = (
  trx: ReadDb,
  laneId: number,
  which: { readonly dueBy: string; readonly limit: number } | { readonly batch: string },
) =>
  trx
    .selectFrom('notification_deliveries as delivery')
    .innerJoin('notifications as notification', 'notification.id', 'delivery.notification_id')
    .select([
      'delivery.id',
      'delivery.attempts',
      'delivery.mark',
      'delivery.batch',
      'delivery.date_due',
      'notification.id as notificationId',
      'notification.kind',
      'notification.params',
      'notification.category',
      'notification.version',
      'notification.project_id as projectId',
      'notification.user_id as userId',
      'notification.date_create as date',
    ])
    .where('delivery.lane_id', '=', laneId)
    .$if('dueBy' in which, (query) =>
      'dueBy' in which
        ? query
            .where('delivery.state', '=', 'waiting')
            .where('delivery.date_due', '<=', which.dueBy)
            .orderBy('delivery.id')
            .limit(which.limit)
        : query,
    )
    .$if('batch' in which, (query) =>
      'batch' in which
        ? query.where('delivery.state', '=', 'sending').where('delivery.batch', '=', which.batch).orderBy('delivery.id')
        : query,
    )
    .execute()

/** A delivery with its notification. */
export type LaneDelivery = Awaited<ReturnType<typeof listLaneDeliveries>>[number]

/** Updates deliveries. */
export async function updateDeliveries(
  trx: Trx,
  ids: readonly number[],
  change: Updateable<Tables['notification_deliveries']>,
): Promise<void> {
  if (ids.length === 0) return
  await trx.updateTable('notification_deliveries').set(change).where('id', 'in', ids).execute()
}

/** Assigns deliveries to a message that is sent now, and counts the attempt. */
export async function updateDeliveriesSending(trx: Trx, ids: readonly number[], batch: string): Promise<void> {
  await trx
    .updateTable('notification_deliveries')
    .set((eb) => ({ state: 'sending', batch, attempts: eb('attempts', '+', 1) }))
    .where('id', 'in', ids)
    .execute()
}

/** Has deliveries sent again whose notification changed while they were sent. */
export async function updateChangedWaiting(trx: Trx, ids: readonly number[], due: string): Promise<void> {
  if (ids.length === 0) return
  await trx
    .updateTable('notification_deliveries')
    .set({ state: 'waiting', date_due: due, attempts: 0 })
    .where('id', 'in', ids)
    .where('state', '=', 'sent')
    .where((eb) =>
      eb(
        'version',
        '<',
        eb
          .selectFrom('notifications')
          .select('notifications.version')
          .whereRef('notifications.id', '=', 'notification_deliveries.notification_id'),
      ),
    )
    .execute()
}

/** Returns the time of the next waiting delivery of a lane; null: none. */
export async function findNextDue(trx: ReadDb, laneId: number): Promise<string | null> {
  const { due } = await trx
    .selectFrom('notification_deliveries')
    .select((eb) => eb.fn.min('date_due').as('due'))
    .where('lane_id', '=', laneId)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  return (due as string | null) ?? null
}

/** Returns when the next settling notification of a project is shown; null: none. */
export async function findNextShown(trx: ReadDb, projectId: number, now: string): Promise<string | null> {
  const { due } = await trx
    .selectFrom('notifications')
    .select((eb) => eb.fn.min('date_show').as('due'))
    .where('project_id', '=', projectId)
    .where('date_show', '>', now)
    .executeTakeFirstOrThrow()
  return (due as string | null) ?? null
}

/** Returns the address facts of a recipient at the time of sending. */
export const findContact = (trx: ReadDb, userId: number) =>
  trx
    .selectFrom('users')
    .leftJoin('telegram_links', 'telegram_links.user_id', 'users.id')
    .select(['users.email', 'users.language', 'telegram_links.chat_id as chatId'])
    .where('users.id', '=', userId)
    .executeTakeFirst()
