// Sign-in over HTTP: begin, exchange of codes, token rotation, sign-out, social logins.
import { auth } from '#contract/areas/account/auth.ts'
import { cookieIn } from '#server/core/cookies.ts'
import { implement } from '#server/core/implement.ts'
import { networkOf } from '#server/core/limits.ts'
import { signUpIsOpen } from '#server/domain/account/accounts.ts'
import { fileUrl } from '#server/domain/account/pictures.ts'
import { invitationOf } from '#server/domain/account/codes.ts'
import { disconnect } from '#server/domain/account/identities.ts'
import { billingMode } from '#server/domain/installation/installation.ts'
import { hasOperator } from '#server/domain/installation/store.ts'
import { exchangeCode, handOver } from '#server/domain/account/sessions.ts'
import { offeredProviders } from '#server/domain/account/sign-in-providers.ts'
import { sendMail } from '#server/domain/account/mail.ts'
import { noticeSignIn } from '#server/domain/notifications/sign-in-notice.ts'
import { getUser, hasRefId } from '#server/domain/account/store.ts'
import { refresh, signOut } from '#server/domain/account/tokens.ts'
import {
  beginConnect,
  beginSignIn,
  comeBack,
  comeBackFromTelegram,
  endConnect,
  notConfigured,
  trusted,
} from './social-login.ts'

const exchangesPerMinute = 60

export const authRoutes = implement(auth, {
  redirectUrl: async ({ provider, redirect, state = '', app, refId }, ctx) => {
    const back = trusted(redirect, ctx)
    // `refId` is the referral id of a user, or the one-time code of an invitation.
    const invitation = refId === undefined ? null : await invitationOf(ctx, ctx.db, refId)
    const flow = { app, state, language: ctx.language, code: invitation === 'open' && refId ? refId : '' }
    if (provider !== 'local') return { url: await beginSignIn(ctx, provider, back, flow) }
    // The page reports an expired link.
    const code = invitation && refId ? refId : ''
    const filled = Object.entries({ redirect: back.href, ...flow, code }).filter(([, value]) => value !== '')
    const query = new URLSearchParams(Object.fromEntries(filled))
    return { url: `${ctx.origin}/auth/local/${invitation === 'open' ? 'sign-up' : 'sign-in'}?${query.toString()}` }
  },

  exchange: ({ code, state, fingerprint, userAgent, app }, ctx) => {
    ctx.limits.countGuess(`exchange ${networkOf(ctx.address)}`, exchangesPerMinute)
    const device = { app, fingerprint, userAgent: userAgent || ctx.userAgent, address: ctx.address }
    return exchangeCode(ctx, { code, state }, device, async (trx, userId) => {
      const notice = await noticeSignIn(ctx, trx, userId, device)
      return () => notice && void sendMail(ctx, notice.to, notice.mail)
    })
  },

  appCode: async ({ app }, ctx) => ({ code: await handOver(ctx, ctx.user, app) }),

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
      billing: await billingMode(db),
      operator: await hasOperator(db, user.id),
    }
  },

  guest: async ({ refId }, { db }) => ({ refId, known: await hasRefId(db, refId) }),

  logout: async (input, ctx) => {
    await signOut(ctx, input.refresh)
    return { success: true }
  },

  connect: async ({ provider, redirect }, ctx) => {
    const back = trusted(redirect ?? '/account/socials', ctx)
    return { url: provider === 'local' ? notConfigured(provider) : await beginConnect(ctx, provider, back) }
  },

  connectCallback: async ({ message }, ctx) => {
    await endConnect(ctx, message)
    return { success: true }
  },

  connectTelegram: async ({ message }, ctx) => {
    await endConnect(ctx, message ?? cookieIn(ctx.cookie, 'rd_telegram') ?? '')
    return { success: true }
  },

  disconnect: async ({ social_id }, ctx) => {
    await disconnect(ctx, ctx.user.id, social_id)
    return { success: true }
  },

  authTelegram: async ({ app, redirect, refId, country: _, state = '', ...fields }, ctx) => {
    const back = trusted(redirect, ctx).href
    const code = refId !== undefined && (await invitationOf(ctx, ctx.db, refId)) === 'open' ? refId : ''
    return comeBackFromTelegram(ctx, { back, app, state, language: ctx.language, code }, fields)
  },

  clientConfiguration: async (_, ctx) => ({
    providers: ['local', ...offeredProviders(ctx.config)],
    signUp: await signUpIsOpen(ctx),
  }),

  callbackVk: (answer, ctx) => comeBack(ctx, 'vk', answer),
  callbackVkId: (answer, ctx) => comeBack(ctx, 'vk-id', answer),
  callbackGoogle: (answer, ctx) => comeBack(ctx, 'google', answer),
})
