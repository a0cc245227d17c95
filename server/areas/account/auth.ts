// Sign-in: where it begins, the code it ends with, the rotating pair, and the way out.
import { auth } from '#contract/areas/account/auth.ts'
import { RuleError, ValidationError } from '#server/core/errors.ts'
import { implement } from '#server/core/implement.ts'
import { networkOf } from '#server/core/limits.ts'
import { hashOf } from '#server/core/secrets.ts'
import { transaction } from '#server/db/transaction.ts'
import { fileUrl } from '#server/domain/avatars.ts'
import { isInvitation, issueCode, redeemCode } from '#server/domain/codes.ts'
import { returnTo } from '#server/domain/return-to.ts'
import { refresh, signOut, startSession } from '#server/domain/tokens.ts'
import { getUser, knowsRefId } from './users-store.ts'

const exchangesPerMinute = 60

const notConfigured = (provider: string): never => {
  throw new RuleError('ProviderNotConfigured', 'This service does not sign in with this provider', { provider })
}

export const authRoutes = implement(auth, {
  redirectUrl: async ({ provider, redirect, state, app, refId }, { config, origin, language, ...ctx }) => {
    if (provider !== 'local') return notConfigured(provider)
    const back = returnTo(redirect, origin, config)
    if (!back) throw new ValidationError([{ property: 'redirect', constraints: { trusted: 'must be a known origin' } }])
    const query = new URLSearchParams({ redirect: back.href, app, language, ...(state === undefined ? {} : { state }) })
    // Who invites may be a person, or the service itself by a link that works once.
    const isInvited = refId !== undefined && (await isInvitation(ctx, ctx.db, refId))
    if (isInvited) query.set('code', refId)
    return { url: `${origin}/auth/local/${isInvited ? 'sign-up' : 'sign-in'}?${query.toString()}` }
  },

  exchange: ({ code, state, fingerprint, userAgent, app }, ctx) => {
    ctx.limits.count(`exchange ${networkOf(ctx.address)}`, exchangesPerMinute)
    return transaction(ctx.db, async (trx) => {
      const row = await redeemCode(ctx, trx, 'exchange', code)
      const bound = row && (row.state === null || (state !== undefined && row.state === hashOf(state)))
      if (!bound || row.user_id === null || row.app !== app) return null
      return startSession(ctx, trx, row.user_id, { app, fingerprint, userAgent: userAgent || ctx.userAgent })
    }).then((pair) => {
      // Thrown outside: a code that was shown with a wrong state stays used.
      if (!pair) throw new RuleError('CodeRejected', 'The code is not valid. Sign in again.')
      return pair
    })
  },

  appCode: async ({ app }, ctx) => ({ code: await issueCode(ctx, ctx.db, 'exchange', { userId: ctx.user.id, app }) }),

  refreshAccess: (input, ctx) => refresh(ctx, input.refresh, input.fingerprint ?? ''),

  me: async (_, { db, user, origin }) => {
    const row = await getUser(db, user.id)
    return {
      id: row.id,
      firstName: row.first_name,
      lastName: row.last_name,
      email: row.email,
      photo: fileUrl(origin, row.photo),
      language: row.language,
      lastProjectId: row.last_project_id,
    }
  },

  guest: async ({ refId }, { db }) => ({ refId, known: await knowsRefId(db, refId) }),

  logout: async (input, ctx) => {
    await signOut(ctx, input.refresh)
    return { success: true }
  },

  connect: ({ provider }) => notConfigured(provider),
  connectCallback: () => notConfigured('any'),
  connectTelegram: () => notConfigured('telegram'),
  disconnect: () => notConfigured('any'),
  authTelegram: () => notConfigured('telegram'),
  callbackVk: () => notConfigured('vk'),
  callbackVkId: () => notConfigured('vk-id'),
  callbackGoogle: () => notConfigured('google'),
})
