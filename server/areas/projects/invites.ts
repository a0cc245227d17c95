// Invitations into a project over HTTP: owners create them, the holder of the link answers.
import { invites } from '#contract/areas/projects/invites.ts'
import { implement } from '#server/core/implement.ts'
import { networkOf } from '#server/core/limits.ts'
import { normalEmail, signUpIsOpen } from '#server/domain/account/accounts.ts'
import { fileUrl } from '#server/domain/account/pictures.ts'
import { ForbiddenError } from '#server/core/errors.ts'
import type { Call, Context } from '#server/core/context.ts'
import type { Trx } from '#server/db/open.ts'
import { findUserByEmail } from '#server/domain/account/store.ts'
import { notify } from '#server/domain/notifications/notify.ts'
import { listProjectIds } from '#server/domain/notifications/store.ts'
import { getUserName } from '#server/domain/projects/store.ts'
import { nameOf } from '#server/domain/projects/team-rules.ts'
import { inviteMail } from '#server/domain/projects/invite-mail.ts'
import { sendMail } from '#server/domain/account/mail.ts'
import { projectName } from '#server/domain/projects/projects.ts'
import {
  acceptInvite,
  declineInvite,
  issueSignUpCode,
  maySignUp,
  readInvite,
} from '#server/domain/projects/team-answers.ts'
import { addInvite, listInvites, withdrawInvites } from '#server/domain/projects/team-invites.ts'
import type { InviteRow } from '#server/domain/projects/invites-store.ts'
import { asOwner } from '#server/domain/projects/team.ts'

const perMinute = { looked: 60, sent: 20 }

export const inviteRoutes = implement(invites, {
  list: async ({ project_id }, ctx) => ({
    results: (await listInvites(ctx, ctx.db, project_id)).map((row) => ({
      ...presentInvite(row),
      from_user_: { user_id: row.from_user_id, name: row.first_name, fename: row.last_name },
    })),
  }),

  add: async ({ project_id, access_type, email }, ctx) => {
    ctx.limits.count(`invite ${ctx.user.id}`, perMinute.sent)
    const { row, secret } = await asOwner(ctx, ctx.user, project_id, async ({ trx }) => {
      const added = await addInvite(ctx, trx, {
        projectId: project_id,
        fromUserId: ctx.user.id,
        accessType: access_type,
        email: email === undefined ? null : normalEmail(email),
      })
      await noticeInvite(ctx, trx, added.row)
      return added
    })
    return { ...presentInvite(row), secret, url: linkTo(ctx.origin, secret), mail: await mailTo(ctx, row, secret) }
  },

  del: async ({ project_id, id }, ctx) => {
    const gone = await asOwner(ctx, ctx.user, project_id, ({ trx }) =>
      withdrawInvites(ctx, trx, ctx.user.id, { project_id, id }),
    )
    if (gone === 0) throw new ForbiddenError()
    return { success: true }
  },

  getForSecret: async ({ secret }, ctx) => {
    countLook(ctx)
    const row = await readInvite(ctx, secret)
    return {
      access_type: row.access_type,
      date_expire: row.date_expire,
      from_user_: { name: row.first_name, fename: row.last_name },
      project_: { name: row.name, fename: row.fename, photo_50: fileUrl(ctx.origin, row.photo), type: row.type },
      may_sign_up: await maySignUp(ctx),
    }
  },

  signUp: async ({ secret }, ctx) => {
    countLook(ctx)
    return { code: await issueSignUpCode(ctx, secret) }
  },

  accept: async ({ secret }, ctx) => ({ success: true, project_id: await acceptInvite(ctx, ctx.user, { secret }) }),

  decline: async ({ secret }, ctx) => {
    countLook(ctx)
    await declineInvite(ctx, ctx.user, { secret })
    return { success: true }
  },
})

/**
 * Notifies the account with the invited e-mail. Not where anyone may sign up: an account does not prove its e-mail there, and
 * only the link in the e-mail does.
 */
async function noticeInvite(ctx: Context<'owner'>, trx: Trx, row: InviteRow): Promise<void> {
  if (row.email === null || (await signUpIsOpen({ db: trx, config: ctx.config }))) return
  const userId = (await findUserByEmail(trx, row.email))?.id
  const [projectId] = userId === undefined ? [] : await listProjectIds(trx, userId)
  if (userId === undefined || projectId === undefined) return
  const [project, from] = [await projectName(trx, row.project_id), nameOf(await getUserName(trx, ctx.user.id))]
  const params = { invite_id: row.id, project, from }
  // The e-mail with the link is sent as well.
  const without = ['email'] as const
  await notify(ctx, trx, { kind: 'request_access_project', projectId, ref: row.id, userId, params, without })
}

const countLook = ({ limits, address }: Call): void =>
  limits.countGuess(`invite ${networkOf(address)}`, perMinute.looked)

/** The secret follows `#`, which browsers do not send to servers. */
const linkTo = (origin: string, secret: string): string => `${origin}/invite#${secret}`

async function mailTo(ctx: Call, { email, project_id, date_expire }: InviteRow, secret: string) {
  if (email === null) return 'none'
  const project = await projectName(ctx.db, project_id)
  return sendMail(ctx, email, (origin) =>
    inviteMail(ctx.language, { project, url: linkTo(origin, secret), until: date_expire }),
  )
}

const presentInvite = (row: InviteRow) => ({
  project_invite_id: row.id,
  project_id: row.project_id,
  access_type: row.access_type,
  email: row.email,
  date: row.date_create,
  date_expire: row.date_expire,
  from_user_id: row.from_user_id,
})
