// Moderation: deletes messages and restricts authors at platforms, hides both here, and keeps a log.
import type { ChatSendReason } from '#server/core/chat-errors.ts'
import { ChatSendError } from '#server/core/chat-errors.ts'
import { iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import type { Trx } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import type { BroadcastRow } from '#server/domain/broadcasts/store.ts'
import { lockChat, publishChat, storeChat } from './changes.ts'
import type { ChatCaller } from './callers.ts'
import { eraseMessages } from './erase.ts'
import { hideAuthor, hideMessage } from './hide.ts'
import { getMessage } from './list.ts'
import { findMessage, lockHeads, type MessageRow } from './messages-store.ts'
import { chatsOfBroadcast, type ProjectChat } from './places.ts'
import type { MessageBody } from './present.ts'
import { listTargets } from './sends-store.ts'
import { type ActRow, findRestriction, insertAct } from './settings-store.ts'

/** Result of a deletion at one restream. */
export interface Removal {
  readonly restream_id: number
  /** `here`: the platform has no such command. `failed`: it refused. The message is deleted here in each case. */
  readonly done: 'platform' | 'here' | 'failed'
  readonly error?: string
}

/** Deletes a message here, and at the platforms that can. Idempotent. @throws RuleError `MessageNotFound` */
export async function deleteMessage(
  services: Services,
  caller: ChatCaller,
  broadcast: BroadcastRow,
  eventId: string,
): Promise<Removal[]> {
  const done = await transaction(services.db, async (trx) => {
    const chat = await lockChat(trx, broadcast.id)
    // Read under the lock: a row read before may have the name of an author that is forgotten since.
    const found = await getMessage({ db: trx }, { isMember: true }, broadcast.id, eventId)
    if (found.date_delete !== null) return null
    await eraseMessages(trx, chat, [found], iso(services.clock.now()))
    await storeChat(trx, chat)
    return { row: found, chat }
  })
  if (!done) return []
  const { row } = done
  publishChat(services, done.chat)
  const chats = await chatsOfBroadcast(services, services.db, broadcast)
  const at = row.is_outgoing === 1 ? await listTargets(services.db, [eventId]) : [row]
  const results = await Promise.all(at.map((one) => removeAt(services, chats, one)))
  const error = results.find((result) => result.error !== undefined)?.error ?? null
  await transaction(services.db, (trx) => record(services, trx, { caller, broadcast, row, act: 'delete', error }))
  return results
}

async function removeAt(
  services: Services,
  chats: readonly ProjectChat[],
  { restream_id, platform_id }: { readonly restream_id: number | null; readonly platform_id: string | null },
): Promise<Removal> {
  const chat = chats.find(({ restreamId }) => restreamId === restream_id)
  const of = { restream_id: restream_id ?? 0 }
  if (!chat?.place || !chat.capability.delete || platform_id === null) return { ...of, done: 'here' }
  const { place } = chat
  const error = await attempt(services, () => services.chat.remove(place, platform_id))
  // A message that is gone there is deleted.
  return error === null || error === 'gone' ? { ...of, done: 'platform' } : { ...of, done: 'failed', error }
}

/** Runs a command. @returns why the platform refused; null: done */
async function attempt(services: Services, command: () => Promise<unknown>): Promise<ChatSendReason | null> {
  try {
    await command()
    return null
  } catch (error) {
    if (error instanceof ChatSendError) return error.reason
    services.log.warn({ err: error }, 'A command of a chat failed')
    return 'unknown'
  }
}

/** An act: of a message or of an author. */
export interface ChatAct {
  readonly act: 'timeout' | 'untimeout' | 'ban' | 'unban' | 'hide' | 'show'
  readonly eventId: string | null
  readonly restreamId: number | null
  readonly senderId: string | null
  /** Length of a timeout. */
  readonly seconds: number
}

/**
 * Moderates a message or an author. Idempotent.
 * @returns the end of a timeout, ISO 8601
 * @throws RuleError `MessageNotFound`, `SenderMissing`, `CannotModerate`; ChatSendError when the platform refused
 */
export async function moderateChat(
  services: Services,
  caller: ChatCaller,
  broadcast: BroadcastRow,
  act: ChatAct,
): Promise<{ readonly until: string | null }> {
  const row = act.eventId === null ? null : await getMessage(services, { isMember: true }, broadcast.id, act.eventId)
  const restreamId = row?.restream_id ?? act.restreamId
  const senderId = row ? row.author_id : act.senderId
  const of = { caller, broadcast, row, act: act.act, restreamId, senderId }
  if (act.act === 'hide' || act.act === 'show') {
    await (row
      ? hideMessage(services, broadcast, row.event_id, act.act === 'hide')
      : hideAuthor(services, broadcast, { restreamId, senderId, isHidden: act.act === 'hide' }))
    await transaction(services.db, (trx) => record(services, trx, { ...of, error: null }))
    return { until: null }
  }
  return restrict(services, { ...of, seconds: act.seconds, act: act.act })
}

interface Restriction {
  readonly caller: ChatCaller
  readonly broadcast: BroadcastRow
  readonly row: MessageRow | null
  readonly act: 'timeout' | 'untimeout' | 'ban' | 'unban'
  readonly restreamId: number | null
  readonly senderId: string | null
  readonly seconds: number
}

async function restrict(services: Services, of: Restriction): Promise<{ readonly until: string | null }> {
  const { act, restreamId, senderId, seconds } = of
  if (restreamId === null || senderId === null) throw new RuleError('SenderMissing')
  const chats = await chatsOfBroadcast(services, services.db, of.broadcast)
  const chat = chats.find((one) => one.restreamId === restreamId)
  const isTimed = act === 'timeout' || act === 'untimeout'
  const { restricts = 'none', timeout_max = null } = chat?.capability ?? {}
  const place = chat?.place
  if (!place || restricts === 'none' || (isTimed && restricts !== 'timeout'))
    throw new RuleError('CannotModerate', {
      reason: chat?.capability.needs ?? 'unsupported',
    })
  const length = Math.min(seconds, timeout_max ?? seconds)
  let liftId: string | null = null
  const error = await attempt(services, async () => {
    if (act === 'ban' || act === 'timeout') {
      const done = await services.chat.restrict(place, senderId, act === 'ban' ? null : length)
      liftId = done.liftId ?? null
      return
    }
    const last = await findRestriction(services.db, restreamId, senderId)
    await services.chat.lift(place, senderId, last?.lift_id ?? undefined)
  })
  const timed = act === 'timeout' ? length : null
  await transaction(services.db, (trx) => record(services, trx, { ...of, error, seconds: timed, liftId }))
  if (error !== null) throw new ChatSendError(error, 'The platform refused')
  return { until: timed === null ? null : iso(later(services.clock.now(), timed * 1000)) }
}

async function record(
  { clock }: Services,
  trx: Trx,
  of: Omit<Restriction, 'act' | 'seconds' | 'restreamId' | 'senderId'> & {
    readonly act: ActRow['act']
    readonly error: string | null
    readonly seconds?: number | null
    readonly restreamId?: number | null
    readonly senderId?: string | null
    readonly liftId?: string | null
  },
): Promise<void> {
  const { caller, broadcast } = of
  if (of.row) await lockHeads(trx, [broadcast.id])
  // Read again: the author may be forgotten since the act began.
  const row = of.row && ((await findMessage(trx, broadcast.id, of.row.event_id)) ?? of.row)
  const body = row && (JSON.parse(row.body) as MessageBody)
  await insertAct(trx, {
    broadcast_id: broadcast.id,
    restream_id: of.restreamId ?? row?.restream_id ?? null,
    author_id: row ? row.author_id : (of.senderId ?? null),
    author_name: body?.sender.name ?? '',
    event_id: row?.event_id ?? null,
    act: of.act,
    seconds: of.seconds ?? null,
    user_id: caller.userId,
    key_id: caller.userId === null ? caller.keyId : null,
    lift_id: of.liftId ?? null,
    error: of.error,
    date_create: iso(clock.now()),
  })
}
