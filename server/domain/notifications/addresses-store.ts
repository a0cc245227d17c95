// SQL of settings of notifications, quiet hours, and the addresses of a user: browsers and Telegram.
import type { Insertable, Selectable } from 'kysely'
import type { NotifyCategory, NotifyChannel } from '#contract/entities/notification.ts'
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

export type QuietRow = Selectable<Tables['notify_preferences']>
export type PushRow = Selectable<Tables['push_subscriptions']>
export type TelegramLinkRow = Selectable<Tables['telegram_links']>

/** Returns the settings of users in a project that differ from the defaults. */
export const listSettings = (db: ReadDb, userIds: readonly number[], projectId: number) =>
  db
    .selectFrom('notify_settings')
    .select(['user_id', 'channel', 'category', 'is_on'])
    .where('user_id', 'in', userIds)
    .where('project_id', '=', projectId)
    .execute()

/** Switches a category of a channel on or off. */
export async function upsertSetting(
  db: Db,
  cell: {
    readonly user_id: number
    readonly project_id: number
    readonly channel: NotifyChannel
    readonly category: NotifyCategory
  },
  isOn: boolean,
): Promise<void> {
  const is_on = isOn ? 1 : 0
  await db
    .insertInto('notify_settings')
    .values({ ...cell, is_on })
    .onConflict((conflict) => conflict.columns(['user_id', 'project_id', 'channel', 'category']).doUpdateSet({ is_on }))
    .execute()
}

/** Returns the users that have linked Telegram. */
export const listLinkedUsers = async (db: ReadDb, userIds: readonly number[]): Promise<number[]> =>
  (await db.selectFrom('telegram_links').select('user_id').where('user_id', 'in', userIds).execute()).map(
    ({ user_id }) => user_id,
  )

/** The subscribed browsers of sessions that have neither ended nor expired. */
const livingPush = (db: ReadDb, now: string) =>
  db
    .selectFrom('push_subscriptions')
    .innerJoin('token_families', 'token_families.id', 'push_subscriptions.family_id')
    .where('token_families.date_revoke', 'is', null)
    .where('token_families.date_max', '>', now)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('refresh_tokens')
          .select('refresh_tokens.id')
          .whereRef('refresh_tokens.family_id', '=', 'token_families.id')
          .where('refresh_tokens.date_use', 'is', null)
          .where('refresh_tokens.date_expire', '>', now),
      ),
    )

/** Returns the users that have subscribed a browser. */
export const listPushUsers = async (db: ReadDb, userIds: readonly number[], now: string): Promise<number[]> =>
  (
    await livingPush(db, now)
      .select('push_subscriptions.user_id')
      .distinct()
      .where('push_subscriptions.user_id', 'in', userIds)
      .execute()
  ).map(({ user_id }) => user_id)

/** Returns the quiet hours of a user. */
export const findQuiet = (db: ReadDb, userId: number): Promise<QuietRow | undefined> =>
  db.selectFrom('notify_preferences').selectAll().where('user_id', '=', userId).executeTakeFirst()

/** Sets the quiet hours of a user. @param quiet null: none */
export async function upsertQuiet(db: Db, userId: number, quiet: Omit<QuietRow, 'user_id'> | null): Promise<void> {
  if (quiet === null) {
    await db.deleteFrom('notify_preferences').where('user_id', '=', userId).execute()
    return
  }
  await db
    .insertInto('notify_preferences')
    .values({ user_id: userId, ...quiet })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(quiet))
    .execute()
}

/** Returns the subscribed browsers of a user, oldest first. */
export const listPush = (db: ReadDb, userId: number, now: string): Promise<PushRow[]> =>
  livingPush(db, now)
    .selectAll('push_subscriptions')
    .where('push_subscriptions.user_id', '=', userId)
    .orderBy('push_subscriptions.id')
    .execute()

/** Inserts a browser. The same browser moves to this session, from another user as the newest of this one. */
export async function upsertPush(trx: Trx, row: Insertable<Tables['push_subscriptions']>): Promise<void> {
  const { user_id, family_id, token, sealed, device } = row
  await trx.deleteFrom('push_subscriptions').where('token', '=', token).where('user_id', '!=', user_id).execute()
  await trx
    .insertInto('push_subscriptions')
    .values(row)
    .onConflict((conflict) => conflict.column('token').doUpdateSet({ user_id, family_id, sealed, device }))
    .execute()
}

/** Removes the browsers of all users. */
export async function removeAllPush(trx: Trx): Promise<void> {
  await trx.deleteFrom('push_subscriptions').execute()
}

/** Removes a browser. @param userId null: of any user */
export async function removePush(db: Db | Trx, token: string, userId: number | null): Promise<void> {
  await db
    .deleteFrom('push_subscriptions')
    .where('token', '=', token)
    .$if(userId !== null, (query) => query.where('user_id', '=', userId ?? 0))
    .execute()
}

/** Removes the oldest browsers of a user beyond a number. */
export async function removeExcessPush(trx: Trx, userId: number, max: number): Promise<void> {
  const rows = await trx
    .selectFrom('push_subscriptions')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
  const excess = rows.slice(0, Math.max(0, rows.length - max)).map(({ id }) => id)
  if (excess.length > 0) await trx.deleteFrom('push_subscriptions').where('id', 'in', excess).execute()
}

/** Returns the linked account of Telegram of a user. */
export const findTelegramLink = (db: ReadDb, userId: number): Promise<TelegramLinkRow | undefined> =>
  db.selectFrom('telegram_links').selectAll().where('user_id', '=', userId).executeTakeFirst()

/** Links a chat to a user; the chat leaves other users. */
export async function upsertTelegramLink(trx: Trx, row: TelegramLinkRow): Promise<void> {
  await trx
    .deleteFrom('telegram_links')
    .where((eb) => eb.or([eb('chat_id', '=', row.chat_id), eb('user_id', '=', row.user_id)]))
    .execute()
  await trx.insertInto('telegram_links').values(row).execute()
}

/** Removes a link. @returns the users that lost it */
export async function removeTelegramLink(
  db: Db | Trx,
  of: { readonly user_id: number } | { readonly chat_id: string },
): Promise<number[]> {
  const rows = await db
    .deleteFrom('telegram_links')
    .where((eb) => eb.and(of))
    .returning('user_id')
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** Inserts a token of a link, and removes the older ones of the user. */
export async function insertLinkToken(trx: Trx, row: Selectable<Tables['telegram_link_tokens']>): Promise<void> {
  await trx.deleteFrom('telegram_link_tokens').where('user_id', '=', row.user_id).execute()
  await trx.insertInto('telegram_link_tokens').values(row).execute()
}

/** Removes a token. @returns its user, and its end; undefined: unknown or used */
export const removeLinkToken = (trx: Trx, hash: string) =>
  trx.deleteFrom('telegram_link_tokens').where('hash', '=', hash).returningAll().executeTakeFirst()

/** Returns the user that a chat is linked to. */
export const findChatLink = (trx: ReadDb, chatId: string): Promise<TelegramLinkRow | undefined> =>
  trx.selectFrom('telegram_links').selectAll().where('chat_id', '=', chatId).executeTakeFirst()

/** Removes expired tokens of links. */
export async function removeExpiredLinkTokens(db: Db, now: string): Promise<void> {
  await db.deleteFrom('telegram_link_tokens').where('date_expire', '<', now).execute()
}

/** Returns a key of the installation, encrypted. */
export async function findServiceKey(db: ReadDb, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('service_keys').select('sealed').where('name', '=', name).executeTakeFirst()
  return row?.sealed
}

/** Inserts a key of the installation unless there is one. */
export async function insertServiceKey(db: Db, row: Selectable<Tables['service_keys']>): Promise<void> {
  await db
    .insertInto('service_keys')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Replaces a key of the installation. @returns false when another replica has replaced `known` */
export async function updateServiceKey(
  trx: Trx,
  known: string,
  { name, sealed, date_create }: Selectable<Tables['service_keys']>,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('service_keys')
    .set({ sealed, date_create })
    .where('name', '=', name)
    .where('sealed', '=', known)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
