// Accounts of people on platforms: connecting, asking with them, forgetting them.
import type { AccountPlatform } from '#contract/entities/platform-account.ts'
import type { Language } from '#contract/core/wire.ts'
import { iso } from '#server/core/clock.ts'
import type { Services, User } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { transaction } from '#server/db/transaction.ts'
import { isEnding, renewTokens, sealTokens, unsealTokens } from './account-tokens.ts'
import {
  type AccountRow,
  findAccount,
  findUsableAccount,
  platformsOf,
  removeAccount,
  updateAccount,
  upsertAccount,
} from './accounts-store.ts'
import { type ProviderApi, providerApi, ProviderUnauthorizedError } from './api.ts'
import { type OAuthTokens, revokeTokens } from '#server/domain/account/oauth.ts'
import type { Identity, Place } from './provider.ts'
import { providers } from './registry.ts'

/** There is no such account, or it is somebody else's: the same answer, so that nobody can ask which. */
const notFound = () => new RuleError('AccountNotFound', 'There is no such account. Connect it first.')

/** An account of a person. @throws RuleError `AccountNotFound` */
export async function getAccount(
  { db }: Pick<Services, 'db'>,
  user: Pick<User, 'id'>,
  { id, platform }: { readonly id: number; readonly platform: AccountPlatform },
): Promise<AccountRow> {
  const row = await findAccount(db, id)
  if (row?.user_id !== user.id || !platformsOf(platform).includes(row.platform)) throw notFound()
  return row
}

/**
 * Asks a platform with an account. A token that ends is renewed before, one that turns out to be dead once after.
 * @throws ProviderUnauthorizedError when the account has to be connected again, else what `ask` throws
 */
export async function withAccount<T>(
  services: Services,
  account: AccountRow,
  ask: (api: ProviderApi) => Promise<T>,
  language: Language = 'en',
): Promise<T> {
  const manners = providers[account.platform]
  if (account.status === 0) throw new ProviderUnauthorizedError(manners.provider)
  const askAs = ({ tokens_sealed }: AccountRow) =>
    ask(providerApi(services, manners, unsealTokens(services, tokens_sealed).accessToken, language))
  const fresh = isEnding(services, account) ? await renewTokens(services, account) : account
  try {
    return await askAs(fresh)
  } catch (error) {
    if (!(error instanceof ProviderUnauthorizedError)) throw error
  }
  const renewed = await renewTokens(services, fresh)
  try {
    return await askAs(renewed)
  } catch (error) {
    // New, and not accepted either: the person took the right away.
    if (error instanceof ProviderUnauthorizedError) await markInvalid(services, renewed)
    throw error
  }
}

const markInvalid = ({ db }: Services, { id, tokens_sealed: tokens }: AccountRow) =>
  updateAccount(db, { id, tokens }, { status: 0 })

/** Asks with any account of a platform that a person may use. @throws RuleError `AccountNotFound` */
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

/** Keeps the account that tokens belong to. */
export async function saveAccount(
  services: Services,
  user: Pick<User, 'id'>,
  platform: AccountPlatform,
  tokens: OAuthTokens,
): Promise<AccountRow> {
  const api = providerApi(services, providers[platform], tokens.accessToken)
  const { id: external_id, name, avatar }: Identity = await providers[platform].identify(api)
  const row = { user_id: user.id, platform, external_id, name, avatar, tokens_sealed: sealTokens(services, tokens) }
  return await transaction(services.db, async (trx) => {
    const id = await upsertAccount(trx, iso(services.clock.now()), row)
    const saved = await findAccount(trx, id)
    if (!saved) throw new Error('An account was kept and is not there')
    return saved
  })
}

/** One of the places of an account. @throws RuleError `PlaceNotFound` */
export async function getPlace(services: Services, account: AccountRow, placeId: string): Promise<Place> {
  const places = await withAccount(services, account, (api) => providers[account.platform].places(api))
  const place = places.find(({ id }) => id === placeId)
  if (!place) throw new RuleError('PlaceNotFound', 'The account may not stream there')
  return place
}

/** Forgets an account here and at the platform. Its channels stay, without it. */
export async function forgetAccount(services: Services, account: AccountRow): Promise<void> {
  await transaction(services.db, (trx) => removeAccount(trx, account.id))
  await revoke(services, account)
}

/** Signs an account out: its tokens are given back, its channels wait until it is connected again. */
export async function signOutAccount(services: Services, account: AccountRow): Promise<void> {
  const tokens_sealed = sealTokens(services, { accessToken: '', refreshToken: null, expires: null, along: {} })
  await updateAccount(services.db, { id: account.id }, { status: 0, tokens_sealed })
  await revoke(services, account)
}

const revoke = async (services: Services, { platform, tokens_sealed }: AccountRow): Promise<void> => {
  const tokens = unsealTokens(services, tokens_sealed)
  if (tokens.accessToken !== '') await revokeTokens(services, providers[platform].provider, tokens)
}
