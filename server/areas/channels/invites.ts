// Invitations to use a channel, over HTTP.
import { invites } from '#contract/areas/channels/invites.ts'
import type { ChannelRight } from '#contract/entities/roles.ts'
import type { Call, Context } from '#server/core/context.ts'
import { ForbiddenError } from '#server/core/errors.ts'
import { implement } from '#server/core/implement.ts'
import { networkOf } from '#server/core/limits.ts'
import { normalEmail } from '#server/domain/account/accounts.ts'
import {
  acceptChannelInvite,
  addChannelInvite,
  asChannelOwner,
  declineChannelInvite,
  findChannelInvite,
  type Invitee,
  listChannelInvites,
  listReceived,
  readChannelInvite,
  withdrawChannelInvites,
} from '#server/domain/channels/sharing.ts'
import { getChannel } from '#server/domain/channels/channels.ts'
import { inviteMail } from '#server/domain/projects/invite-mail.ts'
import { sendMail } from '#server/domain/account/mail.ts'
import { authorizeMember } from '#server/domain/projects/access.ts'
import { presentInvite, presentReceived } from './sharing-present.ts'
import type { ChannelInviteRow, OpenInvite } from '#server/domain/channels/invites-store.ts'
import type { Trx } from '#server/db/open.ts'
import { notify } from '#server/domain/notifications/notify.ts'
import { projectName } from '#server/domain/projects/projects.ts'

const perMinute = { looked: 60, sent: 20 }
const done = { success: true }

export const channelInviteRoutes = implement(invites, {
  list: async ({ project_id, channel_id }, ctx) => {
    await getChannel(ctx.db, { projectId: project_id, channelId: channel_id }, 'owner')
    const rows = await listChannelInvites(ctx, ctx.db, channel_id)
    return { results: rows.map((row) => presentInvite(ctx.origin, row)) }
  },

  get: async ({ id }, ctx) => presentInvite(ctx.origin, await ownInvite(ctx, id)),

  addById: async ({ to_project_external_id: externalId, ...place }, ctx) => {
    const { row } = await invite(ctx, place, { externalId })
    return presentInvite(ctx.origin, row)
  },

  addByEmail: async ({ email, ...place }, ctx) => {
    const { row, secret } = await invite(ctx, place, { email: normalEmail(email) })
    const mail = await sendMail(ctx, row.email ?? '', (origin) =>
      inviteMail(ctx.language, {
        project: [row.from_name, row.from_fename].filter(Boolean).join(' '),
        channel: row.channel_name,
        url: linkTo(origin, row, secret),
        until: row.date_expire,
      }),
    )
    return { ...presentInvite(ctx.origin, row, secret), url: linkTo(ctx.origin, row, secret), mail }
  },

  addLink: async (place, ctx) => {
    const { row, secret } = await invite(ctx, place, { link: true })
    return { ...presentInvite(ctx.origin, row, secret), url: linkTo(ctx.origin, row, secret), mail: 'none' }
  },

  del: async ({ id }, ctx) => {
    const { channel_id, from_project_id } = await ownInvite(ctx, id)
    const place = { projectId: from_project_id, channelId: channel_id }
    const gone = await asChannelOwner(ctx, ctx.user, place, (trx) =>
      withdrawChannelInvites(ctx, trx, ctx.user.id, { channel_id, id }),
    )
    if (gone === 0) throw new ForbiddenError()
    return done
  },

  received: async ({ project_id }, ctx) => ({
    results: (await listReceived(ctx, project_id)).map((row) => presentReceived(ctx.origin, row)),
  }),

  getForProject: async ({ project_id, channel_id }, ctx) =>
    presentReceived(ctx.origin, await readChannelInvite(ctx, { channelId: channel_id, toProjectId: project_id })),

  acceptForProject: async ({ project_id, channel_id }, ctx) => {
    await acceptChannelInvite(ctx, ctx.user, project_id, { channelId: channel_id, toProjectId: project_id })
    return done
  },

  declineForProject: async ({ project_id, channel_id }, ctx) => {
    await declineChannelInvite(ctx, ctx.user, project_id, { channelId: channel_id, toProjectId: project_id })
    return done
  },

  getForSecret: async ({ channel_id, secret }, ctx) => {
    countRead(ctx)
    return presentReceived(ctx.origin, await readChannelInvite(ctx, { channelId: channel_id, secret }))
  },

  acceptForSecret: async ({ project_id, channel_id, secret }, ctx) => {
    countRead(ctx)
    await acceptChannelInvite(ctx, ctx.user, project_id, { channelId: channel_id, secret })
    return done
  },

  declineForSecret: async ({ project_id, channel_id, secret }, ctx) => {
    countRead(ctx)
    await declineChannelInvite(ctx, ctx.user, project_id, { channelId: channel_id, secret })
    return done
  },
})

/** Notifies the owners of an invited project. */
async function noticeInvite(ctx: Context<'owner'>, trx: Trx, row: ChannelInviteRow, channel: string): Promise<void> {
  if (row.to_project_id === null) return
  const project = await projectName(trx, row.from_project_id)
  await notify(ctx, trx, {
    kind: 'request_access_channel',
    projectId: row.to_project_id,
    ref: row.id,
    params: { invite_id: row.id, channel_id: row.channel_id, channel, project, from: project },
  })
}

/** Creates an invitation, and returns it as owners see it. */
async function invite(
  ctx: Context<'owner'>,
  {
    project_id,
    channel_id,
    access_type: access,
  }: { project_id: number; channel_id: number; access_type: ChannelRight },
  to: Invitee,
): Promise<{ readonly row: OpenInvite; readonly secret: string }> {
  ctx.limits.count(`channel-invite ${ctx.user.id}`, perMinute.sent)
  const place = { projectId: project_id, channelId: channel_id }
  const { row, secret } = await asChannelOwner(ctx, ctx.user, place, async (trx, channel) => {
    const added = await addChannelInvite(ctx, trx, channel, { userId: ctx.user.id, access, to })
    await noticeInvite(ctx, trx, added.row, channel.name)
    return added
  })
  const open = await findChannelInvite(ctx, ctx.db, row.id)
  if (!open) throw new ForbiddenError()
  return { row: open, secret }
}

/** Returns an invitation of a project that the caller owns. @throws ForbiddenError, also for an unknown one */
async function ownInvite(ctx: Context<'session'>, id: number): Promise<OpenInvite> {
  const row = await findChannelInvite(ctx, ctx.db, id)
  if (!row) throw new ForbiddenError()
  await authorizeMember(ctx, ctx.user, row.from_project_id, 'owner')
  return row
}

/** The secret follows `#`, which browsers do not send. */
const linkTo = (origin: string, { channel_id }: OpenInvite, secret: string): string =>
  `${origin}/channel-invite?channel=${channel_id}#${secret}`

const countRead = ({ limits, address }: Call): void =>
  limits.countGuess(`invite ${networkOf(address)}`, perMinute.looked)
