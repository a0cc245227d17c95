// Sessions of the signed-in user over HTTP.
import { sessions } from '#contract/areas/account/sessions.ts'
import { implement } from '#server/core/implement.ts'
import { closeOthers, closeSession, listSessions } from '#server/domain/account/sessions.ts'

export const sessionRoutes = implement(sessions, {
  list: async (_, { user, ...ctx }) => {
    const living = await listSessions(ctx, ctx.db, user.id)
    return {
      results: living.map(({ created, seen, ends, ...session }) => ({
        ...session,
        current: session.id === user.sessionId,
        date_create: created,
        date_seen: seen,
        date_end: ends,
      })),
    }
  },

  close: async ({ session_id }, ctx) => {
    await closeSession(ctx, ctx.user, session_id)
    return { success: true }
  },

  closeOthers: async (_, ctx) => ({ success: true, closed: await closeOthers(ctx, ctx.user) }),
})
