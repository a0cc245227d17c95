// Calls to platforms for chat: by the account of the place or as the application, with failures as the port and commands name
// them.
import * as z from 'zod/mini'
import { ChatSendError, type ChatSendReason } from '#server/core/chat-errors.ts'
import type { ChatPlace, ChatReason } from '#server/core/chat.ts'
import { RuleError } from '#server/core/errors.ts'
import { callProvider, jsonOf, ProviderRefusedError, ProviderUnavailableError } from '#server/core/provider-http.ts'
import { registrationOf } from '#server/domain/account/oauth.ts'
import { oauthProviders } from '#server/domain/account/oauth-table.ts'
import { withAccount } from '#server/domain/platforms/accounts.ts'
import { type AccountRow, findAccount, hasScopes } from '#server/domain/platforms/accounts-store.ts'
import {
  type ApiConventions,
  type ProviderApi,
  providerApi,
  ProviderUnauthorizedError,
} from '#server/core/platform-api.ts'
import { type ChatContext, ChatLost, ChatRefused, type ChatServices, QuotaGone } from './port.ts'

/** The place has no connected account, and the call needs one. */
class NoAccountError extends Error {}

/**
 * Calls a platform with the account of a place.
 * @param conventions headers and failures of the chat's API, where they differ from those of the provider
 * @throws NoAccountError, and what `withAccount` throws; see `asReader` and `asCommand`
 */
export async function withPlaceAccount<T>(
  services: ChatServices,
  place: Pick<ChatPlace, 'accountId'>,
  conventions: ApiConventions,
  ask: (api: ProviderApi) => Promise<T>,
): Promise<T> {
  return await callAs(services, await findAccount(services.db, place.accountId), conventions, ask)
}

/**
 * Calls a platform with the account of a place, when it has the scopes: platforms answer a missing one with 401, like a dead
 * token.
 * @param run `ownId`: the platform's id of the account
 * @throws ChatSendError `scope` for a missing scope, else as `withPlaceAccount`
 */
export async function withScopedAccount<T>(
  { services, place }: ChatContext,
  conventions: ApiConventions,
  scopes: readonly string[],
  run: (api: ProviderApi, ownId: string) => Promise<T>,
): Promise<T> {
  const account = await findAccount(services.db, place.accountId)
  if (account && !hasScopes(account.scopes, scopes))
    throw new ChatSendError('scope', 'Connect the account again with chat.')
  return await callAs(services, account, conventions, (api) => run(api, account?.external_id ?? ''))
}

async function callAs<T>(
  services: ChatServices,
  account: AccountRow | undefined,
  conventions: ApiConventions,
  ask: (api: ProviderApi) => Promise<T>,
): Promise<T> {
  if (!account) throw new NoAccountError()
  return await withAccount(services, account, ({ token }) => ask(providerApi(services, conventions, token)))
}

const Token = z.object({ access_token: z.string() })

/**
 * Calls a platform as the registered application, with a new token (client credentials, RFC 6749 4.4).
 * @throws RuleError `ProviderNotConfigured`; ProviderRefusedError, ProviderUnavailableError without a token
 */
export async function asApplication<T>(
  services: ChatServices,
  conventions: ApiConventions,
  ask: (api: ProviderApi) => Promise<T>,
): Promise<T> {
  const { provider } = conventions
  const { id, secret } = registrationOf(services.config, provider)
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret })
  const { token: url } = oauthProviders[provider]
  const { status, text } = await callProvider(services.config, provider, url, { method: 'POST', body })
  if (status !== 200) throw new ProviderRefusedError(provider, 403, 'no token for the application')
  const { data } = Token.safeParse(jsonOf(text))
  if (!data) throw new ProviderUnavailableError(provider, status)
  return await ask(providerApi(services, conventions, data.access_token))
}

/** Returns the platform's id of the connected account; null without one. */
export async function ownIdOf({ services, place }: ChatContext): Promise<string | null> {
  return (await findAccount(services.db, place.accountId))?.external_id ?? null
}

/**
 * Runs calls of a reader.
 * @param reasonOf reason for a refusal with a code of the platform; undefined: by its status
 * @throws ChatLost, ChatRefused
 */
export async function asReader<T>(
  run: () => Promise<T>,
  reasonOf: (refusal: ProviderRefusedError) => ChatReason | undefined = () => undefined,
): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof ChatLost || error instanceof ChatRefused || error instanceof QuotaGone) throw error
    const named = error instanceof ProviderRefusedError ? reasonOf(error) : undefined
    const reason = named ?? readerReason(error)
    if (reason) throw new ChatRefused(reason, (error as Error).message)
    throw new ChatLost('A call to the platform failed', { cause: error })
  }
}

function readerReason(error: unknown): ChatReason | null {
  if (error instanceof NoAccountError) return 'account'
  if (error instanceof ProviderUnauthorizedError) return 'reconnect'
  if (error instanceof ProviderRefusedError) {
    if (error.refusedWith === 403) return 'forbidden'
    return error.refusedWith === 404 ? 'page' : null
  }
  return error instanceof RuleError && error.name === 'ProviderNotConfigured' ? 'setup' : null
}

/**
 * Runs calls of a command.
 * @param reasonOf reason for a refusal with a code of the platform; undefined: by its status
 * @throws ChatSendError
 */
export async function asCommand<T>(
  run: () => Promise<T>,
  reasonOf: (refusal: ProviderRefusedError) => ChatSendReason | undefined = () => undefined,
): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof ChatSendError) throw error
    if (error instanceof ProviderRefusedError) {
      const reason = reasonOf(error) ?? byStatus[error.refusedWith] ?? 'rejected'
      throw new ChatSendError(reason, error.message)
    }
    if (error instanceof ProviderUnavailableError && error.answeredWith === 429)
      throw new ChatSendError('too_fast', 'The platform limits the rate.', error.retryAfter)
    if (error instanceof ProviderUnavailableError)
      throw new ChatSendError('unknown', 'The platform did not answer. The outcome is unknown.')
    const reason = readerReason(error)
    if (reason) throw new ChatSendError(reason, (error as Error).message)
    throw error
  }
}

const byStatus: Readonly<Record<number, ChatSendReason>> = { 403: 'forbidden', 404: 'gone', 413: 'too_long' }
