// Messages that were sent from here and come back from the platform: they belong to the sent message and are no new rows.
import type { PlatformMessage } from '#server/core/chat.ts'
import { iso, later } from '#server/core/clock.ts'
import type { Trx } from '#server/db/open.ts'
import { type ChatWriter, lockChat, storeChat } from './changes.ts'
import { eraseMessages } from './erase.ts'
import { listByPlatformKey, updateMessages, upsertCount } from './messages-store.ts'
import { presentTarget } from './present.ts'
import type { Feed } from './readers-store.ts'
import { findTarget, listTargetsByKey, listTargetsWithoutId, type TargetRow, updateTarget } from './sends-store.ts'
import { plain } from './texts.ts'

/** Time in which a message without an id may come back, milliseconds. */
const ownMs = 60_000

/**
 * Assigns messages of the own account to sent messages with the same text and no id yet, oldest first. Removes them from
 * `messages`.
 * @param of `messages` by platform key
 */
export async function matchOwn(
  trx: Trx,
  chat: ChatWriter,
  of: { readonly now: Date; readonly feed: Feed; readonly messages: Map<string, PlatformMessage> },
): Promise<void> {
  const own = [...of.messages].filter(([, message]) => message.own)
  if (own.length === 0) return
  const open = await listTargetsWithoutId(trx, chat.id, of.feed.restream_id, iso(later(of.now, -ownMs)))
  for (const [key, message] of own) {
    const at = open.findIndex(({ text }) => sameText(text, message.text))
    const target = at === -1 ? undefined : open.splice(at, 1)[0]
    if (!target) continue
    of.messages.delete(key)
    const platform_id = plain(message.id)
    const found = { state: 'delivered', platform_id, platform_key: key, error: null, retry_after: null } as const
    await changeTarget(trx, chat, target, { ...found, date_update: iso(of.now) })
  }
}

const sameText = (a: string, b: string): boolean => squeezed(a) === squeezed(b)
const squeezed = (text: string): string => plain(text).replaceAll(/\s+/g, ' ').trim()

/** Changes the outcome of a sent message at a restream. */
export async function changeTarget(
  trx: Trx,
  chat: ChatWriter,
  target: TargetRow,
  change: Partial<TargetRow>,
): Promise<void> {
  const { event_id } = target
  const rev = chat.next()
  await updateTarget(trx, target, change)
  await updateMessages(trx, [{ event_id, rev }], {})
  chat.changes.push({ action: 'delivered', event_id, restreams: [presentTarget({ ...target, ...change })], rev })
}

/** Outcome of a send, as the platform reported it. */
export interface Outcome {
  readonly state: 'delivered' | 'failed' | 'unknown'
  readonly platform_id: string | null
  readonly platform_key: string | null
  readonly error: string | null
  readonly retry_after: number | null
}

/**
 * Stores the outcome of a send. A message that came back under the same id before the outcome is deleted: it stays as a hidden row,
 * so that clients read its deletion.
 * @returns the chat, to publish
 */
export async function recordOutcome(
  trx: Trx,
  of: Pick<TargetRow, 'event_id' | 'restream_id' | 'broadcast_id'>,
  outcome: Outcome,
  now: Date,
): Promise<ChatWriter> {
  const { broadcast_id, restream_id } = of
  const chat = await lockChat(trx, broadcast_id)
  const target = await findTarget(trx, of.event_id, restream_id)
  if (!target) return chat
  const key = outcome.platform_key
  if (key !== null) {
    const returned = await listByPlatformKey(trx, broadcast_id, [key])
    if (returned.length > 0) {
      await updateMessages(trx, returned, { hidden: 'own', platform_key: null })
      await eraseMessages(trx, chat, returned, iso(now))
      chat.head.total -= returned.length
      await upsertCount(trx, { restream_id, broadcast_id, received: -returned.length, skipped: 0 })
    }
    // Two messages with the same text may come back in another order than they were sent.
    for (const other of await listTargetsByKey(trx, broadcast_id, [key]))
      if (other.event_id !== target.event_id || other.restream_id !== target.restream_id)
        await updateTarget(trx, other, { platform_id: null, platform_key: null })
  }
  // The message came back already: a lost response does not make it unknown again.
  const isKnown = target.platform_key !== null && outcome.state !== 'failed' && key === null
  const change = isKnown ? { state: 'delivered' as const } : outcome
  await changeTarget(trx, chat, target, { ...change, date_update: iso(now) })
  await storeChat(trx, chat)
  return chat
}
