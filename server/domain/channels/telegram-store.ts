// SQL of Telegram chats that belong to channels, and of their posts.
import type { Selectable } from 'kysely'
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

export type ChatRow = Selectable<Tables['telegram_chats']>
export type PostRow = Selectable<Tables['telegram_posts']>

/** Returns the chat of a channel, or its pending code. */
export const findChat = (db: ReadDb, channelId: number): Promise<ChatRow | undefined> =>
  db.selectFrom('telegram_chats').selectAll().where('channel_id', '=', channelId).executeTakeFirst()

/** Inserts or updates a chat. */
export async function upsertChat(trx: Trx, { channel_id, ...chat }: ChatRow): Promise<void> {
  await trx
    .insertInto('telegram_chats')
    .values({ channel_id, ...chat })
    .onConflict((conflict) => conflict.column('channel_id').doUpdateSet(chat))
    .execute()
}

/** Updates the chat of a channel. */
export async function updateChat(trx: Trx, channelId: number, change: Partial<ChatRow>): Promise<void> {
  await trx.updateTable('telegram_chats').set(change).where('channel_id', '=', channelId).execute()
}

/** Removes the chat of a channel, and its posts when no other channel uses it. */
export async function removeChat(trx: Trx, { channel_id, chat_id }: ChatRow): Promise<void> {
  await trx.deleteFrom('telegram_chats').where('channel_id', '=', channel_id).execute()
  if (chat_id !== null && !(await hasChat(trx, chat_id))) {
    await trx.deleteFrom('telegram_posts').where('chat_id', '=', chat_id).execute()
  }
}

/** Returns whether a channel uses a chat. */
export async function hasChat(db: ReadDb, chatId: string): Promise<boolean> {
  const query = db.selectFrom('telegram_chats').select('channel_id').where('chat_id', '=', chatId).limit(1)
  return (await query.executeTakeFirst()) !== undefined
}

/** Returns a connected chat by its id; the oldest channel's, when several use it. */
export const findConnectedChat = (db: ReadDb, chatId: string): Promise<ChatRow | undefined> =>
  db.selectFrom('telegram_chats').selectAll().where('chat_id', '=', chatId).orderBy('channel_id').executeTakeFirst()

/** Returns the chat whose pending code has this hash. */
export const findByCode = (db: ReadDb, hash: string, since: string): Promise<ChatRow | undefined> =>
  db
    .selectFrom('telegram_chats')
    .selectAll()
    .where('code_hash', '=', hash)
    .where('date_update', '>', since)
    .executeTakeFirst()

/** Returns the posts of a chat, newest first. */
export const listPosts = (db: ReadDb, chatId: string, limit: number): Promise<PostRow[]> =>
  db
    .selectFrom('telegram_posts')
    .selectAll()
    .where('chat_id', '=', chatId)
    .orderBy('message_id', 'desc')
    .limit(limit)
    .execute()

/** Inserts a post, or updates an edited one. */
export async function upsertPost(trx: Trx, post: Omit<PostRow, 'id' | 'pinned' | 'thread_id'>): Promise<void> {
  const { text, attachments } = post
  await trx
    .insertInto('telegram_posts')
    .values({ ...post, pinned: 0 })
    .onConflict((conflict) => conflict.columns(['chat_id', 'message_id']).doUpdateSet({ text, attachments }))
    .execute()
}

/** Updates the pinned post of a chat. */
export async function updatePinnedPost(trx: Trx, chatId: string, messageId: number): Promise<void> {
  await trx.updateTable('telegram_posts').set({ pinned: 0 }).where('chat_id', '=', chatId).execute()
  await trx
    .updateTable('telegram_posts')
    .set({ pinned: 1 })
    .where('chat_id', '=', chatId)
    .where('message_id', '=', messageId)
    .execute()
}

/** Row of the offset. */
const only = 1

/** Returns the id of the next update to read. */
export async function findNextUpdate(db: ReadDb): Promise<number> {
  const row = await db.selectFrom('telegram_offsets').select('next_update').where('id', '=', only).executeTakeFirst()
  return row?.next_update ?? 0
}

/** Saves the id of the next update to read. */
export async function upsertNextUpdate(trx: Trx, next_update: number): Promise<void> {
  await trx
    .insertInto('telegram_offsets')
    .values({ id: only, next_update })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ next_update }))
    .execute()
}

/** Saves the discussion group of a chat. */
export async function updateDiscussion(db: Db | Trx, chatId: string, discussionId: string): Promise<void> {
  await db.updateTable('telegram_chats').set({ discussion_id: discussionId }).where('chat_id', '=', chatId).execute()
}

/** Saves under which message of the discussion group the comments of a post are. */
export async function updatePostThread(
  trx: Trx,
  { chatId, messageId, threadId }: { readonly chatId: string; readonly messageId: number; readonly threadId: number },
): Promise<void> {
  await trx
    .updateTable('telegram_posts')
    .set({ thread_id: threadId })
    .where('chat_id', '=', chatId)
    .where('message_id', '=', messageId)
    .execute()
}
