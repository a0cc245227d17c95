// Address and ticket of a project's preview.
import { preview } from '#contract/areas/broadcasts/preview.ts'
import { iso } from '#server/core/clock.ts'
import { implement } from '#server/core/implement.ts'
import { findOnAir } from '#server/domain/broadcasts/store.ts'
import { hlsTickets, previewTickets } from '#server/domain/broadcasts/preview-tickets.ts'

export const previewRoutes = implement(preview, {
  get: async ({ project_id }, ctx) => {
    const watching = { projectId: project_id, sessionId: ctx.user.sessionId }
    const { ticket, until } = previewTickets.issue(ctx, watching)
    ctx.realtime.watch(project_id)
    const sources = ctx.relay.previewSources(project_id)
    const isOnAir = sources !== null || (await findOnAir(ctx.db, project_id)) !== undefined
    const poster = sources?.poster
    return {
      ticket,
      expires_at: iso(until),
      stream_path: sources ? `/preview/${project_id}.flv` : null,
      hls_path: sources?.ffmpeg
        ? `/preview/${project_id}/index.m3u8?ticket=${hlsTickets.issue(ctx, watching).ticket}`
        : null,
      reason: sources ? null : isOnAir ? ('elsewhere' as const) : ('off_air' as const),
      poster_path: poster ? `/preview/${project_id}.jpg` : null,
      poster_at: poster ? new Date(poster.at).toISOString() : null,
      poster_reason: poster
        ? null
        : !sources
          ? ('off_air' as const)
          : sources.ffmpeg
            ? ('not_yet' as const)
            : ('no_ffmpeg' as const),
    }
  },
})
