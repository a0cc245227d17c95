// Password, e-mail and language of the signed-in person over HTTP.
import { settings } from '#contract/areas/account/settings.ts'
import { implement } from '#server/core/implement.ts'
import { changeEmail, changePassword } from '#server/domain/credentials.ts'
import { setLanguage } from './users-store.ts'

export const accountSettingRoutes = implement(settings, {
  password: async ({ old_password: old, new_password: next }, ctx) => {
    await changePassword(ctx, ctx.user, { old, next })
    return { success: true }
  },

  email: async (input, ctx) => {
    await changeEmail(ctx, ctx.user, input)
    return { success: true }
  },

  language: async (_, { db, user, language }) => {
    await setLanguage(db, user.id, language)
    return { success: true }
  },
})
