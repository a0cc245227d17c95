// Papers of payments over HTTP. The papers themselves: server/app/papers.
import { papers } from '#contract/areas/billing/papers.ts'
import { iso } from '#server/core/clock.ts'
import { implement } from '#server/core/implement.ts'
import { getArchives } from '#server/domain/billing/papers/archives.ts'
import { paperOf, paperTickets } from '#server/domain/billing/papers/papers.ts'
import { listPapers } from '#server/domain/billing/papers/store.ts'

export const paperRoutes = implement(papers, {
  archives: ({ project_id: projectId }, ctx) =>
    getArchives(ctx, { projectId, sessionId: ctx.user.sessionId, language: ctx.language }),
  list: async ({ project_id: projectId, payment_id }, ctx) => {
    const rows = await listPapers(ctx.db, projectId, payment_id)
    const opening = { projectId, sessionId: ctx.user.sessionId, language: ctx.language }
    const { until } = paperTickets.issue(ctx, { ...opening, id: 0 })
    const results = rows.map((row) => {
      const { kind, number, totalMinor, currency, date } = paperOf(row)
      const ticket = encodeURIComponent(paperTickets.issue(ctx, { ...opening, id: row.id }).ticket)
      const address = (type: 'html' | 'pdf') => `/papers/${number}.${type}?ticket=${ticket}`
      return {
        paper_id: row.id,
        kind,
        number,
        date,
        amount: totalMinor,
        currency,
        url: address('html'),
        pdf_url: address('pdf'),
      }
    })
    return { results, expires_at: iso(until) }
  },
})
