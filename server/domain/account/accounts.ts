// Accounts: admission to sign-up, sign-in by password, and normalised e-mails. Sign-up itself is in projects/sign-up.ts.
import { SignUpMode } from '#contract/entities/account.ts'
import type { Reading, Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { env, settings } from '#server/core/variables.ts'
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import { billingMode } from '#server/domain/installation/installation.ts'
import { getInstallation } from '#server/domain/installation/store.ts'
import { isPassword } from './passwords.ts'
import { findUserByEmail, hasUsers } from './store.ts'

export const signUpSettings = settings({
  signUp: env(
    'SIGN_UP',
    SignUpMode,
    'auto',
    'Sign-up, until an operator chooses under Administration. `auto`: the first account, then people invited to a project, and every visitor while plans apply; `open`: every visitor; `invite`: people invited to a project, also while plans apply; `closed`: no invitations to projects. The first account of `invite` and `closed` is made by the link in the log; links of `npm start -- invite` work with each',
  ),
})

/** Returns the mode of sign-up: that of the operators, else that of `SIGN_UP`. */
export async function signUpMode(services: {
  readonly db: ReadDb
  readonly config: Pick<Services['config'], 'signUp'>
}): Promise<SignUpMode> {
  return (await getInstallation(services.db)).sign_up ?? services.config.signUp
}

/** Returns whether sign-up needs no code: always (`open`), or for the first account and while plans apply (`auto`). */
export async function signUpIsOpen(services: {
  readonly db: Db | Trx
  readonly config: Pick<Services['config'], 'signUp'>
}): Promise<boolean> {
  const { db } = services
  const mode = await signUpMode(services)
  if (mode !== 'auto') return mode === 'open'
  return !(await hasUsers(db)) || (await billingMode(db)) === 'plans'
}

/** Returns the account of an e-mail and a password, or null. Takes equally long for an unknown e-mail. */
export async function findByPassword({ db }: Reading<Pick<Services, 'db'>>, email: string, password: string) {
  const user = await findUserByEmail(db, normalEmail(email))
  const matches = await isPassword(password, user?.password_hash ?? null)
  return user && matches ? { id: user.id, passwordHash: user.password_hash } : null
}

/** Returns whether an account has this normalised e-mail. */
export const isTaken = async (trx: ReadDb, email: string): Promise<boolean> =>
  (await findUserByEmail(trx, email)) !== undefined

export const emailTaken = () => new RuleError('EmailTaken')

/** Masks an e-mail: people recognise it only if they know it. */
export const maskedEmail = (email: string): string => email.replace(/^(.).*(?=@)/u, '$1…')

/** Normalises an e-mail: trimmed, NFC, lower case. */
export const normalEmail = (email: string): string => email.trim().normalize('NFC').toLowerCase()
