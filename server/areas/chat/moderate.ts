// Moderation of chats over HTTP.
import { moderate } from '#contract/areas/chat/moderate.ts'
import { implement } from '#server/core/implement.ts'
import { getBroadcast } from '#server/domain/broadcasts/access.ts'
import { callerOf, mustCommand } from '#server/domain/chat/callers.ts'
import { forgetAuthor } from '#server/domain/chat/hide.ts'
import { moderateChat } from '#server/domain/chat/moderate.ts'
import { listActs } from '#server/domain/chat/settings-store.ts'
import { starMessage } from '#server/domain/chat/star.ts'
import { nameOf } from '#server/domain/projects/team-rules.ts'

const logMax = 200

export const moderateRoutes = implement(moderate, {
  act: async ({ key, broadcast_id, event_id, restream_id, sender_id, act, seconds }, ctx) => {
    const { caller, broadcast } = await callerOf(ctx, { key, broadcast_id })
    mustCommand(ctx, caller)
    const { until } = await moderateChat(ctx, caller, broadcast, {
      act,
      seconds,
      eventId: event_id ?? null,
      restreamId: restream_id ?? null,
      senderId: sender_id ?? null,
    })
    return { done: true, ...(until === null ? {} : { until }) }
  },

  star: async ({ key, broadcast_id, event_id = null }, ctx) => {
    const { caller, broadcast } = await callerOf(ctx, { key, broadcast_id })
    mustCommand(ctx, caller)
    return { event_id, star_rev: await starMessage(ctx, broadcast.id, event_id) }
  },

  log: async (which, ctx) => {
    const { id } = await getBroadcast(ctx, which)
    const rows = await listActs(ctx.db, id, logMax)
    return {
      results: rows.map((row) => ({
        id: row.id,
        act: row.act,
        restream_id: row.restream_id,
        sender_id: row.author_id,
        sender_name: row.author_name,
        event_id: row.event_id,
        seconds: row.seconds,
        by: {
          user_id: row.user_id,
          key_id: row.key_id,
          name: nameOf({ first_name: row.first_name ?? row.key_name ?? '', last_name: row.last_name ?? '' }),
        },
        error: row.error,
        created_at: row.date_create,
      })),
    }
  },

  forget: async ({ project_id, platform, sender_id: senderId }, ctx) => ({
    success: true,
    count: await forgetAuthor(ctx, project_id, { platform, senderId }),
  }),
})
