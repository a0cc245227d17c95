// Social logins: each belongs to one account, each account has at most one per provider, and the last way to sign in stays.
// An e-mail from a provider gives no access to an account.
// An e-mail that a provider names opens no account.
import type { SocialProvider } from '#contract/entities/account.ts'
import { iso } from '#server/core/clock.ts'
import type { Reading, Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import type { Trx } from '#server/db/open.ts'
import { insertion, transaction } from '#server/db/transaction.ts'
import { audit } from './audit.ts'
import {
  findIdentity,
  type IdentityRow,
  insertIdentity,
  listIdentityRows,
  removeIdentity,
  updateIdentity,
} from './identities-store.ts'
import { canSignInBy, type SocialProfile } from './sign-in-providers.ts'
import { type Credentials, getCredentials, lockUser } from './store.ts'

/**
 * Connects a social login to an account. No effect when it is already connected to this account.
 * @throws RuleError `SocialTaken` when another account has it, `SocialConnected` when the account has another of this provider
 */
export function connect(services: Services, userId: number, profile: SocialProfile): Promise<void> {
  return insertion(services.db, async (trx) => {
    await lockUser(trx, userId)
    const identity = await findIdentity(trx, profile)
    if (identity?.user_id === userId) return
    if (identity) throw new RuleError('SocialTaken')
    const isConnected = (await listIdentityRows(trx, userId)).some(({ provider }) => provider === profile.provider)
    if (isConnected) throw new RuleError('SocialConnected')
    await addIdentity(services, trx, userId, profile)
  })
}

/**
 * Disconnects a social login.
 * @throws RuleError `SocialNotFound`, `LastWayToSignIn`
 */
export function disconnect(services: Services, userId: number, id: number): Promise<void> {
  return transaction(services.db, async (trx) => {
    // Locked until the transaction ends: of two concurrent calls the second sees the result of the first.
    const user = await lockUser(trx, userId)
    const rows = await listIdentityRows(trx, userId)
    const row = rows.find((one) => one.id === id)
    if (!row) throw new RuleError('SocialNotFound')
    if (isLast(services, user, rows, row)) {
      throw new RuleError('LastWayToSignIn')
    }
    await removeIdentity(trx, id)
    await audit(services, trx, 'account.disconnected', { userId })
  })
}

/** Returns the social logins of an account, and whether it has a password. */
export async function listIdentities({ db, config }: Reading<Pick<Services, 'db' | 'config'>>, userId: number) {
  const user = await getCredentials(db, userId)
  const rows = await listIdentityRows(db, userId)
  return {
    password: hasPassword(user),
    identities: rows.map(({ id, provider, name, photo, date_create }) => ({
      id,
      provider,
      name,
      photo,
      date_create,
      isLast: isLast({ config }, user, rows, { id }),
    })),
  }
}

/** Adds a social login inside the transaction that locked or created its account. */
export async function addIdentity(services: Services, trx: Trx, userId: number, profile: SocialProfile): Promise<void> {
  const { provider, subject } = profile
  const date_create = iso(services.clock.now())
  await insertIdentity(trx, { user_id: userId, provider, subject, ...shownOf(profile), date_create })
  await audit(services, trx, 'account.connected', { userId })
}

/** Updates the name and the picture to those that the provider reports now. */
export const refreshIdentity = (trx: Trx, { id }: Pick<IdentityRow, 'id'>, profile: SocialProfile): Promise<void> =>
  updateIdentity(trx, id, shownOf(profile))

const hasPassword = (user: Credentials): boolean => user.password_hash !== null && user.email !== null

/** Returns whether this is the last way to sign in. Logins of providers that are no longer configured do not count. */
const isLast = (
  { config }: Pick<Services, 'config'>,
  user: Credentials,
  rows: readonly { readonly id: number; readonly provider: SocialProvider }[],
  { id }: Pick<IdentityRow, 'id'>,
): boolean => !hasPassword(user) && !rows.some((row) => row.id !== id && canSignInBy(config, row.provider))

const shownOf = ({ firstName, lastName, photo }: SocialProfile) => ({
  name: [firstName, lastName].filter(Boolean).join(' ').slice(0, 255),
  photo,
})
