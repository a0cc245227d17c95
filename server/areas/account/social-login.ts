// Social login: begins and ends sign-in and connecting at a provider, and redirects the browser.
import type { App, Language } from '#contract/core/wire.ts'
import type { Call, User } from '#server/core/context.ts'
import { cookieIn } from '#server/core/cookies.ts'
import { RuleError, ValidationError } from '#server/core/errors.ts'
import { networkOf } from '#server/core/limits.ts'
import { derivedKey, seal, tryUnseal, unseal } from '#server/core/secrets.ts'
import { transaction } from '#server/db/transaction.ts'
import { issueCode, redeemCode } from '#server/domain/account/codes.ts'
import { proveFresh } from '#server/domain/account/credentials.ts'
import { connect } from '#server/domain/account/identities.ts'
import { beginOAuth, exchangeAnswer, expired, isConfigured } from '#server/domain/account/oauth.ts'
import { keepAnswer, type OAuthAnswer, type OAuthState, redeemState } from '#server/domain/account/oauth-state.ts'
import { returnTo } from '#server/domain/account/return-to.ts'
import { afterFirstStep } from '#server/domain/account/second-step.ts'
import { lockUser } from '#server/domain/account/store.ts'
import {
  authorizationOf,
  hasTelegram,
  type OAuthSignIn,
  type SocialProfile,
  socialProfileOf,
} from '#server/domain/account/sign-in-providers.ts'
import { type TelegramFields, telegramMissing, telegramProfile } from '#server/domain/account/telegram-login.ts'
import { signInWith } from '#server/domain/projects/sign-up.ts'
import { clientState } from './browser.ts'

const beginningsPerMinute = 60

/** A social login between its begin and the redirect back. */
interface Flow {
  /** Address that the browser returns to. */
  readonly back: string
  readonly app: App
  readonly state: string
  readonly language: Language
  /** One-time code of an invitation, or of the owner's link. */
  readonly code: string
}

type Provider = OAuthSignIn | 'telegram'
type Signed = Call & { readonly user: User }

/** @throws RuleError `ProviderNotConfigured` */
export function notConfigured(provider: string): never {
  throw new RuleError('ProviderNotConfigured', { provider })
}

/** Returns the address to return to. @throws ValidationError for an untrusted origin */
export function trusted(redirect: string | undefined, { origin, config }: Call): URL {
  const back = returnTo(redirect, origin, config)
  if (back) return back
  throw new ValidationError([{ property: 'redirect', text: 'trusted' }])
}

/** Begins a sign-in. @returns the address to redirect to; its state binds the answer to this browser */
export async function beginSignIn(ctx: Call, provider: Provider, back: URL, flow: Omit<Flow, 'back'>): Promise<string> {
  if (!isReady(ctx, provider)) return notConfigured(provider)
  if (flow.state === '') {
    // Our own page sets a cookie in place of the state, also for a client of another origin.
    return withParameters(`${ctx.origin}/auth/local/with/${provider}`, { ...filled(flow), redirect: back.href })
  }
  ctx.limits.count(`begin ${networkOf(ctx.address)}`, beginningsPerMinute)
  if (provider === 'telegram') {
    return telegramPage(ctx, { ...filled(flow), redirect: back.href })
  }
  const data = sealed(ctx, { ...flow, back: back.href })
  const redirectUri = callbackUrl(ctx, provider)
  return beginOAuth(ctx, ctx.db, { provider, purpose: 'sign-in', redirectUri, ...authorizationOf[provider], data })
}

/**
 * Begins to connect a social login to the signed-in account. @returns the address to redirect to
 * @throws RuleError `SignInAgain`: a connected account can sign in, so an access token alone is not enough
 */
export async function beginConnect(ctx: Signed, provider: Provider, back: URL): Promise<string> {
  if (!isReady(ctx, provider)) return notConfigured(provider)
  ctx.limits.count(`begin ${networkOf(ctx.address)}`, beginningsPerMinute)
  await proveFresh(ctx, ctx.user)
  const { id: userId } = ctx.user
  if (provider === 'telegram') {
    const connecting = await issueCode(ctx, ctx.db, 'connect', { userId })
    return telegramPage(ctx, { connect: connecting, redirect: back.href, language: ctx.language })
  }
  const data = sealed(ctx, { back: back.href, app: 'site', state: '', language: ctx.language, code: '' })
  const redirectUri = callbackUrl(ctx, provider)
  return beginOAuth(ctx, ctx.db, {
    provider,
    purpose: 'connect',
    userId,
    redirectUri,
    ...authorizationOf[provider],
    data,
  })
}

/** Handles the redirect of a provider. The browser always ends at a page that shows the outcome. */
export async function comeBack(ctx: Call, provider: OAuthSignIn, answer: OAuthAnswer) {
  if (!isConfigured(ctx.config, provider)) return notConfigured(provider)
  const begun = await redeemState(ctx, ctx.db, { state: answer['state'] ?? '', purposes: ['sign-in'] })
  const signIn = begun?.provider === provider ? opened(ctx, begun) : null
  if (begun && signIn) return { location: await endSignIn(ctx, signIn, () => ask(ctx, provider, begun, answer)) }
  // Only the user that began may connect the account: the dashboard presents the message with the user's access token.
  const kept = begun ? null : await keepAnswer(ctx, ctx.db, { provider, purpose: 'connect', answer })
  const connecting = kept && opened(ctx, kept.begun)
  if (connecting) return { location: withParameters(connecting.back, { message: kept.ticket }) }
  return { location: withParameters(`${ctx.origin}/auth/callback`, { error: 'AuthorizationExpired' }) }
}

/** Handles the redirect of Telegram's widget. */
export async function comeBackFromTelegram(ctx: Call, flow: Flow, fields: TelegramFields) {
  if (!hasTelegram(ctx.config)) throw telegramMissing()
  return { location: await endSignIn(ctx, flow, () => telegramProfile(ctx, fields)) }
}

/** Connects the account of a stored response to the user that began. @throws `AuthorizationExpired`, or as `connect` */
export async function endConnect(ctx: Signed, message: string): Promise<void> {
  const telegram = openTelegram(ctx, message)
  if (telegram) return endConnectTelegram(ctx, telegram)
  const begun = await redeemState(ctx, ctx.db, { state: message, purposes: ['connect'], userId: ctx.user.id })
  if (!begun?.answer) throw expired()
  await connect(ctx, ctx.user.id, await ask(ctx, begun.provider as OAuthSignIn, begun, begun.answer))
}

async function endConnectTelegram(ctx: Signed, { connect: code, fields }: TelegramAnswer): Promise<void> {
  const begun = await redeemCode(ctx, ctx.db, 'connect', code)
  if (begun?.user_id !== ctx.user.id) throw expired()
  await connect(ctx, ctx.user.id, await telegramProfile(ctx, fields))
}

/** Fields of Telegram's widget, with the code of the connecting user. */
interface TelegramAnswer {
  readonly connect: string
  readonly fields: TelegramFields
}

const telegramMark = 'telegram.'
const telegramKey = ({ config }: Pick<Call, 'config'>) => derivedKey(config.secret, 'telegram answer')

/** Returns the message for `endConnect`, which only the redirected browser gets. */
export const telegramMessage = (services: Pick<Call, 'config'>, answer: TelegramAnswer): string =>
  `${telegramMark}${seal(telegramKey(services), JSON.stringify(answer))}`

/** Null for a message of another provider. @throws RuleError `AuthorizationExpired` for a forged one */
function openTelegram(ctx: Call, message: string): TelegramAnswer | null {
  if (!message.startsWith(telegramMark)) return null
  try {
    return JSON.parse(unseal(telegramKey(ctx), message.slice(telegramMark.length))) as TelegramAnswer
  } catch {
    throw expired()
  }
}

const ask = async (ctx: Call, provider: OAuthSignIn, begun: OAuthState, answer: OAuthAnswer): Promise<SocialProfile> =>
  socialProfileOf(ctx, provider, await exchangeAnswer(ctx, begun, answer))

/** Signs in. @returns the address to return to, with a code or with the name of the error */
async function endSignIn(ctx: Call, flow: Flow, profileOf: () => Promise<SocialProfile>): Promise<string> {
  const { app, language, code } = flow
  const state = clientState(flow.state, ctx.cookie)
  // Without this check a forged link could sign a user in to another account.
  if (state === null) return withParameters(flow.back, { error: 'AuthorizationExpired' })
  try {
    const user = await signInWith(ctx, await profileOf(), { language, ...(code === '' ? {} : { code }) })
    const browser = { token: cookieIn(ctx.cookie, 'rd_browser'), userAgent: ctx.userAgent, address: ctx.address }
    return await transaction(ctx.db, async (trx) => {
      await lockUser(trx, user.id)
      const first = { userId: user.id, app, state, language, origin: ctx.origin, browser }
      return afterFirstStep(ctx, trx, new URL(flow.back), first)
    })
  } catch (error) {
    if (!(error instanceof RuleError)) throw error
    return withParameters(flow.back, { error: error.name, ...filled({ state }) })
  }
}

/** Returns the provider of this name if it is configured. */
export const readyProvider = (ctx: Pick<Call, 'config'>, name: string): Provider | null =>
  (['google', 'vk', 'vk-id', 'telegram'] as const).find((one) => one === name && isReady(ctx, one)) ?? null

const isReady = ({ config }: Pick<Call, 'config'>, provider: Provider): boolean =>
  provider === 'telegram' ? hasTelegram(config) : isConfigured(config, provider)

/** Normalised as providers compare it: without a default port. */
const callbackUrl = ({ origin }: Call, provider: OAuthSignIn): string =>
  new URL(`/method/auth/callback/${provider}`, origin).href

const telegramPage = ({ origin }: Call, fields: Readonly<Record<string, string>>): string =>
  withParameters(`${origin}/auth/local/telegram`, fields)

const filled = (flow: object) => Object.fromEntries(Object.entries(flow).filter(([, value]) => value !== ''))

function withParameters(address: string, fields: Readonly<Record<string, string>>): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value)
  return url.href
}

/** Sealed, because it contains the code of an invitation and the state of a browser. */
const sealed = (ctx: Call, flow: Flow) => ({ flow: seal(flowKey(ctx), JSON.stringify(flow)) })
/** Null when `SECRET` has changed since: the authorization has expired. */
const opened = (ctx: Call, { data }: OAuthState) =>
  JSON.parse(tryUnseal(flowKey(ctx), data['flow'] ?? '') ?? 'null') as Flow | null
const flowKey = ({ config }: Call) => derivedKey(config.secret, 'sign-in flow')
