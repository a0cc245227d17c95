// The stream key of a project over HTTP.
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { roleCan } from '#contract/entities/roles.ts'
import { implement } from '#server/core/implement.ts'
import { masked } from '#server/core/secrets.ts'
import { readStatsKey, rotateStatsKey } from '#server/domain/ingest/stats-keys.ts'
import { readStreamKey, rotateStreamKey, setQuality, setRecord, setWait } from '#server/domain/ingest/stream-keys.ts'

/** Address that answers the statistics, see `server/app/nodes/stats.ts`. */
const statsUrl = (origin: string, key: string) => ({ url: `${origin}/stats/${key}` })

export const streamKeyRoutes = implement(streamKeys, {
  get: async ({ project_id }, ctx) => {
    const { key, isRecorded, isHeld, waitMinutes, waitMaxMinutes, media, quality } = await readStreamKey(
      ctx,
      project_id,
    )
    const isMasked = !roleCan(ctx.project.accessType, 'editor')
    return {
      key: isMasked ? masked(key) : key,
      masked: isMasked,
      record: isRecorded,
      wait: waitMinutes,
      hold: isHeld,
      wait_max_minutes: waitMaxMinutes,
      pause_media_service_file_id: media.pause,
      lost_media_service_file_id: media.lost,
      quality: quality && {
        kbps: quality.kbps,
        ms: quality.ms,
        back_kbps: quality.backKbps,
        back_ms: quality.backMs,
      },
    }
  },

  setRecord: async ({ project_id, record }, ctx) => {
    await setRecord(ctx, { projectId: project_id, userId: ctx.user.id }, record)
    return { success: true }
  },

  rotate: async ({ project_id }, ctx) => ({
    key: await rotateStreamKey(ctx, { projectId: project_id, userId: ctx.user.id }),
  }),

  setWait: async ({ project_id, wait_minutes: minutes, hold = minutes > 0 }, ctx) => {
    await setWait(ctx, { projectId: project_id, userId: ctx.user.id }, { minutes, isHeld: hold })
    return { success: true }
  },

  setQuality: async ({ project_id, quality: chosen }, ctx) => {
    const { kbps = 0, ms = 0, back_kbps: backKbps = 0, back_ms: backMs = 0 } = chosen ?? {}
    await setQuality(ctx, { projectId: project_id, userId: ctx.user.id }, chosen && { kbps, ms, backKbps, backMs })
    return { success: true }
  },

  stats: async ({ project_id }, ctx) => statsUrl(ctx.origin, await readStatsKey(ctx, project_id)),

  rotateStats: async ({ project_id }, ctx) =>
    statsUrl(ctx.origin, await rotateStatsKey(ctx, { projectId: project_id, userId: ctx.user.id })),
})
