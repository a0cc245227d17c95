// Ticket for a stream from a browser.
import { browserIngest } from '#contract/areas/broadcasts/browser-ingest.ts'
import { iso } from '#server/core/clock.ts'
import { implement } from '#server/core/implement.ts'
import { issueBrowserTicket } from '#server/domain/broadcasts/browser-tickets.ts'

export const browserIngestRoutes = implement(browserIngest, {
  create: async ({ project_id }, ctx) => {
    const { ticket, until } = await issueBrowserTicket(ctx, { projectId: project_id, sessionId: ctx.user.sessionId })
    // Served by `server/app/media/browser-ingest.ts`.
    return { url: `${ctx.origin.replace(/^http/, 'ws')}/browser-ingest`, ticket, expires_at: iso(until) }
  },
})
