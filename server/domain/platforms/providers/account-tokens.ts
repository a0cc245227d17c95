// Tokens of accounts: sealed at rest, renewed when they end, and by one at a time however many ask: providers that
// rotate refresh tokens take a second use of an old one for theft.
import { setTimeout as sleep } from 'node:timers/promises'
import { iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { derivedKey, seal, unseal } from '#server/core/secrets.ts'
import { type AccountRow, findAccount, leaseAccount, updateAccount } from './accounts-store.ts'
import { ProviderUnauthorizedError } from './api.ts'
import { ProviderUnavailableError } from '#server/core/provider-http.ts'
import { type OAuthTokens, refreshTokens } from '#server/domain/account/oauth.ts'
import { providers } from './registry.ts'

/** What is left of a token's life when a new one is fetched before the call. */
const earlyMs = 60_000
/** Longer than a provider may take to answer. */
const leaseMs = 15_000
const lookAgainMs = 100

/** What is kept of tokens. */
type Kept = Pick<OAuthTokens, 'accessToken' | 'refreshToken' | 'expires' | 'along'>

const keyOf = ({ config }: Pick<Services, 'config'>) => derivedKey(config.secret, 'platform account')

/** Encrypts tokens for the database. */
export const sealTokens = (
  services: Pick<Services, 'config'>,
  { accessToken, refreshToken, expires, along }: Kept,
): string => seal(keyOf(services), JSON.stringify({ accessToken, refreshToken, expires, along }))

/** Decrypts them. @throws when the secret of the installation has changed */
export const unsealTokens = (services: Pick<Services, 'config'>, sealed: string): Kept =>
  JSON.parse(unseal(keyOf(services), sealed)) as Kept

/** Does the access token of an account end soon, or has it ended? */
export function isEnding(services: Pick<Services, 'config' | 'clock'>, account: AccountRow): boolean {
  const { expires } = unsealTokens(services, account.tokens_sealed)
  return expires !== null && expires <= iso(later(services.clock.now(), earlyMs))
}

/**
 * The account with tokens newer than the ones it has; somebody else may have fetched them meanwhile.
 * @throws ProviderUnauthorizedError when the provider gives no more: the account is marked, and has to be connected
 *   again; ProviderUnavailableError
 */
export async function renewTokens(services: Services, account: AccountRow): Promise<AccountRow> {
  const { db, clock } = services
  const mine = { id: account.id, tokens: account.tokens_sealed }
  const now = clock.now()
  if (await leaseAccount(db, mine, iso(now), iso(later(now, leaseMs)))) return await fetchTokens(services, account)
  return await awaitTokens(services, account)
}

async function fetchTokens(services: Services, account: AccountRow): Promise<AccountRow> {
  const { db, clock } = services
  const { provider } = providers[account.platform]
  const mine = { id: account.id, tokens: account.tokens_sealed }
  try {
    const next = await refreshTokens(services, provider, unsealTokens(services, account.tokens_sealed))
    const change = { tokens_sealed: sealTokens(services, next), date_update: iso(clock.now()), date_lease: null }
    await updateAccount(db, mine, change)
    return { ...account, ...change }
  } catch (error) {
    const dead = !(error instanceof ProviderUnavailableError)
    await updateAccount(db, mine, { date_lease: null, ...(dead ? { status: 0 } : {}) })
    throw dead ? new ProviderUnauthorizedError(provider) : error
  }
}

/** Waits for whoever fetches. */
async function awaitTokens({ db }: Services, account: AccountRow): Promise<AccountRow> {
  const { provider } = providers[account.platform]
  for (let waited = 0; waited < leaseMs; waited += lookAgainMs) {
    const row = await findAccount(db, account.id)
    if (!row || row.status === 0) throw new ProviderUnauthorizedError(provider)
    if (row.tokens_sealed !== account.tokens_sealed) return row
    if (row.date_lease === null) break
    await sleep(lookAgainMs)
  }
  throw new ProviderUnavailableError(provider)
}
