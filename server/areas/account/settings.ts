// Password, e-mail and language of the signed-in user over HTTP.
import { settings } from '#contract/areas/account/settings.ts'
import type { Call } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { implement } from '#server/core/implement.ts'
import { changePassword, renewSignIn } from '#server/domain/account/credentials.ts'
import { type AskedEmail, changeEmail, emailLink } from '#server/domain/account/email-change.ts'
import { changingMail, confirmMail, sendMail } from '#server/domain/account/mail.ts'
import { type Assertion, renewByPasskey } from '#server/domain/account/passkeys.ts'
import { updateUser } from '#server/domain/account/store.ts'

export const accountSettingRoutes = implement(settings, {
  password: async ({ old_password: old, new_password: next }, ctx) => {
    await changePassword(ctx, ctx.user, { old, next })
    return { success: true }
  },

  email: async (input, ctx) => {
    const asked = await changeEmail(ctx, ctx.user, input)
    if (asked) await mail(ctx, asked)
    return { success: true, confirm: asked !== null }
  },

  confirm: async (input, ctx) => {
    const { password, code, passkey } = input
    if (passkey) await renewByPasskey(ctx, ctx.user, { response: passkey as Assertion, origin: ctx.origin })
    else await renewSignIn(ctx, ctx.user, { password, code })
    return { success: true }
  },

  language: async (_, { db, user, language }) => {
    await updateUser(db, user.id, { language })
    return { success: true }
  },
})

/** @throws RuleError `MailNotSent`: the link was not delivered, and nothing changes */
async function mail(ctx: Call, asked: AskedEmail): Promise<void> {
  const { to, from } = asked
  const sent = await sendMail(ctx, to, (origin) => confirmMail(ctx.language, emailLink(origin, asked, ctx.language)))
  if (sent !== 'sent') throw new RuleError('MailNotSent')
  // Not awaited: a notification to the old address.
  if (from !== null) void sendMail(ctx, from, () => changingMail(ctx.language, to))
}
