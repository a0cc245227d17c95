// Tokens of accounts: encrypted at rest, renewed before they expire. Concurrent calls renew once, because providers that
// rotate refresh tokens treat a second use of an old one as theft.
import { accountKinds } from '#contract/platforms/platforms.ts'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { derivedKey, seal, tryUnseal } from '#server/core/secrets.ts'
import { type AccountRow, findAccount, updateAccount } from './accounts-store.ts'
import { ProviderUnauthorizedError } from '#server/core/platform-api.ts'
import { ProviderUnavailableError } from '#server/core/provider-http.ts'
import { type OAuthTokens, refreshTokens } from '#server/domain/account/oauth.ts'
import { noticeAccount } from './notices.ts'
import { claimOwner, findOwner, releaseOwner } from '#server/db/owners.ts'
import { transaction } from '#server/db/transaction.ts'

/** Services that calls with an account use. */
export type AccountServices = Pick<Services, 'db' | 'clock' | 'config' | 'log' | 'platforms'>

/** Tokens that expire within this time are renewed before a call. */
const earlyMs = 60_000
/** Longer than a provider may take to answer. */
const leaseMs = 15_000
const checkAgainMs = 100

/** The stored fields of tokens. */
type StoredTokens = Pick<OAuthTokens, 'accessToken' | 'refreshToken' | 'expires' | 'along'>

const keyOf = ({ config }: Pick<Services, 'config'>) => derivedKey(config.secret, 'platform account')

/** Encrypts tokens for the database. */
export const sealTokens = (
  services: Pick<Services, 'config'>,
  { accessToken, refreshToken, expires, along }: StoredTokens,
): string => seal(keyOf(services), JSON.stringify({ accessToken, refreshToken, expires, along }))

/** The stored tokens of an account. */
type Sealed = Pick<AccountRow, 'platform' | 'tokens_sealed'>

/** Decrypts the tokens of an account; null when `SECRET` has changed since. */
export function readTokens(services: Pick<Services, 'config'>, { tokens_sealed }: Sealed): StoredTokens | null {
  const text = tryUnseal(keyOf(services), tokens_sealed)
  return text === null ? null : (JSON.parse(text) as StoredTokens)
}

/** Decrypts the tokens of an account. @throws ProviderUnauthorizedError when `SECRET` has changed since */
export function unsealTokens(services: Pick<Services, 'config'>, account: Sealed): StoredTokens {
  const tokens = readTokens(services, account)
  if (tokens === null) throw new ProviderUnauthorizedError(accountKinds[account.platform].oauth)
  return tokens
}

/** Returns whether an access token expires soon, or has expired. */
export const isEnding = ({ clock }: Pick<Services, 'clock'>, { expires }: Pick<StoredTokens, 'expires'>): boolean =>
  expires !== null && expires <= iso(later(clock.now(), earlyMs))

/**
 * Renews the tokens of an account, or returns those that a concurrent call renewed.
 * @throws ProviderUnauthorizedError when the provider refuses: the account has to be connected again;
 *   ProviderUnavailableError
 */
export async function renewTokens(services: AccountServices, account: AccountRow): Promise<AccountRow> {
  const { db } = services
  const epoch = await claimOwner(db, { kind: 'account', key: account.id, holder: randomUUID(), ms: leaseMs })
  if (epoch === null) return await awaitTokens(services, account)
  const current = await findAccount(db, account.id)
  // A concurrent call renewed them between the caller's read and the claim.
  if (current?.tokens_sealed !== account.tokens_sealed) {
    await releaseOwner(db, 'account', account.id, epoch)
    return usable(current, account)
  }
  return await fetchTokens(services, account, epoch)
}

/** @throws ProviderUnauthorizedError when the account was removed, or has to be connected again */
function usable(current: AccountRow | undefined, { platform }: AccountRow): AccountRow {
  if (!current || current.status === 0) throw new ProviderUnauthorizedError(accountKinds[platform].oauth)
  return current
}

async function fetchTokens(services: AccountServices, account: AccountRow, epoch: number): Promise<AccountRow> {
  const { db, clock } = services
  const provider = accountKinds[account.platform].oauth
  const mine = { id: account.id, tokens: account.tokens_sealed }
  try {
    const next = await refreshTokens(services, provider, unsealTokens(services, account))
    const change = { tokens_sealed: sealTokens(services, next), date_update: iso(clock.now()) }
    await updateAccount(db, mine, change)
    return { ...account, ...change }
  } catch (error) {
    const dead = !(error instanceof ProviderUnavailableError)
    if (dead)
      await transaction(db, async (trx) => {
        if (await updateAccount(trx, mine, { status: 0 })) await noticeAccount(services, trx, account)
      })
    throw dead ? new ProviderUnauthorizedError(provider) : error
  } finally {
    await releaseOwner(db, 'account', account.id, epoch)
  }
}

/** Waits for a concurrent renewal. */
async function awaitTokens({ db }: AccountServices, account: AccountRow): Promise<AccountRow> {
  for (let waited = 0; waited < leaseMs; waited += checkAgainMs) {
    // The owner first: it stores the tokens before it releases the account.
    const owner = await findOwner(db, 'account', account.id)
    const current = usable(await findAccount(db, account.id), account)
    if (current.tokens_sealed !== account.tokens_sealed) return current
    if (!owner?.holder) break
    await sleep(checkAgainMs)
  }
  throw new ProviderUnavailableError(accountKinds[account.platform].oauth)
}
