// Broadcasts over HTTP: status, history, pause, stop and retry.
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { roleCan } from '#contract/entities/roles.ts'
import { channelName } from '#contract/events/channels.ts'
import { utc } from '#server/core/clock.ts'
import type { Call, Services } from '#server/core/context.ts'
import { ForbiddenError, RuleError, UnauthorizedError } from '#server/core/errors.ts'
import { implement } from '#server/core/implement.ts'
import { masked } from '#server/core/secrets.ts'
import { authorize } from '#server/domain/projects/access.ts'
import { getBroadcast, type BroadcastInProject } from '#server/domain/broadcasts/access.ts'
import { absenceOf, endStop, findStopped, listEndings, stopBroadcast } from '#server/domain/broadcasts/stops.ts'
import { bitrateGraph, lastFiguresOf, viewersGraph } from '#server/domain/broadcasts/graphs.ts'
import { awaitBroadcast } from '#server/domain/broadcasts/waits.ts'
import { setPaused } from '#server/domain/broadcasts/broadcasts.ts'
import {
  type BroadcastRow,
  findBroadcast,
  findOnAir,
  findProjectOfBroadcast,
  listBroadcasts,
  listRestreams,
} from '#server/domain/broadcasts/store.ts'
import { admitChatKey } from '#server/domain/chat/keys.ts'
import { countReceived } from '#server/domain/chat/counts.ts'
import { watchChat } from '#server/domain/chat/wanted.ts'
import { pageOfEvents, presentEvent } from '#server/domain/broadcasts/events.ts'
import { listNodes, listServers } from '#server/domain/ingest/servers.ts'
import { retryTarget } from '#server/domain/broadcasts/live-targets.ts'
import { signChannel, signOverlay } from '#server/domain/realtime/tokens.ts'
import { readStreamKey } from '#server/domain/ingest/stream-keys.ts'
import { withNewestSample } from '#server/domain/broadcasts/records.ts'
import { presentBroadcast, presentOffline, presentOnAir, presentRow } from './broadcast-present.ts'
import { presentChat, presentLive } from './live-present.ts'
import { findEvent } from '#server/domain/broadcasts/events-store.ts'
import { countRecordings } from '#server/domain/broadcasts/recordings-store.ts'

/** Returns a broadcast on air. @throws RuleError `BroadcastIsOver` */
async function getRunning(ctx: Pick<Services, 'db'>, which: BroadcastInProject): Promise<BroadcastRow> {
  const row = await getBroadcast(ctx, which)
  if (row.date_end !== null) throw new RuleError('BroadcastIsOver')
  return row
}

/** Returns a broadcast of the project of a chat key. @throws RuleError `KeyNotFound`, `BroadcastNotFound` */
async function broadcastOfKey(
  ctx: Call,
  { key, broadcast_id }: { readonly key: string; readonly broadcast_id: number },
) {
  const { project_id: projectId, id: keyId } = await admitChatKey(ctx, key, ctx.address)
  const row = await findBroadcast(ctx.db, projectId, broadcast_id)
  // A key proves no membership, so broadcasts of other projects do not exist.
  if (!row) throw new RuleError('BroadcastNotFound')
  return { row, projectId, keyId }
}

/** Pauses or resumes a broadcast. Idempotent. */
async function pause(ctx: Services, which: BroadcastInProject, isPaused: boolean): Promise<true> {
  await setPaused(ctx, await getRunning(ctx, which), isPaused)
  return true
}

export const broadcastRoutes = implement(broadcasts, {
  status: async ({ project_id }, ctx) => {
    const row = await findOnAir(ctx.db, project_id)
    return row
      ? presentOnAir(withNewestSample(ctx, row), await listRestreams(ctx.db, [row.id]), await absenceOf(ctx, row))
      : presentOffline((await findStopped(ctx, project_id))?.id)
  },

  list: async ({ project_id, limit, offset, order, date_from, date_to, platform }, { db }) => {
    const from = date_from && utc(date_from)
    const to = date_to && utc(date_to)
    const { rows, total } = await listBroadcasts(db, project_id, { limit, offset, order, from, to, platform })
    const ids = rows.map(({ id }) => id)
    const restreams = await listRestreams(db, ids)
    const recordings = await countRecordings(db, ids)
    const messages = await countReceived(db, ids)
    return { results: rows.map((row) => presentRow(row, { restreams, recordings, messages })), total, limit, offset }
  },

  get: async (which, ctx) => {
    const row = withNewestSample(ctx, await getBroadcast(ctx, which))
    const messages = await countReceived(ctx.db, [row.id])
    const restreams = await listRestreams(ctx.db, [row.id])
    const endings = await listEndings(ctx.db, row.id)
    const last = await lastFiguresOf(ctx.db, row.id)
    return presentBroadcast(row, { restreams, messages, endings, last })
  },

  events: async ({ project_id, broadcast_id, ...query }, ctx) => {
    const { id } = await getBroadcast(ctx, { project_id, broadcast_id })
    return pageOfEvents(ctx, id, query)
  },

  eventItem: async ({ project_id, id, date }, { db, language }) => {
    const row = await findEvent(db, project_id, id)
    if (!row || (date !== undefined && utc(date) !== row.date_create)) throw new ForbiddenError()
    return presentEvent(row, await listRestreams(db, [row.broadcast_id]), { nodes: await listNodes(db), language })
  },

  bitrate: async (which, ctx) => bitrateGraph(ctx, await getBroadcast(ctx, which)),
  viewers: async (which, ctx) => viewersGraph(ctx, await getBroadcast(ctx, which)),

  restreams: async ({ broadcast_id, project_id, key }, ctx) => {
    // Widgets repeat their token as `key` (published C.5).
    if (key !== undefined && (ctx.user?.grant?.widgetId ?? null) === null) {
      const { row, projectId, keyId } = await broadcastOfKey(ctx, { key, broadcast_id })
      return presentLive(ctx, row, (channel) => signOverlay(ctx, { projectId, keyId }, channel).subscription)
    }
    const { user } = ctx
    if (!user) throw new UnauthorizedError()
    const id = project_id ?? (await findProjectOfBroadcast(ctx.db, broadcast_id))
    if (id === undefined) throw new ForbiddenError()
    const project = await authorize(ctx, user, id, 'viewer')
    const row = await getBroadcast(ctx, { project_id: id, broadcast_id })
    return presentLive(ctx, row, (channel) => signChannel(ctx, project, channel, user))
  },

  restreamsChat: async (by, ctx) => {
    const { row } = await broadcastOfKey(ctx, by)
    return { results: (await listRestreams(ctx.db, [row.id])).map(presentChat) }
  },

  longpoll: async ({ key, wait }, ctx) => {
    const { project_id: projectId } = await admitChatKey(ctx, key, ctx.address)
    // An open overlay is a viewer of the chat.
    await watchChat(ctx, projectId)
    const broadcast_id = await awaitBroadcast(ctx, projectId, { ms: wait * 1000, signal: ctx.gone() })
    if (broadcast_id === null) return undefined
    // The key may have been revoked meanwhile.
    const { id: keyId } = await admitChatKey(ctx, key, ctx.address)
    const { connection, subscription } = signOverlay(ctx, { projectId, keyId }, channelName('broadcast', broadcast_id))
    return { access_token: subscription, connection_token: connection, broadcast_id }
  },

  credentials: async ({ project_id }, ctx) => {
    const { key } = await readStreamKey(ctx, project_id)
    const { servers } = await listServers(ctx)
    return {
      key: roleCan(ctx.project.accessType, 'editor') ? key : masked(key),
      ingresses: servers.flatMap(({ rtmp, srt, city }) =>
        [rtmp, srt].flatMap((url) => (url === undefined ? [] : [{ url, region: city }])),
      ),
    }
  },

  pause: async (which, ctx) => ({ success: await pause(ctx, which, true) }),
  play: async (which, ctx) => {
    const stopped = await findStopped(ctx, which.project_id)
    if (stopped?.id !== which.broadcast_id) return { success: await pause(ctx, which, false) }
    return { success: await endStop(ctx, which.project_id) }
  },

  stop: async (which, ctx) => {
    await stopBroadcast(ctx, await getRunning(ctx, which), ctx.user.id)
    return { success: true }
  },

  retry: async ({ channel_id, ...which }, ctx) => {
    const { id } = await getRunning(ctx, which)
    await retryTarget(ctx, id, channel_id)
    ctx.relay.retry(which.project_id, channel_id)
    return { success: true }
  },
})
