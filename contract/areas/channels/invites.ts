// ProjectChannelInvite: shares a channel with another project, by its id, by e-mail, or by a link. The link contains a
// secret, which is returned once and stored as a hash.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { DateTime, maybe } from '#contract/core/lenient.ts'
import { read, write } from '#contract/core/operation.ts'
import { Id, InProject, listOf, Success } from '#contract/core/wire.ts'
import { PlatformType } from '#contract/entities/channel.ts'
import { ProjectCard } from '#contract/entities/channel-sharing.ts'
import { ChannelRight } from '#contract/entities/roles.ts'

/** Longest e-mail address. */
export const emailMax = 254

const secret = z.string().check(z.minLength(20), z.maxLength(100), z.regex(/^[\w-]+$/))
const InChannel = z.extend(InProject, { channel_id: Id })
const BySecret = z.object({ channel_id: Id, secret })
const AnswerBySecret = z.extend(InChannel, { secret })
const NewInvite = z.extend(InChannel, { access_type: ChannelRight })

const common = {
  project_channel_invite_id: z.int(),
  channel_id: z.int(),
  to_project_id: maybe(z.int()),
  access_type: ChannelRight,
  date: DateTime,
  date_expire: DateTime,
  /** Only in the response that creates the link; empty afterwards. */
  secret: z.string(),
  email: maybe(z.string()),
  /** true: declined. */
  reject: maybe(z.boolean()),
  from_user_id: maybe(z.int()),
}

/** Invitation as the channel's owner sees it (published `ProjectChannelInviteResponse`). */
export const ChannelInvite = z.object({ ...common, from_project_id: maybe(z.int()), to_project_: maybe(ProjectCard) })
export type ChannelInvite = z.output<typeof ChannelInvite>

/** Invitation as the invited user sees it (published `ProjectChannelInviteLinkResponse`). */
export const ReceivedInvite = z.object({
  ...common,
  channel_: maybe(z.object({ channel_id: z.int(), name: z.string(), photo_50: z.string(), type: PlatformType })),
  from_project_: maybe(ProjectCard),
})
export type ReceivedInvite = z.output<typeof ReceivedInvite>

const NewLink = z.extend(ChannelInvite, {
  url: z.string(),
  mail: z.enum(['sent', 'not-configured', 'failed', 'none']),
})

const add = { placement: 'query', auth: 'owner', scope: 'channels:write', replay: 'never' } as const
const answer = {
  output: Success,
  placement: 'query',
  auth: 'editor',
  scope: 'channels:write',
  provenance: 'published',
} as const
const linkNotes = {
  access_type: '0 looks at it, 1 uses it; 2 only by channel/access/transfer_owner',
  secret: 'never shown again',
  url: 'the link, with the secret behind `#`',
  mail: 'state of the e-mail; `none`: no e-mail was requested',
}

export const invites = group(
  'channels.invites',
  { prefix: 'channel_invite', title: 'ProjectChannelInvite' },
  {
    list: read('list', {
      name: 'List of invites for channel in project',
      input: InChannel,
      output: listOf(ChannelInvite),
      auth: 'owner',
      scope: 'channels:read',
      provenance: 'published',
    }),
    get: read('get', {
      name: 'Get channel invite item',
      input: z.object({ id: Id }),
      output: ChannelInvite,
      auth: 'session',
      scope: 'channels:read',
      provenance: 'published',
      notes: { id: '`project_channel_invite_id`' },
    }),
    addById: write('POST', 'add_by_id', {
      ...add,
      name: 'Add channel invite item by id',
      input: z.extend(NewInvite, {
        to_project_external_id: z.string().check(z.minLength(1), z.maxLength(64)),
      }),
      output: ChannelInvite,
      provenance: 'published',
      notes: { access_type: linkNotes.access_type },
    }),
    addByEmail: write('POST', 'add_by_email', {
      ...add,
      name: 'Add channel invite item by email',
      input: z.extend(NewInvite, { email: z.string().check(z.maxLength(emailMax), z.email()) }),
      output: NewLink,
      provenance: 'published',
      notes: { ...linkNotes, email: 'recipient of the link; every holder of the link can use it' },
    }),
    addLink: write('POST', 'add_link', {
      ...add,
      name: 'Add channel invite item with a link',
      input: NewInvite,
      output: NewLink,
      provenance: 'decided',
      notes: linkNotes,
    }),
    del: write('POST', 'del', {
      name: 'Delete channel invite item',
      input: z.object({ id: Id }),
      output: Success,
      placement: 'query',
      auth: 'session',
      scope: 'channels:write',
      provenance: 'published',
      notes: { id: '`project_channel_invite_id`' },
    }),
    received: read('list_for_project', {
      name: 'List of channel invitations for project',
      input: InProject,
      output: listOf(ReceivedInvite),
      auth: 'viewer',
      scope: 'channels:read',
      provenance: 'decided',
    }),
    getForProject: read('get_for_project', {
      name: 'Get invitation for channel',
      input: InChannel,
      output: ReceivedInvite,
      auth: 'viewer',
      scope: 'channels:read',
      provenance: 'published',
    }),
    acceptForProject: write('POST', 'accept_for_project', {
      ...answer,
      name: 'Accept invitation for channel',
      input: InChannel,
    }),
    declineForProject: write('POST', 'decline_for_project', {
      ...answer,
      name: 'Decline invitation for channel',
      input: InChannel,
    }),
    getForSecret: read('get_for_secret', {
      name: 'Get invitation using a secret link',
      input: BySecret,
      output: ReceivedInvite,
      auth: 'session',
      scope: 'channels:read',
      provenance: 'published',
    }),
    acceptForSecret: write('POST', 'accept_for_secret', {
      ...answer,
      name: 'Accept invitation using a secret link',
      input: AnswerBySecret,
      notes: { project_id: 'the project that gets the channel' },
    }),
    declineForSecret: write('POST', 'decline_for_secret', {
      ...answer,
      name: 'Decline invitation using a secret link',
      input: AnswerBySecret,
    }),
  },
)
