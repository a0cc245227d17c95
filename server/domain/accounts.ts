// Local accounts: e-mail and password, and who may make one.
import { hash, verify } from '@node-rs/argon2'
import type { Language } from '#contract/core/wire.ts'
import type { Currency } from '#contract/entities/project.ts'
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { randomNumber } from '#server/core/secrets.ts'
import type { Db, Trx } from '#server/db/open.ts'
import { isDuplicate, transaction } from '#server/db/transaction.ts'
import { audit } from './audit.ts'
import { redeemCode } from './codes.ts'
import { createPersonalProject } from './projects.ts'

/** argon2id as OWASP recommends it: 19 MiB, two passes, one lane. About 20 ms of one core for each attempt. */
const argon = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** What an unknown e-mail is compared with, so that it takes as long as a wrong password. */
let nobody: Promise<string> | undefined

const insertTries = 3

export const passwordMin = 10
export const passwordMax = 256

/** Somebody who wants an account. */
export interface Applicant {
  readonly email: string
  readonly password: string
  readonly firstName: string
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
export async function createAccount(services: Services, applicant: Applicant): Promise<{ readonly id: number }> {
  const passwordHash = await hash(applicant.password, argon)
  for (let tries = 1; ; tries++) {
    try {
      return await transaction(services.db, (trx) => insertAccount(services, trx, applicant, passwordHash))
    } catch (error) {
      // Somebody took the same e-mail, number or first place meanwhile; the next try sees it.
      if (!isDuplicate(error) || tries === insertTries) throw error
    }
  }
}

async function insertAccount(services: Services, trx: Trx, applicant: Applicant, passwordHash: string) {
  const owner = await admit(services, trx, applicant.code)
  const { currency, language, firstName } = applicant
  const email = normalEmail(applicant.email)
  const taken = await trx.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()
  if (taken) throw new RuleError('EmailTaken', 'An account with this e-mail cannot be made')
  const user = await trx
    .insertInto('users')
    .values({
      external_id: randomNumber(),
      // The first account on a service that is open for one: the key lets only one of two at a time through.
      installation_owner: owner ? 1 : null,
      email,
      password_hash: passwordHash,
      first_name: firstName,
      last_name: '',
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
  nobody ??= hash(randomNumber(), argon)
  const good = await verify(user?.password_hash ?? (await nobody), password)
  return user && user.password_hash !== null && good ? { id: user.id } : null
}

/** One spelling of an e-mail. */
export const normalEmail = (email: string): string => email.trim().normalize('NFC').toLowerCase()
