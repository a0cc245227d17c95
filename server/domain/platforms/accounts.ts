// Platform accounts of users: connecting, calling the platform, removing.
import { accountKinds, type AccountPlatform } from '#contract/platforms/platforms.ts'
import type { Language } from '#contract/core/wire.ts'
import { iso } from '#server/core/clock.ts'
import type { Reading, Services, User } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { transaction } from '#server/db/transaction.ts'
import { type AccountServices, isEnding, readTokens, renewTokens, sealTokens, unsealTokens } from './account-tokens.ts'
import {
  type AccountRow,
  findAccount,
  findUsableAccount,
  platformsOf,
  removeAccount,
  updateAccount,
  upsertAccount,
} from './accounts-store.ts'
import { type ProviderApi, providerApi, ProviderUnauthorizedError } from '#server/core/platform-api.ts'
import { type OAuthTokens, revokeTokens } from '#server/domain/account/oauth.ts'
import { addUnits } from './quota.ts'
import type { Identity, PlatformChannel } from '#server/core/platform-adapter.ts'
import { noticeAccount } from './notices.ts'

/** The same error for an unknown account and for one of another user, so that ids cannot be probed. */
const notFound = () => new RuleError('AccountNotFound')

/** Returns an account of a user. @throws RuleError `AccountNotFound` */
export async function getAccount(
  { db }: Reading<Pick<Services, 'db'>>,
  user: Pick<User, 'id'>,
  { id, platform }: { readonly id: number; readonly platform: AccountPlatform },
): Promise<AccountRow> {
  const row = await findAccount(db, id)
  if (row?.user_id !== user.id || !platformsOf(platform).includes(row.platform)) throw notFound()
  return row
}

/**
 * Calls a platform with an account. Renews an expiring token before the call, and a rejected one once after it.
 * @throws ProviderUnauthorizedError when the account has to be connected again, else what `ask` throws
 */
export async function withAccount<T>(
  services: AccountServices,
  account: AccountRow,
  ask: (api: ProviderApi) => Promise<T>,
  language: Language = 'en',
): Promise<T> {
  const provider = accountKinds[account.platform].oauth
  if (account.status === 0) throw new ProviderUnauthorizedError(provider)
  const tokens = readTokens(services, account)
  if (tokens === null) {
    services.log.warn({ accountId: account.id }, 'SECRET has changed: this account has to be connected again')
    await markInvalid(services, account)
    throw new ProviderUnauthorizedError(provider)
  }
  const askAs = (row: AccountRow) =>
    ask(countedApi(services, account.platform, unsealTokens(services, row).accessToken, language))
  const fresh = isEnding(services, tokens) ? await renewTokens(services, account) : account
  try {
    return await askAs(fresh)
  } catch (error) {
    if (!(error instanceof ProviderUnauthorizedError)) throw error
  }
  const renewed = await renewTokens(services, fresh)
  try {
    return await askAs(renewed)
  } catch (error) {
    // The platform rejects a new token as well: the user revoked the permission.
    if (error instanceof ProviderUnauthorizedError) await markInvalid(services, renewed)
    throw error
  }
}

/** The API of a platform, whose calls count against the quota of the installation. */
const countedApi = (
  services: AccountServices,
  platform: AccountRow['platform'],
  token: string,
  language?: Language,
): ProviderApi =>
  providerApi(services, services.platforms[platform], token, language, (units) =>
    addUnits(services, accountKinds[platform].type, units),
  )

const markInvalid = (services: AccountServices, account: AccountRow): Promise<void> =>
  transaction(services.db, async (trx) => {
    const mine = { id: account.id, tokens: account.tokens_sealed }
    if (await updateAccount(trx, mine, { status: 0 })) await noticeAccount(services, trx, account)
  })

/** Calls a platform with any account that a user may use. @throws RuleError `AccountNotFound` */
export async function withAnyAccount<T>(
  services: Services,
  user: Pick<User, 'id'>,
  platform: AccountPlatform,
  ask: (api: ProviderApi) => Promise<T>,
  language: Language,
): Promise<T> {
  const account = await findUsableAccount(services.db, user.id, platform)
  if (!account) throw notFound()
  return await withAccount(services, account, ask, language)
}

/** Saves the account that tokens belong to. @param scopes granted ones, separated by spaces */
export async function saveAccount(
  services: Services,
  user: Pick<User, 'id'>,
  platform: AccountPlatform,
  tokens: OAuthTokens,
  scopes: string,
): Promise<AccountRow> {
  const api = countedApi(services, platform, tokens.accessToken)
  const { id: external_id, name, avatar }: Identity = await services.platforms[platform].identify(api)
  const tokens_sealed = sealTokens(services, tokens)
  const row = { user_id: user.id, platform, external_id, name, avatar, tokens_sealed, scopes }
  return await transaction(services.db, (trx) => upsertAccount(trx, iso(services.clock.now()), row))
}

/** Returns a platform channel of an account. @throws RuleError `PlaceNotFound` */
export async function askPlatformChannel(
  services: Services,
  account: AccountRow,
  externalId: string,
): Promise<PlatformChannel> {
  const channels = await withAccount(services, account, (api) => services.platforms[account.platform].channels(api))
  const found = channels.find(({ id }) => id === externalId)
  if (!found) throw new RuleError('PlaceNotFound')
  return found
}

/** Removes an account here, and revokes its tokens at the platform. Its channels stay, without the account. */
export async function forgetAccount(services: Services, account: AccountRow): Promise<void> {
  await transaction(services.db, (trx) => removeAccount(trx, account.id))
  await revoke(services, account)
}

/** Signs an account out: revokes its tokens. Its channels do not work until it is connected again. */
export async function signOutAccount(services: Services, account: AccountRow): Promise<void> {
  const tokens_sealed = sealTokens(services, { accessToken: '', refreshToken: null, expires: null, along: {} })
  await updateAccount(services.db, { id: account.id }, { status: 0, tokens_sealed })
  await revoke(services, account)
}

const revoke = async (services: Services, account: AccountRow): Promise<void> => {
  const tokens = readTokens(services, account)
  if (tokens !== null && tokens.accessToken !== '')
    await revokeTokens(services, accountKinds[account.platform].oauth, tokens)
}
