// Connecting accounts: the user authorizes at the platform, returns, and confirms here. The same user must start and
// finish, so that an attacker cannot trick a user into connecting their account to another project.
import { accountKinds, type AccountPlatform } from '#contract/platforms/platforms.ts'
import type { Context, Services, User } from '#server/core/context.ts'
import { RuleError, ValidationError } from '#server/core/errors.ts'
import { derivedKey, seal } from '#server/core/secrets.ts'
import { transaction } from '#server/db/transaction.ts'
import { authorize } from '#server/domain/projects/access.ts'
import { getChannel } from '#server/domain/channels/channels.ts'
import { returnTo } from '#server/domain/account/return-to.ts'
import { getAccount, saveAccount } from './accounts.ts'
import { platformsOf, upsertChannelPlatform } from './accounts-store.ts'
import { addAccountChannel } from './account-channels.ts'
import { beginOAuth, exchangeAnswer, expired, isConfigured } from '#server/domain/account/oauth.ts'
import { keepAnswer, type OAuthAnswer, type OAuthPurpose, redeemState } from '#server/domain/account/oauth-state.ts'

/** The project that an account is connected for, and the page that the browser returns to. */
interface ConnectRequest {
  readonly projectId: number
  readonly redirect?: string | undefined
  readonly subId?: string | undefined
}

/** Page of the dashboard for a response without a waiting authorization. */
const expiredPage = '/connect/expired'

/** Result of connecting an account. */
export interface Connected {
  readonly projectId: number
  readonly platform: AccountPlatform
  readonly account: { readonly id: number; readonly name: string }
  readonly channel: { readonly id: number; readonly active: boolean } | null
  readonly subId: string | null
}

const backTo = (services: Services, origin: string, { projectId, redirect }: ConnectRequest): string => {
  const back = returnTo(redirect ?? `/p/${projectId}/channels/accounts`, origin, services.config)
  if (!back) throw new ValidationError([{ property: 'redirect', text: 'trusted' }])
  back.hash = ''
  return back.href
}

const dataOf = (platform: AccountPlatform, redirect: string, subId: string | undefined) => ({
  platform,
  redirect,
  ...(subId === undefined ? {} : { sub_id: subId }),
})

/** Starts connecting an account. `chat`: also requests the scopes of chat. @returns the authorization URL @throws RuleError `ProviderNotConfigured` */
export function beginConnect(
  services: Services,
  user: Pick<User, 'id'>,
  origin: string,
  request: ConnectRequest & { readonly platform: AccountPlatform; readonly chat?: boolean | undefined },
): Promise<string> {
  const { projectId, subId } = request
  const platform = wayTo(services, request.platform)
  const provider = accountKinds[platform].oauth
  const { scopes: basic, chatScopes = [] } = services.platforms[platform]
  const scopes = request.chat ? [...basic, ...chatScopes] : basic
  return beginOAuth(services, services.db, {
    provider,
    purpose: 'platform',
    userId: user.id,
    projectId,
    redirectUri: `${origin}/method/platforms/${platform}/callback`,
    scopes,
    data: { ...dataOf(platform, backTo(services, origin, request), subId), scopes: scopes.join(' ') },
  })
}

/** Returns the kind of account whose registration is configured: VK has two. */
const wayTo = ({ config }: Services, platform: AccountPlatform): AccountPlatform =>
  platformsOf(platform).find((name) => isConfigured(config, accountKinds[name].oauth)) ?? platform

/** Starts the authorization of a VK community. @returns the authorization URL */
export async function beginCommunity(
  services: Services,
  user: Pick<User, 'id'>,
  origin: string,
  request: ConnectRequest & { readonly channelId: number; readonly accountId: number },
): Promise<string> {
  const { projectId, channelId, accountId, subId } = request
  await getAccount(services, user, { id: accountId, platform: 'vk' })
  const channel = await getChannel(services.db, { projectId, channelId }, 'editor')
  if (channel.type !== 'vk' || !channel.external_id.startsWith('-')) {
    throw new RuleError('NoCommunity')
  }
  return beginOAuth(services, services.db, {
    provider: 'vk',
    purpose: 'community',
    userId: user.id,
    projectId,
    redirectUri: `${origin}/method/platforms/vk/callback-community`,
    scopes: ['manage', 'messages'],
    parameters: { group_ids: channel.external_id.slice(1) },
    data: {
      ...dataOf('vk', backTo(services, origin, request), subId),
      channel: String(channelId),
      account: String(accountId),
    },
  })
}

/**
 * Saves the response of a platform.
 * @returns where the browser continues, with a ticket after the `#`; without a waiting authorization, for example when the
 * browser loads the address again, the page of the dashboard that says so
 */
export async function receiveAnswer(
  services: Services & Pick<Context, 'origin'>,
  platform: AccountPlatform,
  purpose: OAuthPurpose,
  answer: OAuthAnswer,
): Promise<string> {
  const provider = accountKinds[platform].oauth
  const kept = await keepAnswer(services, services.db, { provider, purpose, answer })
  if (!kept) return services.origin + expiredPage
  return `${kept.begun.data['redirect'] ?? '/'}#connect=${encodeURIComponent(kept.ticket)}`
}

/**
 * Finishes connecting: saves the account, and adds its channel if the platform has one per account.
 * @throws RuleError `AuthorizationExpired` and other refusals of `exchangeAnswer`, of the platform, and of the tariff
 */
export async function finishConnect(services: Services, user: User, state: string): Promise<Connected> {
  const purposes = ['platform', 'community'] as const
  const begun = await redeemState(services, services.db, { state, purposes, userId: user.id })
  if (!begun?.answer || begun.projectId === null) throw expired()
  const { projectId, data } = begun
  await authorize(services, user, projectId, 'editor')
  const platform = data['platform'] as AccountPlatform
  const tokens = await exchangeAnswer(services, begun, begun.answer)
  const subId = data['sub_id'] ?? null
  if (begun.purpose === 'community') {
    const channelId = Number(data['channel'])
    const account = await getAccount(services, user, { id: Number(data['account']), platform })
    const { active } = await getChannel(services.db, { projectId, channelId }, 'editor')
    const sealed = seal(derivedKey(services.config.secret, 'community'), tokens.accessToken)
    await transaction(services.db, (trx) => upsertChannelPlatform(trx, channelId, { community_sealed: sealed }))
    return { projectId, platform, account, channel: { id: channelId, active: active === 1 }, subId }
  }
  // A provider that names no scopes has granted the requested ones (RFC 6749, 5.1).
  const scopes = tokens.scope || (data['scopes'] ?? '')
  const account = await saveAccount(services, user, platform, tokens, scopes)
  const channel = services.platforms[platform].single
    ? await addAccountChannel(services, user, projectId, account)
    : null
  return { projectId, platform, account, channel, subId }
}
