// Channels over HTTP: reading, switching, removing, testing.
import { scopesAllow } from '#contract/core/scopes.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { iso } from '#server/core/clock.ts'
import type { User } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { platformTypes } from '#contract/platforms/platforms.ts'
import { implement } from '#server/core/implement.ts'
import { fileUrl } from '#server/domain/account/pictures.ts'
import { statesOf } from '#server/domain/broadcasts/broadcasts.ts'
import { authorizeChannel, getChannel } from '#server/domain/channels/channels.ts'
import { switchChannels } from '#server/domain/channels/bulk.ts'
import {
  removeChannel,
  setHealing,
  setLadder,
  setPersonal,
  setSilence,
  setTracks,
} from '#server/domain/channels/change.ts'
import { listChannels, listNames, updateProbeResult } from '#server/domain/channels/store.ts'
import { probe } from '#server/domain/channels/destination-probe.ts'
import { presentChannel, presentPlatform } from './channel-present.ts'
import { destinationOf } from './destination-input.ts'

const testsPerMinute = 20

/** A token that only reads sees no stream keys. */
const maySeeKeys = ({ grant }: User): boolean => grant === null || scopesAllow(grant.scopes, 'channels:write')

export const channelRoutes = implement(channels, {
  search: async ({ project_id, type = 'all', platform = '', name = '', limit, offset }, ctx) => {
    const platforms = platform.toLowerCase().split(',').filter(Boolean)
    const search = { projectId: project_id, kind: type, platforms, name, limit, offset }
    const { rows, total, types } = await listChannels(ctx.db, search)
    const view = {
      role: ctx.project.accessType,
      origin: ctx.origin,
      withKey: false,
      states: await statesOf(ctx.db, project_id),
    }
    return {
      results: rows.map((row) => presentChannel(ctx, row, view)),
      platforms: platformTypes.filter((one) => types.includes(one)).map(presentPlatform),
      limit,
      offset,
      total,
    }
  },

  short: async ({ project_id }, { db, origin }) => {
    const rows = await listNames(db, project_id)
    return { results: rows.map(({ photo, ...row }) => ({ ...row, photo_default: fileUrl(origin, photo) })) }
  },

  get: async ({ project_id, channel_id }, ctx) => {
    const row = await getChannel(ctx.db, { projectId: project_id, channelId: channel_id }, 'viewer')
    const states = await statesOf(ctx.db, project_id)
    return presentChannel(ctx, row, {
      role: ctx.project.accessType,
      origin: ctx.origin,
      withKey: maySeeKeys(ctx.user),
      states,
    })
  },

  setStatus: async ({ channel_id, status, project_id }, ctx) => {
    const row = await authorizeChannel(ctx, ctx.user, channel_id, 'editor', project_id)
    await switchChannels(ctx, ctx.user, { projectId: row.project_id, channelIds: [channel_id], active: status })
    return { success: true }
  },

  bulkStatus: async ({ project_id, channel_ids, status }, ctx) => {
    await switchChannels(ctx, ctx.user, { projectId: project_id, channelIds: channel_ids, active: status })
    return { success: true }
  },

  setDelay: async ({ project_id, channel_id, delay }, ctx) => {
    await setPersonal(ctx, ctx.user, { projectId: project_id, channelId: channel_id }, { delay_seconds: delay })
    return { success: true }
  },

  setTracks: async ({ project_id, channel_id, video, audio, missing }, ctx) => {
    await setTracks(ctx, ctx.user, { projectId: project_id, channelId: channel_id }, { video, audio, missing })
    return { success: true }
  },

  setSilence: async ({ project_id, channel_id, silence }, ctx) => {
    await setSilence(ctx, ctx.user, { projectId: project_id, channelId: channel_id }, silence)
    return { success: true }
  },

  setLadder: async ({ project_id, channel_id, ladder }, ctx) => {
    await setLadder(ctx, ctx.user, { projectId: project_id, channelId: channel_id }, ladder)
    return { success: true }
  },

  setHealing: async ({ project_id, channel_id, healing }, ctx) => {
    await setHealing(ctx, ctx.user, { projectId: project_id, channelId: channel_id }, healing)
    return { success: true }
  },

  remove: async ({ project_id, channel_id }, ctx) => {
    await removeChannel(ctx, ctx.user, { projectId: project_id, channelId: channel_id })
    return { success: true }
  },

  test: async ({ project_id, url, channel_id }, ctx) => {
    ctx.limits.count(`channel-test ${ctx.user.id}`, testsPerMinute)
    const address = url ?? (await addressOf(ctx, project_id, channel_id))
    const { reason, latency } = await probe(destinationOf(ctx, address, { property: 'url' }), ctx.config)
    if (url === undefined && channel_id !== undefined)
      await updateProbeResult(ctx.db, channel_id, reason, iso(ctx.clock.now()))
    return { reachable: reason === 'ok', reason, latency }
  },
})

async function addressOf(
  { db }: Parameters<typeof authorizeChannel>[0],
  projectId: number,
  channelId: number | undefined,
): Promise<string> {
  const row = channelId === undefined ? null : await getChannel(db, { projectId, channelId }, 'editor')
  if (row?.address) return row.address
  throw new RuleError('NothingToTest')
}
