// Accounts, and who may make one.
import type { Language } from '#contract/core/wire.ts'
import type { Currency } from '#contract/entities/project.ts'
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { randomNumber } from '#server/core/secrets.ts'
import type { Db, Trx } from '#server/db/open.ts'
import { insertion } from '#server/db/transaction.ts'
import { audit } from './audit.ts'
import { redeemCode } from './codes.ts'
import { hashPassword, isPassword } from './passwords.ts'
import { createPersonalProject } from '#server/domain/projects/projects.ts'

/** Somebody who wants an account. */
export interface Applicant {
  /** Null for somebody who signs in elsewhere and has not said it. */
  readonly email: string | null
  readonly firstName: string
  readonly lastName?: string
  readonly language: Language
  readonly currency: Currency
  /** Code of an invitation, or of the owner's link. */
  readonly code?: string
}

/** May somebody without any code make an account? */
export async function signUpIsOpen({ db, config }: Pick<Services, 'db' | 'config'>): Promise<boolean> {
  return config.signUp === 'open' || (config.signUp === 'auto' && !(await hasAccounts(db)))
}

/** Has anybody an account here? */
export const hasAccounts = async (db: Db | Trx): Promise<boolean> =>
  (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined

/**
 * Makes an account with its personal project and its bonus.
 * @throws RuleError `SignUpClosed`, `CodeRejected` or `EmailTaken`
 */
export async function createAccount(
  services: Services,
  applicant: Applicant & { readonly email: string; readonly password: string },
): Promise<{ readonly id: number }> {
  const passwordHash = await hashPassword(applicant.password)
  return insertion(services.db, (trx) => insertAccount(services, trx, applicant, passwordHash))
}

/** As `createAccount`, inside a transaction. A unique key may be taken meanwhile: run it in `insertion`. */
export async function insertAccount(
  services: Services,
  trx: Trx,
  applicant: Applicant,
  passwordHash: string | null,
): Promise<{ readonly id: number }> {
  const owner = await admit(services, trx, applicant.code)
  const { currency, language, firstName, lastName = '' } = applicant
  const email = applicant.email === null ? null : normalEmail(applicant.email)
  if (email !== null && (await isTaken(trx, email))) throw emailTaken()
  const user = await trx
    .insertInto('users')
    .values({
      external_id: randomNumber(),
      // The first account on a service that is open for one: the key lets only one of two at a time through.
      installation_owner: owner ? 1 : null,
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
    .returning('id')
    .executeTakeFirstOrThrow()
  const projectId = await createPersonalProject(trx, services.clock, { id: user.id, firstName, currency })
  await trx.updateTable('users').set({ last_project_id: projectId }).where('id', '=', user.id).execute()
  await audit(services, trx, 'account.created', { userId: user.id })
  return user
}

/** Lets an applicant in, or not. @returns whether it is the owner of the installation */
async function admit(services: Services, trx: Trx, code: string | undefined): Promise<boolean> {
  if (code !== undefined) {
    if (await redeemCode(services, trx, 'owner', code)) return true
    if (await redeemCode(services, trx, 'invite', code)) return false
    throw new RuleError('CodeRejected', 'This link was used, or it is too old')
  }
  const open = await signUpIsOpen({ db: trx, config: services.config })
  if (!open) throw new RuleError('SignUpClosed', 'Accounts are made by invitation only')
  return services.config.signUp === 'auto'
}

/** The account of an e-mail and a password, or null. Takes as long for an e-mail that nobody has. */
export async function findByPassword({ db }: Pick<Services, 'db'>, email: string, password: string) {
  const user = await db
    .selectFrom('users')
    .select(['id', 'password_hash'])
    .where('email', '=', normalEmail(email))
    .executeTakeFirst()
  const good = await isPassword(password, user?.password_hash ?? null)
  return user && good ? { id: user.id, passwordHash: user.password_hash } : null
}

/** What an account that is made in a language counts its money in. */
export const currencyFor = (language: Language): Currency => (language === 'ru' ? 'rub' : 'usd')

/** Has an account this e-mail, in its one spelling? */
export const isTaken = async (trx: Trx, email: string): Promise<boolean> =>
  (await trx.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()) !== undefined

export const emailTaken = () => new RuleError('EmailTaken', 'An account with this e-mail cannot be made')

/** An e-mail that those who know it recognise. */
export const maskedEmail = (email: string): string => email.replace(/^(.).*(?=@)/u, '$1…')

/** One spelling of an e-mail. */
export const normalEmail = (email: string): string => email.trim().normalize('NFC').toLowerCase()
