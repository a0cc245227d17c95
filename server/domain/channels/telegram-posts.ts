// The post of a Telegram channel whose comments belong to a broadcast.
import type { ReadDb } from '#server/db/open.ts'
import { type ChatRow, listPosts, type PostRow } from './telegram-store.ts'

/** Choice of a post: the newest, the pinned one, one by its id, or one by its link. */
export interface PostChoice {
  /** 0 newest, 1 pinned, 2 `messageId`, 3 `link`. */
  readonly mode: 0 | 1 | 2 | 3
  readonly messageId?: number | undefined
  readonly link?: string | undefined
}

/** Posts that a user can choose from. */
export const postsMax = 50

/** Returns the choice of a chat. */
export const choiceOf = ({ filter_mode, message_id, link }: ChatRow): PostChoice => ({
  mode: filter_mode as PostChoice['mode'],
  messageId: message_id ?? undefined,
  link,
})

/** Returns the chosen post. @param posts newest first */
export function postBy(posts: readonly PostRow[], { mode, messageId, link }: PostChoice): PostRow | undefined {
  if (mode === 0) return posts[0]
  if (mode === 1) return posts.find(({ pinned }) => pinned === 1)
  const wanted = mode === 2 ? messageId : messageIn(link)
  return posts.find(({ message_id }) => message_id === wanted)
}

/** Returns the number at the end of `https://t.me/name/12`; null without one. */
export function messageIn(link: string | undefined): number | null {
  const number = /\/(\d{1,9})(?:\?.*)?$/.exec(link ?? '')?.[1]
  return number === undefined ? null : Number(number)
}

/** Returns the message of the discussion group under which the comments of the chosen post are; null when unknown. */
export async function findThread(db: ReadDb, row: ChatRow): Promise<number | null> {
  if (row.chat_id === null || row.chat_id === row.discussion_id) return null
  return postBy(await listPosts(db, row.chat_id, postsMax), choiceOf(row))?.thread_id ?? null
}
