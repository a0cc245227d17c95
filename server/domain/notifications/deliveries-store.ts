// SQL of the outbox: deliveries and lanes. A job of a lane sends its messages.
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { NotifyChannel } from '#contract/entities/notification.ts'
import { type JobName, scheduleJobs } from '#server/db/jobs.ts'
import type { ReadDb, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

export type LaneRow = Selectable<Tables['notification_lanes']>

/** Recipient, project and channel of a lane. */
export type LaneKey = Pick<LaneRow, 'user_id' | 'project_id' | 'channel'>

/** Names the kind of the jobs of a channel's lanes; the key is the lane. */
export const laneKind = (channel: NotifyChannel) => ({ kind: `notifications.${channel}` })

/** Schedules the jobs of lanes. @param inMs time until they have work */
export const upsertLaneJobs = (
  trx: Trx,
  lanes: readonly Pick<LaneRow, 'id' | 'channel'>[],
  inMs: number,
): Promise<void> =>
  scheduleJobs(
    trx,
    lanes.map(({ id, channel }): JobName => ({ ...laneKind(channel), key: String(id) })),
    { inMs },
  )

/**
 * Returns lanes, and inserts those that do not exist. It locks no existing row: a run of a lane's job updates its row, and the
 * caller schedules that job afterwards.
 */
export async function upsertLanes(trx: Trx, keys: readonly LaneKey[]) {
  const known = await listLanes(trx, keys)
  const missing = keys.filter((key) => !known.some((lane) => isLane(lane, key)))
  if (missing.length === 0) return known
  await trx
    .insertInto('notification_lanes')
    .values(missing)
    .onConflict((conflict) => conflict.columns(['user_id', 'project_id', 'channel']).doNothing())
    .execute()
  return await listLanes(trx, keys)
}

async function listLanes(trx: ReadDb, keys: readonly LaneKey[]) {
  const unique = <T>(values: readonly T[]): T[] => [...new Set(values)]
  const rows = await trx
    .selectFrom('notification_lanes')
    .select(['id', 'user_id', 'project_id', 'channel'])
    .where('user_id', 'in', unique(keys.map(({ user_id }) => user_id)))
    .where('project_id', 'in', unique(keys.map(({ project_id }) => project_id)))
    .execute()
  return rows.filter((lane) => keys.some((key) => isLane(lane, key)))
}

const isLane = (lane: LaneKey, key: LaneKey): boolean =>
  lane.user_id === key.user_id && lane.project_id === key.project_id && lane.channel === key.channel

/** A literal, because the partial index does not match bound values. */
const openState = sql<boolean>`state in ('waiting', 'sending')`

/** Lists the lanes of a channel that have messages to send. */
export async function listLanesToSend(db: ReadDb, channel: Exclude<NotifyChannel, 'cabinet'>): Promise<number[]> {
  const rows = await db
    .selectFrom('notification_deliveries')
    .select('lane_id')
    .distinct()
    .where('channel', '=', channel)
    .where(openState)
    .execute()
  return rows.map(({ lane_id }) => lane_id)
}

/** Inserts deliveries. */
export async function insertDeliveries(
  trx: Trx,
  rows: readonly Insertable<Tables['notification_deliveries']>[],
): Promise<void> {
  await trx.insertInto('notification_deliveries').values(rows).execute()
}

/** Has finished deliveries of notifications sent again. Waiting ones keep their time. @param inMs time until `due` */
export async function updateDeliveriesWaiting(
  trx: Trx,
  notificationIds: readonly number[],
  { due, inMs }: { readonly due: string; readonly inMs: number },
): Promise<void> {
  const rows = await trx
    .updateTable('notification_deliveries')
    .set({ state: 'waiting', date_due: due, attempts: 0, batch: null })
    .where('notification_id', 'in', notificationIds)
    .where('state', 'in', ['sent', 'unknown', 'failed', 'skipped'])
    .returning(['lane_id as id', 'channel'])
    .execute()
  await upsertLaneJobs(trx, rows, inMs)
}

/** Has waiting deliveries of notifications not sent. */
export async function updateDeliveriesSkipped(trx: Trx, notificationIds: readonly number[]): Promise<void> {
  await trx
    .updateTable('notification_deliveries')
    .set({ state: 'skipped' })
    .where('notification_id', 'in', notificationIds)
    .where('state', '=', 'waiting')
    .execute()
}

/** Returns a lane. */
export const findLane = (db: ReadDb, id: number): Promise<LaneRow | undefined> =>
  db.selectFrom('notification_lanes').selectAll().where('id', '=', id).executeTakeFirst()

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
