// Second factors of the signed-in user over HTTP.
import { security } from '#contract/areas/account/security.ts'
import { implement } from '#server/core/implement.ts'
import {
  beginAuthenticator,
  confirmAuthenticator,
  dropAuthenticator,
  listFactors,
  renewRecoveryCodes,
} from '#server/domain/account/factors.ts'
import {
  addPasskey,
  askPasskey,
  beginPasskey,
  dropPasskey,
  type Registration,
} from '#server/domain/account/passkeys.ts'
import { forgetBrowser } from '#server/domain/account/remembered-browsers.ts'

export const securityRoutes = implement(security, {
  get: async (_, { user, ...ctx }) => {
    const { recoveryCodes, ...factors } = await listFactors(ctx, ctx.db, user.id)
    return { ...factors, recovery_codes: recoveryCodes }
  },
  beginAuthenticator: (_, ctx) => beginAuthenticator(ctx, ctx.user),
  confirmAuthenticator: async ({ code }, ctx) => ({
    recovery_codes: [...(await confirmAuthenticator(ctx, ctx.user, code))],
  }),
  removeAuthenticator: async (_, ctx) => {
    await dropAuthenticator(ctx, ctx.user)
    return { success: true }
  },
  beginPasskey: async (_, ctx) => ({ options: { ...(await beginPasskey(ctx, ctx.user, ctx.origin)) } }),
  addPasskey: async ({ name, response }, ctx) => {
    const codes = await addPasskey(ctx, ctx.user, { name, response: response as Registration, origin: ctx.origin })
    return { recovery_codes: [...codes] }
  },
  removePasskey: async ({ passkey_id }, ctx) => {
    await dropPasskey(ctx, ctx.user, passkey_id)
    return { success: true }
  },
  askPasskey: async (_, ctx) => ({ options: { ...(await askPasskey(ctx, ctx.origin, ctx.user.id)) } }),
  renewCodes: async (_, ctx) => ({ recovery_codes: [...(await renewRecoveryCodes(ctx, ctx.user))] }),
  forgetBrowser: async ({ browser_id }, ctx) => {
    await forgetBrowser(ctx, ctx.user.id, browser_id)
    return { success: true }
  },
})
