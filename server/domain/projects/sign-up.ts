// Creates accounts with their personal project: by e-mail and password, or at the first social login.
import type { Language } from '#contract/core/wire.ts'
import { currencyOfLanguage } from '#contract/entities/currencies.ts'
import type { BillingMode } from '#contract/entities/plan.ts'
import type { Currency } from '#contract/entities/project.ts'
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { randomNumber } from '#server/core/secrets.ts'
import type { Trx } from '#server/db/open.ts'
import { insertion } from '#server/db/transaction.ts'
import { emailTaken, isTaken, normalEmail, signUpIsOpen, signUpMode } from '#server/domain/account/accounts.ts'
import { audit } from '#server/domain/account/audit.ts'
import { redeemCode } from '#server/domain/account/codes.ts'
import { addIdentity, refreshIdentity } from '#server/domain/account/identities.ts'
import { findIdentity } from '#server/domain/account/identities-store.ts'
import { hashPassword } from '#server/domain/account/passwords.ts'
import type { SocialProfile } from '#server/domain/account/sign-in-providers.ts'
import { hasUsers, insertUser, updateUser } from '#server/domain/account/store.ts'
import { updateBillingAnswer, insertOperator } from '#server/domain/installation/store.ts'
import { createPersonalProject } from './projects.ts'

/** An account to create. */
interface NewAccount {
  /** Null for a social login whose provider reports no verified e-mail. */
  readonly email: string | null
  readonly firstName: string
  readonly lastName?: string
  readonly language: Language
  readonly currency: Currency
  /** First answer to how the server is used; of the owner's account only. */
  readonly billing?: BillingMode
  /** One-time code of an invitation, or of the owner's link. */
  readonly code?: string
}

/**
 * Creates an account with its personal project and its bonus.
 * @throws RuleError `SignUpClosed`, `CodeRejected` or `EmailTaken`
 */
export async function createAccount(
  services: Services,
  account: NewAccount & { readonly email: string; readonly password: string },
): Promise<{ readonly id: number }> {
  const passwordHash = await hashPassword(account.password)
  return insertion(services.db, (trx) => insertAccount(services, trx, account, passwordHash))
}

/**
 * Returns the account of a social login, and creates one under the rules of sign-up when there is none.
 * @throws RuleError `SignUpClosed`, `CodeRejected`; `EmailTaken` when another account has the e-mail: its owner signs in as
 *   usual and connects the provider
 */
export async function signInWith(
  services: Services,
  profile: SocialProfile,
  signUp: { readonly language: Language; readonly code?: string },
): Promise<{ readonly id: number }> {
  try {
    return await insertion(services.db, (trx) => findOrCreate(services, trx, profile, signUp))
  } catch (error) {
    // The same person may sign in twice concurrently: then the first call has created what refuses the second.
    const identity = error instanceof RuleError ? await findIdentity(services.db, profile) : undefined
    if (!identity) throw error
    return { id: identity.user_id }
  }
}

async function findOrCreate(
  services: Services,
  trx: Trx,
  profile: SocialProfile,
  { language, code }: { readonly language: Language; readonly code?: string },
): Promise<{ readonly id: number }> {
  const identity = await findIdentity(trx, profile)
  if (identity) {
    await refreshIdentity(trx, identity, profile)
    return { id: identity.user_id }
  }
  const { email, lastName } = profile
  const firstName = profile.firstName || profile.provider
  const account = { email, firstName, lastName, language, currency: currencyOfLanguage(language) }
  const user = await insertAccount(services, trx, code === undefined ? account : { ...account, code }, null)
  await addIdentity(services, trx, user.id, profile)
  return user
}

/** As `createAccount`, inside a transaction. A unique key may be taken concurrently: run it in `insertion`. */
export async function insertAccount(
  services: Services,
  trx: Trx,
  account: NewAccount,
  passwordHash: string | null,
): Promise<{ readonly id: number }> {
  const isOwner = await admitSignUp(services, trx, account.code)
  const { currency, language, firstName, lastName = '' } = account
  const email = account.email === null ? null : normalEmail(account.email)
  if (email !== null && (await isTaken(trx, email))) throw emailTaken()
  const user = await insertUser(trx, {
    external_id: randomNumber(),
    // The first account of a service that is open for one: the unique key lets only one of two concurrent sign-ups through.
    installation_owner: isOwner ? 1 : null,
    email,
    password_hash: passwordHash,
    first_name: firstName,
    last_name: lastName,
    photo: null,
    language,
    currency,
    country_id: 0,
    ref_id: randomNumber(),
    invited_by: null,
    last_project_id: null,
    date_create: iso(services.clock.now()),
  })
  if (isOwner) await insertOperator(trx, { user_id: user.id, date_create: iso(services.clock.now()) })
  if (isOwner && account.billing) await updateBillingAnswer(trx, account.billing)
  const projectId = await createPersonalProject(trx, services.clock, { id: user.id, firstName, currency })
  await updateUser(trx, user.id, { last_project_id: projectId })
  await audit(services, trx, 'account.created', { userId: user.id })
  return user
}

/**
 * Uses up the code of a sign-up, or checks that sign-up is open.
 * @returns whether the account owns the installation
 * @throws RuleError `CodeRejected` or `SignUpClosed`
 */
async function admitSignUp(services: Services, trx: Trx, code: string | undefined): Promise<boolean> {
  if (code !== undefined) {
    if (await redeemCode(services, trx, 'owner', code)) return true
    if (await redeemCode(services, trx, 'invite', code)) return false
    throw new RuleError('CodeRejected')
  }
  const open = await signUpIsOpen({ db: trx, config: services.config })
  if (!open) throw new RuleError('SignUpClosed')
  return (await signUpMode({ db: trx, config: services.config })) === 'auto' && !(await hasUsers(trx))
}
