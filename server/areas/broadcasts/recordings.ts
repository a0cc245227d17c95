// Recordings over HTTP. The files are on the disks of relay nodes.
import { type Recording, recordings } from '#contract/areas/broadcasts/recordings.ts'
import { iso } from '#server/core/clock.ts'
import { RuleError } from '#server/core/errors.ts'
import { implement } from '#server/core/implement.ts'
import { getBroadcast } from '#server/domain/broadcasts/access.ts'
import { downloadName, getRecording, recordingPath, removeRecording } from '#server/domain/broadcasts/recordings.ts'
import { archiveMachine, listRecordings } from '#server/domain/broadcasts/recordings-store.ts'
import { storageOf } from '#server/domain/media/space.ts'
import { removalOf } from '#server/domain/broadcasts/storage-removal.ts'

export const recordingRoutes = implement(recordings, {
  list: async ({ project_id, broadcast_id, limit, offset }, ctx) => {
    if (broadcast_id !== undefined) await getBroadcast(ctx, { project_id, broadcast_id })
    const { rows, total } = await listRecordings(ctx.db, { project_id, broadcast_id }, { limit, offset })
    return {
      total,
      limit,
      offset,
      results: rows.map(({ id, broadcast_id: of, state, reason, node, file, bytes, duration_ms, date_create }) => ({
        id,
        broadcast_id: of,
        state,
        reason: reason as Recording['reason'],
        server: node === archiveMachine ? 'S3' : node,
        file,
        size: Number(bytes),
        duration: Number(duration_ms) || null,
        created_at: date_create,
      })),
    }
  },

  limits: async ({ project_id }, ctx) => {
    const { limit, used } = await storageOf(ctx, project_id)
    return { video_limit: limit, video_current: used, removal: await removalOf(ctx, project_id) }
  },

  download: async ({ project_id, id }, ctx) => {
    const row = await getRecording(ctx.db, project_id, id)
    if (row.state !== 'ready') throw new RuleError('RecordingNotReady')
    if (row.node !== archiveMachine && !ctx.relay.hasMachine(row.node)) throw new RuleError('ServerAway')
    const { url, until } = recordingPath(ctx, row, ctx.user.sessionId)
    return { url, name: downloadName(row), size: Number(row.bytes), expires_at: iso(until) }
  },

  remove: async ({ project_id, id }, ctx) => {
    await removeRecording(ctx, { projectId: project_id, id, userId: ctx.user.id })
    return { success: true }
  },
})
