// Auth: sign-in by provider and by code, rotating token pair, sign-out, connected social logins.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { maybe } from '#contract/core/lenient.ts'
import { read, write } from '#contract/core/operation.ts'
import { App, Id, Nothing, Redirect, Success } from '#contract/core/wire.ts'
import { BillingMode } from '#contract/entities/plan.ts'

/** Sign-in providers. `local` is ours: accounts of this service (decided). */
export const Provider = z.enum(['local', 'google', 'vk', 'vk-id', 'telegram'])

const app = z._default(App, 'site')
const redirect = z.optional(z.string().check(z.maxLength(2000)))
const refId = z.optional(z.string().check(z.maxLength(64)))
const country = z._default(z.string().check(z.maxLength(2)), 'ru')
const state = z.optional(z.string().check(z.minLength(16), z.maxLength(200)))
const token = z.string().check(z.minLength(1), z.maxLength(4096))
const fingerprint = z._default(z.string().check(z.maxLength(256)), '')

/** A rotating pair (brief 2.1). */
export const TokenPair = z.object({ accessToken: z.string(), refreshToken: z.string() })
export type TokenPair = z.output<typeof TokenPair>

/** Fields of the Telegram login widget, signed by `hash`. */
const telegram = {
  auth_date: z.int(),
  id: z.int(),
  first_name: z.string().check(z.maxLength(256)),
  hash: z.string().check(z.maxLength(128)),
  last_name: z.optional(z.string().check(z.maxLength(256))),
  username: z.optional(z.string().check(z.maxLength(256))),
  photo_url: z.optional(z.string().check(z.maxLength(2000))),
}

/** Redirect address for the browser (decided; published without a body). */
const Url = z.object({ url: z.string() })

/** Sign-in configuration of this service (decided; published without a body). */
export const ClientConfiguration = z.object({
  /** Configured sign-in providers. */
  providers: z.array(Provider),
  /** Sign-up is open without an invitation. */
  signUp: z.boolean(),
})

/** Signed-in user, as the user menu shows it (decided; published without a body). */
export const Me = z.object({
  id: z.int(),
  firstName: z.string(),
  lastName: z.string(),
  email: maybe(z.string()),
  photo: maybe(z.string()),
  language: z.string(),
  lastProjectId: maybe(z.int()),
  /** Use of plans by the installation. */
  billing: maybe(BillingMode),
  /** True for operators of the installation. */
  operator: maybe(z.boolean()),
})

/** Message of the redirected browser. The longest is a sealed response of Telegram. */
const message = z.string().check(z.maxLength(6000))

/** Query parameter that a provider adds to the redirect address. */
const answer = z.optional(z.string().check(z.maxLength(4096)))

const callback = (provider: string, name: string) =>
  write('GET', `callback/${provider}`, {
    name,
    input: z.object({ state: answer, code: answer, error: answer, iss: answer, device_id: answer }),
    output: Redirect,
    status: 301,
    auth: 'none',
    scope: 'session',
    provenance: 'published',
    carries: [],
    notes: { iss: 'issuer of the response (RFC 9207)', device_id: 'VK ID only; VK ID requires it again' },
  })

export const auth = group(
  'account.auth',
  // The session begins or ends, and its queries with it.
  { prefix: 'auth', title: 'Auth', stale: [] },
  {
    redirectUrl: read('redirect-url', {
      name: 'Get url for start oauth',
      input: z.object({ provider: Provider, app, redirect, refId, country, state }),
      output: Url,
      auth: 'none',
      scope: 'session',
      provenance: 'published',
      notes: {
        redirect: 'where to return with `code` and `state`; an origin this service serves or is configured to trust',
        state:
          'decided: random value of the browser that begins; the exchange must show it again. Left out, a cookie takes its place',
        refId: 'ID of the inviter, or the code of a link that allows a new account',
      },
    }),
    exchange: write('POST', 'app/exchange', {
      name: 'Code exchange',
      input: z.object({
        code: token,
        userAgent: z._default(z.string().check(z.maxLength(1000)), ''),
        fingerprint,
        app,
        state,
      }),
      output: TokenPair,
      status: 201,
      auth: 'none',
      scope: 'session',
      provenance: 'published',
      replay: 'never',
      notes: { state: 'decided: required when the sign-in began with one' },
    }),
    appCode: write('GET', 'app/code', {
      name: 'Get code for auth',
      input: z.object({ app }),
      output: z.object({ code: z.string() }),
      auth: 'session',
      scope: 'session',
      provenance: 'published',
    }),
    refreshAccess: write('POST', 'refresh-access', {
      name: 'Update access token',
      input: z.object({ app: App, refresh: token, fingerprint: z.optional(z.string().check(z.maxLength(256))) }),
      output: TokenPair,
      auth: 'none',
      scope: 'session',
      provenance: 'brief',
      replay: 'never',
    }),
    me: read('me', {
      name: 'Get basic data for auth user',
      input: Nothing,
      output: Me,
      auth: 'session',
      scope: 'profile:read',
      provenance: 'published',
    }),
    guest: read('guest', {
      name: 'Guest request of auth',
      input: z.object({ refId: z.string().check(z.minLength(1), z.maxLength(64)) }),
      output: z.object({ refId: z.string(), known: z.boolean() }),
      auth: 'none',
      scope: 'session',
      provenance: 'published',
      carries: [],
      notes: { known: 'decided: whether an inviter has this ID' },
    }),
    logout: write('POST', 'logout', {
      name: 'Logout',
      input: z.object({ app, refresh: token }),
      output: Success,
      auth: 'none',
      scope: 'session',
      revokes: true,
      provenance: 'published',
      carries: [],
      replay: 'never',
    }),
    connect: write('GET', 'connect', {
      name: 'Connected social account',
      input: z.object({ provider: Provider, app, redirect }),
      output: Url,
      auth: 'session',
      scope: 'session',
      provenance: 'published',
    }),
    connectCallback: write('GET', 'connect/callback', {
      name: 'CallBack for connect social',
      input: z.object({ message }),
      output: Success,
      auth: 'session',
      scope: 'session',
      provenance: 'published',
      replay: 'never',
      notes: { message: 'from the callback URL; valid once, in the browser that started' },
      stale: ['account.socials'],
    }),
    connectTelegram: write('POST', 'connect-telegram', {
      name: 'Connect telegram in account',
      placement: 'query',
      input: z.object({ message: z.optional(message) }),
      output: Success,
      status: 201,
      auth: 'session',
      scope: 'session',
      provenance: 'published',
      replay: 'never',
      notes: {
        message: 'decided: as in connect/callback; left out, the one that the service left in a cookie of this browser',
      },
      stale: ['account.socials'],
    }),
    disconnect: write('GET', 'disconnect', {
      name: 'Disconnected social account',
      input: z.object({ social_id: Id }),
      output: Success,
      auth: 'session',
      scope: 'session',
      provenance: 'published',
      stale: ['account.socials'],
    }),
    authTelegram: write('GET', 'auth-telegram', {
      name: 'Auth telegram',
      input: z.object({
        ...telegram,
        app,
        redirect,
        refId,
        country,
        state,
        language_code: z.optional(z.string().check(z.maxLength(64))),
        is_premium: z.optional(z.boolean()),
        added_to_attachment_menu: z.optional(z.boolean()),
      }),
      output: Redirect,
      status: 301,
      auth: 'none',
      scope: 'session',
      provenance: 'published',
      notes: {
        auth_date: 'Unix seconds',
        state: 'decided: as in redirect-url; left out, the sign-in ends with `AuthorizationExpired`',
      },
    }),
    clientConfiguration: write('POST', 'GetClientConfiguration', {
      name: 'Get the options of the sign-in page',
      input: Nothing,
      output: ClientConfiguration,
      status: 201,
      auth: 'none',
      scope: 'session',
      provenance: 'published',
      carries: [],
    }),
    callbackVk: callback('vk', 'Internal request of auth old vk'),
    callbackVkId: callback('vk-id', 'Internal request of auth new vk'),
    callbackGoogle: callback('google', 'Internal request of auth google'),
  },
)
