// Messages that were sent from here and come back from the platform: they belong to the sent message and are no new rows.
import type { ChatChange } from '#contract/events/chat.ts'
import type { PlatformMessage } from '#server/core/chat.ts'
import { iso, later } from '#server/core/clock.ts'
import type { Trx } from '#server/db/open.ts'
import { listByPlatformKey, lockHeads, removeMessage, updateHead, upsertCount } from './messages-store.ts'
import { presentTarget } from './present.ts'
import type { Feed } from './readers-store.ts'
import { findTarget, listTargetsByKey, listTargetsWithoutId, type TargetRow, updateTarget } from './sends-store.ts'
import { clearGoneStar } from './star.ts'
import { plain } from './texts.ts'

/** Time in which a message without an id may come back, milliseconds. */
const ownMs = 60_000

/**
 * Assigns messages of the own account to sent messages with the same text and no id yet, oldest first. Removes them from
 * `messages`.
 * @param of `messages` by platform key
 * @returns the changes to publish
 */
export async function matchOwn(
  trx: Trx,
  of: { readonly now: Date; readonly feed: Feed; readonly messages: Map<string, PlatformMessage> },
): Promise<ChatChange[]> {
  const own = [...of.messages].filter(([, message]) => message.own)
  if (own.length === 0) return []
  const { broadcast_id, restream_id } = of.feed
  const open = await listTargetsWithoutId(trx, broadcast_id, restream_id, iso(later(of.now, -ownMs)))
  const changes: ChatChange[] = []
  for (const [key, message] of own) {
    const at = open.findIndex(({ text }) => sameText(text, message.text))
    const target = at === -1 ? undefined : open.splice(at, 1)[0]
    if (!target) continue
    of.messages.delete(key)
    changes.push(await settle(trx, target, { platform_id: plain(message.id), platform_key: key, at: of.now }))
  }
  return changes
}

const sameText = (a: string, b: string): boolean => squeezed(a) === squeezed(b)
const squeezed = (text: string): string => plain(text).replaceAll(/\s+/g, ' ').trim()

async function settle(
  trx: Trx,
  target: TargetRow,
  { platform_id, platform_key, at }: { readonly platform_id: string; readonly platform_key: string; readonly at: Date },
): Promise<ChatChange> {
  const change = {
    state: 'delivered',
    platform_id,
    platform_key,
    error: null,
    retry_after: null,
    date_update: iso(at),
  } as const
  await updateTarget(trx, target, change)
  return delivered({ ...target, ...change })
}

const delivered = (target: TargetRow): ChatChange => ({
  action: 'delivered',
  event_id: target.event_id,
  restreams: [presentTarget(target)],
})

/** Outcome of a send, as the platform reported it. */
export interface Outcome {
  readonly state: 'delivered' | 'failed' | 'unknown'
  readonly platform_id: string | null
  readonly platform_key: string | null
  readonly error: string | null
  readonly retry_after: number | null
}

/**
 * Stores the outcome of a send. A message that came back under the same id before the outcome is removed.
 * @returns the changes to publish
 */
export async function recordOutcome(
  trx: Trx,
  of: Pick<TargetRow, 'event_id' | 'restream_id' | 'broadcast_id'>,
  outcome: Outcome,
  now: Date,
): Promise<ChatChange[]> {
  const { broadcast_id, restream_id } = of
  const [head] = await lockHeads(trx, [broadcast_id])
  const target = await findTarget(trx, of.event_id, restream_id)
  if (!head || !target) return []
  const key = outcome.platform_key
  const changes: ChatChange[] = []
  if (key !== null) {
    for (const { event_id } of await listByPlatformKey(trx, broadcast_id, [key])) {
      await removeMessage(trx, event_id)
      await updateHead(trx, broadcast_id, { total: head.total - 1 })
      await upsertCount(trx, { restream_id, broadcast_id, received: -1, skipped: 0 })
      changes.push({ action: 'deleted', event_id, last_seq: head.seq }, ...(await clearGoneStar(trx, broadcast_id)))
    }
    // Two messages with the same text may come back in another order than they were sent.
    for (const other of await listTargetsByKey(trx, broadcast_id, [key]))
      if (other.event_id !== target.event_id || other.restream_id !== target.restream_id)
        await updateTarget(trx, other, { platform_id: null, platform_key: null })
  }
  // The message came back already: a lost response does not make it unknown again.
  const isKnown = target.platform_key !== null && outcome.state !== 'failed' && key === null
  const change = { ...(isKnown ? { state: 'delivered' as const } : outcome), date_update: iso(now) }
  await updateTarget(trx, target, change)
  return [...changes, delivered({ ...target, ...change })]
}
