// ProjectChannel: projects that may use a channel. A channel belongs to one project; invites.ts shares it with
// others.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { maybe } from '#contract/core/lenient.ts'
import { read, write } from '#contract/core/operation.ts'
import { Id, InProject, listOf, Success } from '#contract/core/wire.ts'
import { ProjectCard } from '#contract/entities/channel-sharing.ts'
import { ChannelRight } from '#contract/entities/roles.ts'

const InChannel = z.extend(InProject, { channel_id: Id })

/** A project that may use a channel (published `ProjectChannelResponse`). */
export const ChannelAccess = z.object({
  access_type: ChannelRight,
  /** 1: active in that project. */
  active: z.literal([0, 1]),
  channel_id: z.int(),
  id: z.int(),
  /** Project that owns the channel. */
  owner_id: z.int(),
  preview: maybe(z.string()),
  title: maybe(z.string()),
  transcoder_id: maybe(z.int()),
  unlim: z.string(),
  /** 0 owned by the project, 1 shared with it. */
  usageType: z.int(),
  project_id: z.int(),
  project_: maybe(ProjectCard),
  streamInfo: z.object({ description: z.string(), title: z.string() }),
})
export type ChannelAccess = z.output<typeof ChannelAccess>

export const access = group(
  'channels.access',
  { prefix: 'channel/access', title: 'ProjectChannel' },
  {
    list: read('list', {
      name: 'Project channel list',
      input: InChannel,
      output: listOf(ChannelAccess),
      auth: 'viewer',
      scope: 'channels:read',
      provenance: 'published',
      notes: { channel_id: 'its own project sees everybody, others see themselves and the owner' },
    }),
    change: write('POST', 'change', {
      name: 'Change access',
      input: z.extend(InChannel, { to_project_id: Id, access_type: ChannelRight }),
      output: Success,
      placement: 'query',
      auth: 'owner',
      scope: 'channels:write',
      provenance: 'published',
      notes: { access_type: '0 looks at it, which switches it off there; 1 uses it; 2 only by transfer_owner' },
    }),
    del: write('POST', 'del', {
      name: 'Remove access',
      input: z.extend(InChannel, { target_project_id: Id }),
      output: Success,
      placement: 'query',
      auth: 'editor',
      scope: 'channels:write',
      provenance: 'published',
      notes: { target_project_id: 'any for owners of the channel, `project_id` itself for editors elsewhere' },
      // The project may have lost the channel.
      stale: ['channels.access', 'channels.channels.search', 'channels.channels.short'],
    }),
    transferOwner: write('POST', 'transfer_owner', {
      name: 'Transfer owner',
      input: z.extend(InChannel, { to_project_id: Id }),
      output: Success,
      placement: 'query',
      auth: 'owner',
      scope: 'channels:write',
      provenance: 'published',
      notes: { to_project_id: 'a project that has the channel already; this one keeps it as an editor' },
      // Without the invitations: only the new owner may read them.
      stale: ['channels.access', 'channels.channels'],
    }),
  },
)
