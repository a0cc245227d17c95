// Live status of a project, in one flat response.
import { liveStatus } from '#contract/areas/broadcasts/live-status.ts'
import { implement } from '#server/core/implement.ts'
import { authorizeLast } from '#server/domain/projects/access.ts'
import { playOf } from '#server/domain/broadcasts/plays.ts'
import { type BroadcastRow, findOnAir, listRestreams } from '#server/domain/broadcasts/store.ts'
import { withNewestSample } from '#server/domain/broadcasts/records.ts'
import { presentOnAir } from './broadcast-present.ts'

/** Presents the scheduled file that is on air. */
function presentVideo(row: BroadcastRow) {
  const play = playOf(row)
  if (!play || play.video === null) return {}
  const { run: task_id, video: video_id, name, duration } = play
  return { video: { task_id, video_id, name, duration } }
}

export const liveStatusRoutes = implement(liveStatus, {
  get: async ({ project_id }, ctx) => {
    const { db, user } = ctx
    const project = await authorizeLast({ db }, user, project_id, 'viewer')
    const row = await findOnAir(db, project.id)
    if (!row) return { live_groups_count: 0, status: 'offline' }
    const onAir = presentOnAir(withNewestSample(ctx, row), await listRestreams(db, [row.id]))
    const { broadcast_id, stream_id, app, action, status, resolution, bitrate, fps, key_frame, restreams } = onAir
    const going = restreams.filter((one) => one.status === 'live').length
    return {
      live_groups_count: going,
      broadcast_id,
      stream_id,
      app,
      action,
      status,
      resolution,
      date: onAir.date_start,
      ...presentVideo(row),
      info: {
        restream_data: restreams.map(({ id, status: state }) => ({ id, status: state })),
        connect_id: stream_id,
        connect_id_v2: String(stream_id),
        fps: fps ?? 0,
        key_frame: key_frame ?? 0,
        count: onAir.reconnects,
        speed: 0,
        quality: Number(resolution.split('x')[1] ?? 0),
        bitrate: bitrate ?? 0,
        full_bitrate: (bitrate ?? 0) * going,
        status,
        restrims: restreams.length,
      },
    }
  },
})
