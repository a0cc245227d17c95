// Broadcasts over HTTP: what is on air, what was, and the two things that people can do about it.
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import type { Services } from '#server/core/context.ts'
import { ForbiddenError, RuleError } from '#server/core/errors.ts'
import { implement } from '#server/core/implement.ts'
import {
  type BroadcastRow,
  findBroadcast,
  findOnAir,
  listBroadcasts,
  listEvents,
  listRestreams,
  listSamples,
} from '#server/domain/broadcasts-store.ts'
import { presentBroadcast, presentEvent, presentOnAir, presentRow } from './broadcast-present.ts'

interface Which {
  readonly project_id: number
  readonly broadcast_id: number
}

/** A broadcast of the project; the same refusal for one of another project and for none at all. */
async function getBroadcast({ db }: Pick<Services, 'db'>, { project_id, broadcast_id }: Which): Promise<BroadcastRow> {
  const row = await findBroadcast(db, project_id, broadcast_id)
  if (!row) throw new ForbiddenError()
  return row
}

/** One that can still be changed. */
async function getRunning(ctx: Pick<Services, 'db'>, which: Which): Promise<BroadcastRow> {
  const row = await getBroadcast(ctx, which)
  if (row.date_end !== null) throw new RuleError('BroadcastIsOver', 'The broadcast is over')
  return row
}

export const broadcastRoutes = implement(broadcasts, {
  status: async ({ project_id }, { db }) => {
    const row = await findOnAir(db, project_id)
    return row
      ? presentOnAir(row, await listRestreams(db, [row.id]))
      : { kind: 'inactive' as const, status: 'offline' as const }
  },

  list: async ({ project_id, limit, offset, order }, { db }) => {
    const { rows, total } = await listBroadcasts(db, project_id, { limit, offset, order })
    const restreams = await listRestreams(
      db,
      rows.map(({ id }) => id),
    )
    return { results: rows.map((row) => presentRow(row, restreams)), total, limit, offset }
  },

  get: async (which, ctx) => {
    const row = await getBroadcast(ctx, which)
    return presentBroadcast(row, await listRestreams(ctx.db, [row.id]))
  },

  events: async ({ level, offset, limit, sort_by_date, ...which }, ctx) => {
    const { id } = await getBroadcast(ctx, which)
    const { rows, total } = await listEvents(ctx.db, id, { level, offset, limit, order: sort_by_date })
    const restreams = await listRestreams(ctx.db, [id])
    return { results: rows.map((row) => presentEvent(row, restreams)), total, limit, offset }
  },

  bitrate: async (which, ctx) => {
    const { id } = await getBroadcast(ctx, which)
    const samples = await listSamples(ctx.db, id)
    return {
      data: samples.map(({ kbps }) => kbps),
      labels: samples.map(({ at }) => Number(at)),
      setting: { step: samples.at(-1)?.step ?? 1, unit: 'kbps' },
    }
  },

  stop: async (which, ctx) => {
    await getRunning(ctx, which)
    ctx.relay.stop(which.project_id, 'The broadcast was stopped in the dashboard')
    return { success: true }
  },

  retry: async ({ channel_id, ...which }, ctx) => {
    await getRunning(ctx, which)
    ctx.relay.retry(which.project_id, channel_id)
    return { success: true }
  },
})
