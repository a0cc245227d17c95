// Analytics over HTTP: one broadcast as `broadcast/…` returns it, under the name stream, and the list of all broadcasts.
import { analytics } from '#contract/areas/analytics/analytics.ts'
import { utc } from '#server/core/clock.ts'
import { implement } from '#server/core/implement.ts'
import { getBroadcast } from '#server/domain/broadcasts/access.ts'
import { listTransfers } from '#server/domain/chat/transfers.ts'
import { bitrateGraph, figuresOf, viewersGraph } from '#server/domain/broadcasts/graphs.ts'
import { listBroadcasts, listRestreams } from '#server/domain/broadcasts/store.ts'
import { pageOfEvents } from '#server/domain/broadcasts/events.ts'

interface OfStream {
  readonly project_id: number
  readonly stream_id: number
}
const broadcastOf = ({ project_id, stream_id: broadcast_id }: OfStream) => ({ project_id, broadcast_id })

export const analyticsRoutes = implement(analytics, {
  events: async ({ project_id, stream_id, ...query }, ctx) => {
    const { id } = await getBroadcast(ctx, broadcastOf({ project_id, stream_id }))
    return pageOfEvents(ctx, id, query)
  },
  bitrate: async (which, ctx) => bitrateGraph(ctx, await getBroadcast(ctx, broadcastOf(which))),
  viewers: async (which, ctx) => viewersGraph(ctx, await getBroadcast(ctx, broadcastOf(which))),

  messages: async (which, ctx) => {
    const { id } = await getBroadcast(ctx, which)
    return { items: await listTransfers(ctx, id) }
  },

  broadcasts: async ({ project_id, date_from, date_to, limit, offset }, { db }) => {
    const from = date_from && utc(date_from)
    const to = date_to && utc(date_to)
    const { rows, total } = await listBroadcasts(db, project_id, { limit, offset, order: 'desc', from, to })
    const ids = rows.map(({ id }) => id)
    const [figures, restreams] = [await figuresOf(db, ids), await listRestreams(db, ids)]
    return {
      results: rows.map(({ id, date_create, date_end, away_ms, reconnects }) => {
        const mine = restreams.filter(({ broadcast_id }) => broadcast_id === id)
        const { bitrate = null, viewers = null, warnings = 0, errors = 0 } = figures.get(id) ?? {}
        return {
          id,
          created_at: date_create,
          finish_at: date_end,
          away: Math.round(away_ms / 1000),
          reconnects,
          bitrate,
          viewers,
          channels: mine.length,
          platforms: [...new Set(mine.map(({ type }) => type))],
          warnings,
          errors,
        }
      }),
      total,
      limit,
      offset,
    }
  },
})
