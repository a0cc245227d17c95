// Chat gateway over HTTP.
import { chat } from '#contract/areas/chat/chat.ts'
import { implement } from '#server/core/implement.ts'
import { anyCallerOf, callerOf, countSearch, mustCommand, mustWrite } from '#server/domain/chat/callers.ts'
import { readChatKey } from '#server/domain/chat/keys.ts'
import { getMessage, readChanges, readMessages } from '#server/domain/chat/list.ts'
import { deleteMessage } from '#server/domain/chat/moderate.ts'
import { chatsOfBroadcast, chatsOfProject } from '#server/domain/chat/places.ts'
import { withQuota } from '#server/domain/chat/quota.ts'
import { presentMessages } from '#server/domain/chat/present.ts'
import { publishSample } from '#server/domain/chat/sample.ts'
import { sendAgain, sendMessage } from '#server/domain/chat/send.ts'
import { readSettings } from '#server/domain/chat/settings.ts'
import { getCounters } from '#server/domain/chat/messages-store.ts'
import { watchChat } from '#server/domain/chat/wanted.ts'

export const chatRoutes = implement(chat, {
  messages: async ({ restream_id: restreamId, key, broadcast_id, ...search }, ctx) => {
    const { caller, broadcast } = await callerOf(ctx, { key, broadcast_id })
    if (search.q !== undefined) countSearch(ctx, caller)
    return readMessages(ctx, caller, broadcast.id, { ...search, restreamId }, ctx.gone)
  },

  changes: async ({ key, broadcast_id, ...page }, ctx) => {
    const { broadcast } = await callerOf(ctx, { key, broadcast_id })
    return readChanges(ctx, broadcast.id, page)
  },

  send: async ({ key, broadcast_id, id, text, restreams, reply_to }, ctx) => {
    const { caller, broadcast } = await callerOf(ctx, { key, broadcast_id })
    mustWrite(caller)
    const send = { id, text, restreams: restreams ?? null, replyTo: reply_to ?? null }
    return sendMessage(ctx, caller, broadcast, send)
  },

  again: async ({ key, broadcast_id, event_id: eventId, restream_id: restreamId }, ctx) => {
    const { caller, broadcast } = await callerOf(ctx, { key, broadcast_id })
    mustCommand(ctx, caller)
    return sendAgain(ctx, broadcast, { eventId, restreamId })
  },

  remove: async ({ event_id, ...of }, ctx) => {
    const { caller, broadcast } = await callerOf(ctx, of)
    mustCommand(ctx, caller)
    return { success: true, results: await deleteMessage(ctx, caller, broadcast, event_id) }
  },

  message: async ({ event_id, ...of }, ctx) => {
    const { caller, broadcast } = await callerOf(ctx, of)
    const row = await getMessage(ctx, caller, broadcast.id, event_id)
    const [message] = await presentMessages(ctx, ctx.db, [row])
    if (!message) throw new Error(`Message ${event_id} has no presentation`)
    return message
  },

  key: async ({ project_id }, ctx) => ({ key: await readChatKey(ctx, project_id) }),

  capabilities: async (of, ctx) => {
    const { caller, broadcast } = await anyCallerOf(ctx, of)
    const isOnAir = broadcast !== null && broadcast.date_end === null
    // Off air, what the next broadcast would have.
    const chats =
      broadcast && (isOnAir || of.broadcast_id !== undefined)
        ? await chatsOfBroadcast(ctx, ctx.db, broadcast)
        : await chatsOfProject(ctx, ctx.db, caller.projectId)
    const { starred, star_rev } = await getCounters(ctx.db, broadcast?.id ?? 0)
    const { hold_back } = await readSettings(ctx, ctx.db, caller.projectId)
    return {
      broadcast_id: broadcast?.id ?? null,
      on_air: isOnAir,
      may_write: caller.mayWrite,
      hold_back,
      starred,
      star_rev,
      results: await withQuota(
        ctx,
        chats.map(({ capability }) => capability),
      ),
    }
  },

  watch: async (of, ctx) => {
    const { caller, broadcast } = await anyCallerOf(ctx, of)
    return { broadcast_id: broadcast?.id ?? null, until: await watchChat(ctx, caller.projectId) }
  },

  test: async (of, ctx) => {
    const { caller, broadcast } = await anyCallerOf(ctx, of)
    mustCommand(ctx, caller)
    return publishSample(ctx, broadcast)
  },
})
