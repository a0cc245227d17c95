// SQL of notifications: recipients, rows, and the history of a user.
import { type Expression, type Insertable, type Selectable, sql, type SqlBool } from 'kysely'
import type { NotificationKind, NotifyCategory, NotifyChannel } from '#contract/entities/notification.ts'
import type { AccessType } from '#contract/entities/roles.ts'
import { kinds, operatorKinds } from './kinds.ts'
import { countRows } from '#server/db/fragments.ts'
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import { lacksFactor } from '#server/domain/account/factors-store.ts'

export type NotificationRow = Selectable<Tables['notifications']>
export type DeliveryRow = Selectable<Tables['notification_deliveries']>

/** A member that receives notifications of a project. */
export interface Recipient {
  readonly userId: number
  readonly email: string | null
}

/** Returns the members of a project with one of these roles. */
export const listRecipients = (trx: ReadDb, projectId: number, roles: readonly AccessType[]): Promise<Recipient[]> =>
  trx
    .selectFrom('project_members')
    .innerJoin('users', 'users.id', 'project_members.user_id')
    .select(['users.id as userId', 'users.email as email'])
    .where('project_members.project_id', '=', projectId)
    .where('project_members.access_type', 'in', roles)
    .orderBy('users.id')
    .execute()

/** Returns a user as a recipient. */
export const findRecipient = (trx: ReadDb, userId: number): Promise<Recipient | undefined> =>
  trx.selectFrom('users').select(['id as userId', 'email']).where('id', '=', userId).executeTakeFirst()

/** Returns the projects of a user, oldest membership first. */
export async function listProjectIds(trx: ReadDb, userId: number): Promise<number[]> {
  const rows = await trx
    .selectFrom('project_members')
    .select('project_id')
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
  return rows.map(({ project_id }) => project_id)
}

/** Inserts notifications, except those of a known fact. @returns id and user of the inserted rows */
export const insertNotifications = (trx: Trx, rows: readonly Insertable<Tables['notifications']>[]) =>
  trx
    .insertInto('notifications')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['fact', 'user_id']).doNothing())
    .returning(['id', 'user_id as userId'])
    .execute()

/** Returns the notifications of a fact, locked. */
export const lockFact = (trx: Trx, fact: string): Promise<NotificationRow[]> =>
  trx.selectFrom('notifications').selectAll().where('fact', '=', fact).orderBy('id').forUpdate().execute()

/** Removes the notifications of a fact that are still settling. @returns their number */
export async function removeUnsettled(trx: Trx, fact: string, now: string): Promise<number> {
  const rows = await trx
    .deleteFrom('notifications')
    .where('fact', '=', fact)
    .where('date_show', '>', now)
    .returning('id')
    .execute()
  return rows.length
}

/** Updates the notifications of a fact that joins several events. */
export async function updateFact(
  trx: Trx,
  fact: string,
  change: {
    readonly kind: NotificationKind
    readonly category: NotifyCategory
    readonly params: string
    /** There is news to send. */
    readonly isChange: boolean
    readonly isUnread: boolean
  },
): Promise<void> {
  const { kind, category, params, isChange, isUnread } = change
  await trx
    .updateTable('notifications')
    .set((eb) => ({
      kind,
      category,
      params,
      ...(isChange && { version: eb('version', '+', 1) }),
      ...(isUnread && { date_read: null }),
    }))
    .where('fact', '=', fact)
    .execute()
}

/** Marks the unread notifications of a fact as read. */
export async function updateFactRead(trx: Trx, fact: string, now: string): Promise<void> {
  await trx
    .updateTable('notifications')
    .set({ date_read: now })
    .where('fact', '=', fact)
    .where('date_read', 'is', null)
    .execute()
}

/** Marks the notifications of a fact as read, and gives them another identity: the fact may come again. */
export async function updateFactClosed(
  trx: Trx,
  known: string,
  { fact, params, now }: { readonly fact: string; readonly params: string; readonly now: string },
): Promise<void> {
  await trx
    .updateTable('notifications')
    .set((eb) => ({ fact, params, date_read: eb.fn.coalesce('date_read', eb.val(now)) }))
    .where('fact', '=', known)
    .execute()
}

/** Filter of the history of a user. Times as ISO 8601 text in UTC. */
export interface NotificationFilter {
  readonly userId: number
  readonly now: string
  readonly projectId?: number | undefined
  readonly kind?: NotificationKind | undefined
  readonly channel?: NotifyChannel | undefined
  readonly category?: NotifyCategory | undefined
  readonly from?: string | undefined
  /** Exclusive. */
  readonly to?: string | undefined
  readonly isRead?: boolean | undefined
}

/** Returns a page of the history of a user, newest first, and the number of rows. */
export async function listNotifications(
  db: ReadDb,
  filter: NotificationFilter,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ readonly rows: NotificationRow[]; readonly total: number }> {
  const rows = await matching(db, filter)
    .selectAll('notifications')
    .orderBy('notifications.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  return { rows, total: await countRows(matching(db, filter)) }
}

/** Returns the number of unread notifications of a user in the dashboard. */
export async function countUnread(db: ReadDb, userId: number, now: string): Promise<number> {
  return await countRows(matching(db, { userId, now, isRead: false }))
}

/** Returns a visible notification of a user. */
export const findNotification = (
  db: ReadDb,
  userId: number,
  id: number,
  now: string,
): Promise<NotificationRow | undefined> =>
  visible(db, userId, now).selectAll('notifications').where('notifications.id', '=', id).executeTakeFirst()

/** Marks unread notifications of a user as read. @param ids null: all of the dashboard @returns their number */
export async function updateRead(db: Db, userId: number, ids: readonly number[] | null, now: string): Promise<number> {
  if (ids?.length === 0) return 0
  const rows = await db
    .updateTable('notifications')
    .set({ date_read: now })
    .where('user_id', '=', userId)
    .where('in_cabinet', '=', 1)
    .where('date_read', 'is', null)
    .where('date_show', '<=', now)
    .$if(ids !== null, (query) => query.where('id', 'in', ids ?? []))
    .returning('id')
    .execute()
  return rows.length
}

/** Stores the action that a user has run, and marks the notification as read. */
export async function updateDone(db: Db | Trx, id: number, done: string, now: string): Promise<void> {
  await db
    .updateTable('notifications')
    .set((eb) => ({ done, date_read: eb.fn.coalesce('date_read', eb.val(now)) }))
    .where('id', '=', id)
    .execute()
}

/** Returns the deliveries of notifications outside the dashboard. */
export const listDeliveries = (db: ReadDb, ids: readonly number[]): Promise<DeliveryRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : db.selectFrom('notification_deliveries').selectAll().where('notification_id', 'in', ids).orderBy('id').execute()

/** Returns the open banners of a user in a project, newest first. */
export const listScreens = (db: ReadDb, userId: number, projectId: number, now: string): Promise<NotificationRow[]> =>
  db
    .selectFrom('notifications')
    .selectAll()
    .where('user_id', '=', userId)
    .where('project_id', '=', projectId)
    .where('is_screen', '=', 1)
    .where('date_show', '<=', now)
    .orderBy('id', 'desc')
    .limit(20)
    .execute()

/** Closes banners of a project: all of one user, or those of some kinds for all users. */
export async function updateScreensClosed(
  db: Db | Trx,
  projectId: number,
  which: { readonly userId: number } | { readonly kinds: readonly NotificationKind[] },
): Promise<void> {
  const open = db
    .updateTable('notifications')
    .set({ is_screen: 0 })
    .where('project_id', '=', projectId)
    .where('is_screen', '=', 1)
  const closed = 'userId' in which ? open.where('user_id', '=', which.userId) : open.where('kind', 'in', which.kinds)
  await closed.execute()
}

/** Removes the notifications that a user has received as an operator. */
export async function removeOperatorNotices(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('notifications').where('user_id', '=', userId).where('kind', 'in', operatorKinds).execute()
}

/** Removes notifications that are older than a time. @returns their number */
export async function removeOld(db: Db, before: string, limit: number): Promise<number> {
  const rows = await db
    .deleteFrom('notifications')
    .where('id', 'in', (eb) =>
      eb.selectFrom('notifications').select('id').where('date_show', '<', before).orderBy('id').limit(limit),
    )
    .returning('id')
    .execute()
  return rows.length
}

/** Kinds about one person rather than a project. */
const personalKinds = (Object.keys(kinds) as (keyof typeof kinds)[]).filter((kind) => kinds[kind].role === null)

/**
 * Settled notifications of a user in projects that the user still belongs to. Those about a project that demands a second factor
 * stay hidden while the user lacks one.
 */
const visible = (db: ReadDb, userId: number, now: string) =>
  db
    .selectFrom('notifications')
    .where('notifications.user_id', '=', userId)
    .where('notifications.date_show', '<=', now)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('project_members as member')
          .select('member.id')
          .whereRef('member.project_id', '=', 'notifications.project_id')
          .whereRef('member.user_id', '=', 'notifications.user_id'),
      ),
    )
    .where((eb) =>
      eb.or([
        eb(lacksFactor('notifications.user_id', sql.ref('notifications.project_id')), '=', 0),
        eb('notifications.kind', 'in', personalKinds),
      ]),
    )

function matching(
  db: ReadDb,
  { userId, now, projectId, kind, channel, category, from, to, isRead }: NotificationFilter,
) {
  return visible(db, userId, now).where((eb) => {
    const all: Expression<SqlBool>[] = []
    if (channel === undefined || channel === 'cabinet') all.push(eb('in_cabinet', '=', 1))
    else
      all.push(
        eb.exists(
          eb
            .selectFrom('notification_deliveries as delivery')
            .select('delivery.id')
            .whereRef('delivery.notification_id', '=', 'notifications.id')
            .where('delivery.channel', '=', channel)
            .where('delivery.date_sent', 'is not', null),
        ),
      )
    if (projectId !== undefined) all.push(eb('notifications.project_id', '=', projectId))
    if (kind !== undefined) all.push(eb('kind', '=', kind))
    if (category !== undefined) all.push(eb('category', '=', category))
    if (from !== undefined) all.push(eb('date_create', '>=', from))
    if (to !== undefined) all.push(eb('date_create', '<', to))
    if (isRead !== undefined) all.push(eb('date_read', isRead ? 'is not' : 'is', null))
    return eb.and(all)
  })
}
