// Sign-in and connecting by an account elsewhere: beginning, coming back, and what the browser is told in the end.
import type { Outsider } from '#server/domain/account/outsider.ts'
import type { App, Language } from '#contract/core/wire.ts'
import type { Call, User } from '#server/core/context.ts'
import { RuleError, ValidationError } from '#server/core/errors.ts'
import { networkOf } from '#server/core/limits.ts'
import { derivedKey, seal, unseal } from '#server/core/secrets.ts'
import { issueCode, redeemCode } from '#server/domain/account/codes.ts'
import { proveFresh } from '#server/domain/account/credentials.ts'
import { connect, signInWith } from '#server/domain/account/identities.ts'
import { beginOAuth, exchangeAnswer, expired, isConfigured } from '#server/domain/account/oauth.ts'
import { keepAnswer, type OAuthAnswer, type OAuthState, redeemState } from '#server/domain/account/oauth-state.ts'
import { returnTo, withCode } from '#server/domain/account/return-to.ts'
import { asking, hasTelegram, type OAuthSignIn, outsiderOf } from '#server/domain/account/sign-in-providers.ts'
import { type TelegramFields, telegramMissing, telegramOutsider } from '#server/domain/account/telegram-login.ts'
import { clientState } from './browser.ts'

const beginningsPerMinute = 60

/** What is known again when the browser comes back. */
interface Flow {
  /** Where the browser goes in the end. */
  readonly back: string
  readonly app: App
  readonly state: string
  readonly language: Language
  /** Of an invitation, or of the owner's link. */
  readonly code: string
}

type Provider = OAuthSignIn | 'telegram'
type Signed = Call & { readonly user: User }

/** The refusal of a provider that this service is not registered at. */
export function notConfigured(provider: string): never {
  throw new RuleError('ProviderNotConfigured', 'This service does not sign in with this provider', { provider })
}

/** The address to return to. @throws ValidationError when nobody here knows it */
export function trusted(redirect: string | undefined, { origin, config }: Call): URL {
  const back = returnTo(redirect, origin, config)
  if (back) return back
  throw new ValidationError([{ property: 'redirect', constraints: { trusted: 'must be a known origin' } }])
}

/** Where to send a browser that wants to sign in. Its state is what makes the answer its own. */
export async function beginSignIn(ctx: Call, provider: Provider, back: URL, flow: Omit<Flow, 'back'>): Promise<string> {
  if (!isReady(ctx, provider)) return notConfigured(provider)
  if (flow.state === '') {
    // A page of ours gives the browser a cookie in place of the state, also where the caller is of another origin.
    return withParameters(`${ctx.origin}/auth/local/with/${provider}`, { ...filled(flow), redirect: back.href })
  }
  ctx.limits.count(`begin ${networkOf(ctx.address)}`, beginningsPerMinute)
  if (provider === 'telegram') {
    return telegramPage(ctx, { ...filled(flow), redirect: back.href })
  }
  const data = sealed(ctx, { ...flow, back: back.href })
  const redirectUri = callbackUrl(ctx, provider)
  return beginOAuth(ctx, ctx.db, { provider, purpose: 'sign-in', redirectUri, ...asking[provider], data })
}

/**
 * Where to send the browser of a signed-in person who wants to connect an account.
 * @throws RuleError `SignInAgain`: an account that is connected signs in, which a token alone must not give
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
  return beginOAuth(ctx, ctx.db, { provider, purpose: 'connect', userId, redirectUri, ...asking[provider], data })
}

/** A provider has sent the browser back. Whatever happens, the browser ends where somebody can read about it. */
export async function comeBack(ctx: Call, provider: OAuthSignIn, answer: OAuthAnswer) {
  if (!isConfigured(ctx.config, provider)) return notConfigured(provider)
  const begun = await redeemState(ctx, ctx.db, { state: answer['state'] ?? '', purposes: ['sign-in'] })
  if (begun?.provider === provider) {
    return { location: await endSignIn(ctx, opened(ctx, begun), () => ask(ctx, provider, begun, answer)) }
  }
  // Only the person who began may connect what has come: their dashboard shows the message with their token.
  const kept = begun ? null : await keepAnswer(ctx, ctx.db, { provider, purpose: 'connect', answer })
  if (kept) return { location: withParameters(opened(ctx, kept.begun).back, { message: kept.ticket }) }
  return { location: withParameters(`${ctx.origin}/auth/callback`, { error: 'AuthorizationExpired' }) }
}

/** Telegram has sent the browser back. */
export async function comeBackFromTelegram(ctx: Call, flow: Flow, fields: TelegramFields) {
  if (!hasTelegram(ctx.config)) throw telegramMissing()
  return { location: await endSignIn(ctx, flow, () => telegramOutsider(ctx, fields)) }
}

/** Connects what came back, for the person who began. @throws RuleError `AuthorizationExpired`, or as `connect` */
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
  await connect(ctx, ctx.user.id, await telegramOutsider(ctx, fields))
}

/** Fields of Telegram's widget for a person who connects, with the code of the beginning. */
interface TelegramAnswer {
  readonly connect: string
  readonly fields: TelegramFields
}

const telegramMark = 'telegram.'
const telegramKey = ({ config }: Pick<Call, 'config'>) => derivedKey(config.secret, 'telegram answer')

/** The message for `endConnect`, which only the browser that came back is given. */
export const telegramMessage = (services: Pick<Call, 'config'>, answer: TelegramAnswer): string =>
  `${telegramMark}${seal(telegramKey(services), JSON.stringify(answer))}`

/** Null for a message of another provider. @throws RuleError `AuthorizationExpired` for one that is not ours */
function openTelegram(ctx: Call, message: string): TelegramAnswer | null {
  if (!message.startsWith(telegramMark)) return null
  try {
    return JSON.parse(unseal(telegramKey(ctx), message.slice(telegramMark.length))) as TelegramAnswer
  } catch {
    throw expired()
  }
}

const ask = async (ctx: Call, provider: OAuthSignIn, begun: OAuthState, answer: OAuthAnswer): Promise<Outsider> =>
  outsiderOf(ctx, provider, await exchangeAnswer(ctx, begun, answer))

/** Signs in, and says where the browser goes: back with a code, or back with the name of what went wrong. */
async function endSignIn(ctx: Call, flow: Flow, who: () => Promise<Outsider>): Promise<string> {
  const { app, language, code } = flow
  const state = clientState(flow.state, ctx.cookie)
  // Otherwise a forged link could sign a user in to another person's account.
  if (state === null) return withParameters(flow.back, { error: 'AuthorizationExpired' })
  try {
    const user = await signInWith(ctx, await who(), { language, ...(code === '' ? {} : { code }) })
    return await withCode(ctx, ctx.db, new URL(flow.back), { userId: user.id, app, state })
  } catch (error) {
    if (!(error instanceof RuleError)) throw error
    return withParameters(flow.back, { error: error.name, ...filled({ state }) })
  }
}

/** The provider of this name, where the service is registered at it. */
export const readyProvider = (ctx: Pick<Call, 'config'>, name: string): Provider | null =>
  (['google', 'vk', 'vk-id', 'telegram'] as const).find((one) => one === name && isReady(ctx, one)) ?? null

const isReady = ({ config }: Pick<Call, 'config'>, provider: Provider): boolean =>
  provider === 'telegram' ? hasTelegram(config) : isConfigured(config, provider)

/** Spelled as it is going to be compared: some name a port that they need not name. */
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

/** A code of an invitation and the state of a browser are nothing to keep in plain sight. */
const sealed = (ctx: Call, flow: Flow) => ({ flow: seal(flowKey(ctx), JSON.stringify(flow)) })
const opened = (ctx: Call, { data }: OAuthState) => JSON.parse(unseal(flowKey(ctx), data['flow'] ?? '')) as Flow
const flowKey = ({ config }: Call) => derivedKey(config.secret, 'sign-in flow')
