// Recordings of a broadcast, as they lie on the disks of relay nodes.
import { type Recording, recordings } from '#contract/areas/broadcasts/recordings.ts'
import { ForbiddenError } from '#server/core/errors.ts'
import { implement } from '#server/core/implement.ts'
import { findBroadcast } from '#server/domain/broadcasts-store.ts'
import { listRecordings } from '#server/domain/recordings.ts'

export const recordingRoutes = implement(recordings, {
  list: async ({ project_id, broadcast_id }, { db }) => {
    const broadcast = await findBroadcast(db, project_id, broadcast_id)
    if (!broadcast) throw new ForbiddenError()
    const rows = await listRecordings(db, broadcast.id)
    return {
      results: rows.map(({ id, state, reason, node, file, bytes, duration_ms, date_create }) => ({
        id,
        state,
        reason: reason as Recording['reason'],
        server: node,
        file,
        size: Number(bytes),
        duration: Number(duration_ms) || null,
        created_at: date_create,
      })),
    }
  },
})
