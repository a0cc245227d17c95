// Answers to invitations from a notification: with the present rights of the user, by the functions of the invitations.
import type { Context } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { getUser } from '#server/domain/account/store.ts'
import { acceptChannelInvite, declineChannelInvite } from '#server/domain/channels/sharing-answers.ts'
import type { KindParams } from '#server/domain/notifications/kinds.ts'
import type { NotificationRow } from '#server/domain/notifications/store.ts'
import { authorize } from '#server/domain/projects/access.ts'
import { acceptInvite, declineInvite } from '#server/domain/projects/team-answers.ts'

/** Accepts or declines the invitation of a notification. @throws RuleError `InviteRejected` for an expired or used one */
export async function answerInvitation(
  ctx: Context<'session'>,
  { kind, params, project_id: projectId }: NotificationRow,
  answer: 'accept' | 'decline',
): Promise<void> {
  if (kind === 'request_access_channel') {
    const { channel_id: channelId } = JSON.parse(params) as KindParams[typeof kind]
    await authorize(ctx, ctx.user, projectId, 'editor')
    const key = { channelId, toProjectId: projectId }
    await (answer === 'accept' ? acceptChannelInvite : declineChannelInvite)(ctx, ctx.user, projectId, key)
    return
  }
  if (kind !== 'request_access_project') return
  const { invite_id: id } = JSON.parse(params) as KindParams[typeof kind]
  const { email } = await getUser(ctx.db, ctx.user.id)
  if (email === null) throw new RuleError('InviteRejected', 'This invitation was used or withdrawn, or it is too old')
  await (answer === 'accept' ? acceptInvite : declineInvite)(ctx, ctx.user, { id, email })
}
