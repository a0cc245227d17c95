// Sends messages to platforms. The row is stored before the first call, each restream gets a message at most once, and an
// unknown outcome is never repeated.
import { createHash, randomUUID } from 'node:crypto'
import type { ChatMessage, ChatSender } from '#contract/entities/chat-message.ts'
import { iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { ForbiddenError, RateLimitedError, RuleError } from '#server/core/errors.ts'
import type { ReadDb, Trx } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import type { BroadcastRow } from '#server/domain/broadcasts/store.ts'
import { getUserName } from '#server/domain/projects/store.ts'
import { nameOf } from '#server/domain/projects/team-rules.ts'
import { lockChat, publishChat, storeChat } from './changes.ts'
import type { ChatCaller } from './callers.ts'
import { findMessage, insertMessages, type MessageRow } from './messages-store.ts'
import { changeTarget } from './own-messages.ts'
import { chatsOfBroadcast, type ProjectChat } from './places.ts'
import { presentMessages } from './present.ts'
import {
  countSends,
  findSend,
  findTarget,
  insertSend,
  insertTargets,
  listTargets,
  type TargetRow,
} from './sends-store.ts'
import { type SendJob, settleWithin } from './settle.ts'
import { folded, plain } from './texts.ts'

/** Sends of a user or key in a window. */
const rate = { messages: 30, seconds: 30 }

/** A message to send. */
export interface ChatSend {
  /** Id of the client. */
  readonly id: string
  readonly text: string
  /** Null or empty: every chat that can be written to. */
  readonly restreams: readonly number[] | null
  /** Id of the message that this one answers. */
  readonly replyTo: string | null
}

/**
 * Sends a message, or returns the message that was sent under the same id with the same content.
 * @returns the message with its outcomes after at most 5 seconds
 * @throws RuleError `MessageIdReused`, `BroadcastIsOver`, `TextEmpty`, `NoChatToWrite`, `RestreamNotFound`, `MessageNotFound`;
 * RateLimitedError
 */
export async function sendMessage(
  services: Services,
  caller: ChatCaller,
  broadcast: BroadcastRow,
  send: ChatSend,
): Promise<ChatMessage> {
  const text = plain(send.text).trim()
  if (text === '') throw new RuleError('TextEmpty')
  const sender = caller.userId === null ? `key ${caller.keyId}` : `user ${caller.userId}`
  const chats = await chatsOfBroadcast(services, services.db, broadcast)
  const stored = await transaction(services.db, async (trx) => {
    const locked = await lockChat(trx, broadcast.id)
    const content_hash = hashOf(broadcast.id, { ...send, text })
    const known = await findSend(trx, caller.projectId, plain(send.id))
    if (known) return { eventId: getSame(known, content_hash), jobs: [], chat: null }
    if (broadcast.date_end !== null) throw new RuleError('BroadcastIsOver')
    await limit(services, trx, sender)
    const now = iso(services.clock.now())
    const replied = send.replyTo === null ? null : await findReplied(trx, broadcast.id, send.replyTo)
    const targets = targetsOf(chats, send, { text, now, broadcastId: broadcast.id })
    const row = await rowOf(trx, { caller, sender, text, now, broadcast, seq: locked.next(), replyTo: send.replyTo })
    await insertMessages(trx, [row])
    await insertSend(trx, {
      event_id: row.event_id,
      project_id: caller.projectId,
      client_id: plain(send.id),
      content_hash,
      sender,
      date_create: now,
    })
    await insertTargets(
      trx,
      targets.map(({ target }) => ({ ...target, event_id: row.event_id })),
    )
    locked.head.total++
    locked.head.date_oldest ??= now
    await storeChat(trx, locked)
    const [message] = await presentMessages(services, trx, [row])
    if (message) locked.changes.push({ action: 'create', ...message })
    const jobs = targets.flatMap(({ chat, target }) =>
      target.state === 'sending' && chat.place
        ? [
            {
              target: { ...target, event_id: row.event_id },
              place: chat.place,
              text,
              replyTo: replied?.get(target.restream_id),
              attempt: 1,
            },
          ]
        : [],
    )
    return { eventId: row.event_id, jobs, chat: locked }
  })
  if (stored.chat) publishChat(services, stored.chat)
  await settleWithin(services, stored.jobs)
  return read(services, broadcast.id, stored.eventId)
}

/**
 * Sends a message again to a restream that refused it.
 * @throws RuleError `MessageNotFound`, `NotFailed` for another state, `BroadcastIsOver`, `CannotWrite`
 */
export async function sendAgain(
  services: Services,
  broadcast: BroadcastRow,
  { eventId, restreamId }: { readonly eventId: string; readonly restreamId: number },
): Promise<ChatMessage> {
  const chats = await chatsOfBroadcast(services, services.db, broadcast)
  const place = chats.find((chat) => chat.restreamId === restreamId && chat.capability.send)?.place
  const { job, changed } = await transaction(services.db, async (trx) => {
    const locked = await lockChat(trx, broadcast.id)
    const message = await findMessage(trx, broadcast.id, eventId)
    const target = await findTarget(trx, eventId, restreamId)
    if (!message || !target) throw new RuleError('MessageNotFound')
    if (target.state !== 'failed' || message.date_delete !== null) throw new RuleError('NotFailed')
    if (broadcast.date_end !== null) throw new RuleError('BroadcastIsOver')
    if (!place) throw new RuleError('CannotWrite')
    const attempt = target.attempt + 1
    const date_update = iso(services.clock.now())
    await changeTarget(trx, locked, target, { state: 'sending', error: null, retry_after: null, attempt, date_update })
    await storeChat(trx, locked)
    const replied =
      message.reply_event_id === null ? null : await findReplied(trx, broadcast.id, message.reply_event_id)
    const next: SendJob = { target, place, text: message.text, replyTo: replied?.get(restreamId), attempt }
    return { job: next, changed: locked }
  })
  publishChat(services, changed)
  await settleWithin(services, [job])
  return read(services, broadcast.id, eventId)
}

async function read(services: Services, broadcastId: number, eventId: string): Promise<ChatMessage> {
  const row = await findMessage(services.db, broadcastId, eventId)
  const [message] = row ? await presentMessages(services, services.db, [row]) : []
  if (!message) throw new ForbiddenError()
  return message
}

const hashOf = (broadcastId: number, { text, restreams, replyTo }: ChatSend): string =>
  createHash('sha256')
    .update(JSON.stringify([broadcastId, text, (restreams ?? []).toSorted((a, b) => a - b), replyTo]))
    .digest('base64url')

/** @throws RuleError `MessageIdReused` */
function getSame(known: { readonly event_id: string; readonly content_hash: string }, contentHash: string): string {
  if (known.content_hash === contentHash) return known.event_id
  throw new RuleError('MessageIdReused')
}

/** @throws RateLimitedError */
async function limit({ clock }: Services, trx: Trx, sender: string): Promise<void> {
  const since = iso(later(clock.now(), -rate.seconds * 1000))
  if ((await countSends(trx, sender, since)) >= rate.messages) throw new RateLimitedError(rate.seconds)
}

/** Returns the platform's ids of the answered message, by restream. @throws RuleError `MessageNotFound` */
async function findReplied(trx: ReadDb, broadcastId: number, eventId: string): Promise<Map<number, string>> {
  const message = await findMessage(trx, broadcastId, eventId)
  if (!message) throw new RuleError('MessageNotFound')
  const at: readonly { restream_id: number | null; platform_id: string | null }[] =
    message.is_outgoing === 1 ? await listTargets(trx, [eventId]) : [message]
  return new Map(
    at.flatMap(({ restream_id, platform_id }) =>
      restream_id === null || platform_id === null ? [] : [[restream_id, platform_id] as const],
    ),
  )
}

/**
 * Returns the chats to write to, each once. Chosen ones that cannot be written to have failed from the beginning.
 * @throws RuleError `NoChatToWrite`, `RestreamNotFound`
 */
function targetsOf(
  chats: readonly ProjectChat[],
  { restreams }: ChatSend,
  { text, now, broadcastId }: { readonly text: string; readonly now: string; readonly broadcastId: number },
) {
  const chosen = new Set(restreams ?? [])
  const all = chats.filter(({ restreamId, capability }) =>
    chosen.size === 0 ? capability.send : restreamId !== null && chosen.has(restreamId),
  )
  const unknown = [...chosen].find((id) => !all.some(({ restreamId }) => restreamId === id))
  if (unknown !== undefined) throw new RuleError('RestreamNotFound', { restream_id: unknown })
  if (all.length === 0) throw new RuleError('NoChatToWrite')
  const written = new Set<string>()
  return all.flatMap((chat) => {
    const { capability } = chat
    const error = !capability.send
      ? (capability.needs ?? 'unsupported')
      : Array.from(text).length > capability.text_max
        ? 'too_long'
        : null
    // Several channels may have one chat, which gets the message once.
    const source = chat.place?.source
    if (error === null && source !== undefined && written.has(source)) return []
    if (error === null && source !== undefined) written.add(source)
    const target = {
      restream_id: chat.restreamId ?? 0,
      broadcast_id: broadcastId,
      platform: chat.place?.platform ?? (capability.platform as TargetRow['platform']),
      state: error === null ? ('sending' as const) : ('failed' as const),
      platform_id: null,
      platform_key: null,
      error,
      retry_after: null,
      attempt: 1,
      date_update: now,
    }
    return [{ chat, target }]
  })
}

async function rowOf(
  trx: ReadDb,
  of: {
    readonly caller: ChatCaller
    readonly sender: string
    readonly text: string
    readonly now: string
    readonly broadcast: BroadcastRow
    readonly seq: number
    readonly replyTo: string | null
  },
): Promise<MessageRow> {
  const { caller, text, now } = of
  const name = caller.userId === null ? caller.keyName : nameOf(await getUserName(trx, caller.userId))
  const sender: ChatSender = { id: of.sender, name: plain(name), badges: [], roles: [] }
  return {
    broadcast_id: of.broadcast.id,
    seq: of.seq,
    rev: of.seq,
    event_id: randomUUID(),
    restream_id: null,
    platform: '',
    platform_id: null,
    platform_key: null,
    author_id: sender.id,
    kind: 'message',
    text,
    folded: folded(text, sender.name),
    body: JSON.stringify({ entities: [{ type: 'text', text }], sender, paid: null }),
    reply_event_id: of.replyTo,
    reply_id: null,
    is_outgoing: 1,
    is_late: 0,
    hidden: null,
    date_create: now,
    date_store: now,
    date_delete: null,
  }
}
