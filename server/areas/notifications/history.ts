// Notifications of the caller over HTTP.
import { history } from '#contract/areas/notifications/history.ts'
import { iso, utc } from '#server/core/clock.ts'
import type { Context, User } from '#server/core/context.ts'
import { ForbiddenError, RuleError } from '#server/core/errors.ts'
import { implement } from '#server/core/implement.ts'
import { actionsOf, presentNotifications } from '#server/domain/notifications/history.ts'
import { publishUnread } from '#server/domain/realtime/unread.ts'
import {
  countUnread,
  findNotification,
  listNotifications,
  type NotificationRow,
  updateDone,
  updateRead,
} from '#server/domain/notifications/store.ts'
import { getUser } from '#server/domain/account/store.ts'
import { acceptChannelInvite, declineChannelInvite } from '#server/domain/channels/sharing.ts'
import type { KindParams } from '#server/domain/notifications/kinds.ts'
import { authorize, reaches } from '#server/domain/projects/access.ts'
import { acceptInvite, declineInvite } from '#server/domain/projects/team-answers.ts'

export const notifyHistoryRoutes = implement(history, {
  list: async ({ limit, offset, ...wanted }, ctx) => {
    const filter = {
      userId: ctx.user.id,
      now: iso(ctx.clock.now()),
      projectId: projectOf(ctx.user, wanted.project_id),
      kind: wanted.name,
      channel: wanted.channel,
      category: wanted.category,
      from: wanted.date_from && utc(wanted.date_from),
      to: wanted.date_to && utc(wanted.date_to),
      isRead: wanted.status_read && wanted.status_read === 'read',
    }
    const { rows, total } = await listNotifications(ctx.db, filter, { limit, offset })
    return { total, limit, offset, results: await presentNotifications(ctx.db, rows, wanted.channel ?? 'cabinet') }
  },

  get: async ({ _id }, ctx) => present(ctx, await own(ctx, _id)),

  getStatus: async (_, { db, clock, user }) => ({ count_unread: await countUnread(db, user.id, iso(clock.now())) }),

  read: async ({ notify_history_ids }, ctx) => {
    const ids = notify_history_ids.flatMap((text) => idOf(text) ?? [])
    const count = await updateRead(ctx.db, ctx.user.id, [...new Set(ids)], iso(ctx.clock.now()))
    if (count > 0) await publishUnread(ctx, ctx.user.id)
    return { count }
  },

  runAction: async ({ notify_history_id, action_name, group_id }, ctx) => {
    const row = await own(ctx, notify_history_id)
    const action = actionsOf(row)[group_id]?.find(({ name }) => name === action_name)
    if (!action) throw new RuleError('UnknownAction')
    // A repeated call answers the same: the response may have been lost.
    if (row.done !== action_name && (row.done === null || action_name === 'accept' || action_name === 'decline')) {
      if (action.name === 'accept' || action.name === 'decline') await answerInvitation(ctx, row, action.name)
      await updateDone(ctx.db, row.id, action_name, iso(ctx.clock.now()))
      await publishUnread(ctx, ctx.user.id)
    }
    return present(ctx, await own(ctx, notify_history_id))
  },

  setAllCabinetRead: async (_, ctx) => {
    const count = await updateRead(ctx.db, ctx.user.id, null, iso(ctx.clock.now()))
    if (count > 0) await publishUnread(ctx, ctx.user.id)
    return { success: true }
  },
})

type Own = Pick<Context<'session'>, 'db' | 'clock' | 'user'>

/** @throws ForbiddenError for another project than that of the token */
function projectOf(user: User, named: number | undefined): number | undefined {
  if (named !== undefined && !reaches(user, named)) throw new ForbiddenError('Forbidden_project')
  return named ?? user.grant?.projectId ?? undefined
}

const unknown = () => new RuleError('NotificationNotFound')

/** Returns a notification of the caller. @throws RuleError `NotificationNotFound` for an unknown or foreign one */
async function own({ db, clock, user }: Own, text: string): Promise<NotificationRow> {
  const id = idOf(text)
  const row = id === null ? undefined : await findNotification(db, user.id, id, iso(clock.now()))
  if (!row || !reaches(user, row.project_id)) throw unknown()
  return row
}

async function present({ db }: Own, row: NotificationRow) {
  const [shown] = await presentNotifications(db, [row], 'cabinet')
  if (!shown) throw unknown()
  return shown
}

/** Reads an id of the wire. @returns null for a text that is no id */
function idOf(text: string): number | null {
  const id = /^\d{1,10}$/.test(text) ? Number(text) : 0
  return id > 0 && id <= 2_147_483_647 ? id : null
}

// Answers to invitations from a notification: with the present rights of the user, by the functions of the invitations.

/** Accepts or declines the invitation of a notification. @throws RuleError `InviteRejected` for an expired or used one */
async function answerInvitation(
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
  if (email === null) throw new RuleError('InviteRejected')
  await (answer === 'accept' ? acceptInvite : declineInvite)(ctx, ctx.user, { id, email })
}
