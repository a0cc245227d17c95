// Access of projects to a channel, over HTTP.
import { access } from '#contract/areas/channels/access.ts'
import { implement } from '#server/core/implement.ts'
import {
  changeChannelAccess,
  listChannelAccess,
  removeChannelAccess,
  transferChannel,
} from '#server/domain/channels/sharing.ts'
import { presentProject } from './sharing-present.ts'

export const accessRoutes = implement(access, {
  list: async ({ project_id, channel_id }, ctx) => ({
    results: (await listChannelAccess(ctx.db, { projectId: project_id, channelId: channel_id })).map((row) => ({
      access_type: row.access_type,
      active: row.active,
      channel_id: row.channel_id,
      id: row.id,
      owner_id: row.owner_project_id,
      preview: null,
      title: row.channel_name,
      transcoder_id: null,
      unlim: '0',
      usageType: row.project_id === row.owner_project_id ? 0 : 1,
      project_id: row.project_id,
      project_: presentProject(ctx.origin, { ...row, id: row.project_id }),
      streamInfo: { description: '', title: '' },
    })),
  }),

  change: async ({ project_id, channel_id, to_project_id, access_type }, ctx) => {
    const place = { projectId: project_id, channelId: channel_id }
    await changeChannelAccess(ctx, ctx.user, place, { guestId: to_project_id, to: access_type })
    return { success: true }
  },

  del: async ({ project_id, channel_id, target_project_id }, ctx) => {
    const place = { projectId: project_id, channelId: channel_id }
    await removeChannelAccess(ctx, ctx.user, place, target_project_id)
    return { success: true }
  },

  transferOwner: async ({ project_id, channel_id, to_project_id }, ctx) => {
    await transferChannel(ctx, ctx.user, { projectId: project_id, channelId: channel_id }, to_project_id)
    return { success: true }
  },
})
