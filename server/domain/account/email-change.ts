// Change of the e-mail of an account. Recovery links are sent to it, so with a mail server the new e-mail takes effect only
// when a link sent to it has been opened.
import type { Services, User } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { hashOf } from '#server/core/secrets.ts'
import type { Trx } from '#server/db/open.ts'
import { isDuplicate, transaction } from '#server/db/transaction.ts'
import { emailTaken, isTaken, normalEmail } from './accounts.ts'
import { audit } from './audit.ts'
import { forgetSignInCodes, isGoodCode, issueCode, redeemCode } from './codes.ts'
import { removeCodesOfUser } from './codes-store.ts'
import { passwordWrong, prove } from './credentials.ts'
import { lockUser, updateUser } from './store.ts'

/** Confirmation links per user and minute. */
const perMinute = 3

/** A new e-mail that awaits confirmation. */
export interface AskedEmail {
  readonly code: string
  /** The new e-mail, normalised. */
  readonly to: string
  /** The current e-mail. */
  readonly from: string | null
}

/**
 * Changes the e-mail where there is no mail server; otherwise issues the code of a link that changes it, once, within an hour.
 * @returns null when it is already changed
 * @throws RuleError `PasswordWrong`, `SignInAgain`, `EmailTaken`
 */
export async function changeEmail(
  services: Services,
  user: User,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<AskedEmail | null> {
  const current = await prove(services, user, password)
  const to = normalEmail(email)
  if (to === current.email) return null
  if (services.config.mail === null) {
    await unlessTaken(transaction(services.db, (trx) => setEmail(services, trx, user.id, to)))
    return null
  }
  services.limits.count(`e-mail ${user.id}`, perMinute)
  return transaction(services.db, async (trx) => {
    const { password_hash } = await lockUser(trx, user.id)
    if (password_hash !== current.password_hash) throw passwordWrong()
    if (await isTaken(trx, to)) throw emailTaken()
    // Only the newest link is valid.
    await removeCodesOfUser(trx, user.id, ['email'])
    await audit(services, trx, 'account.email-asked', { userId: user.id, familyId: user.sessionId })
    // Bound to the e-mail: an altered link is refused.
    return { code: await issueCode(services, trx, 'email', { userId: user.id, state: to }), to, from: current.email }
  })
}

/** Returns whether the code of a confirmation link is valid now. */
export const mayConfirmEmail = (services: Services, code: string): Promise<boolean> =>
  isGoodCode(services, services.db, 'email', code)

/**
 * Sets the e-mail that a confirmation link carries.
 * @throws RuleError `CodeRejected`; `EmailTaken` when another account has it by now
 */
export const confirmEmail = (services: Services, code: string, email: string): Promise<void> =>
  unlessTaken(
    transaction(services.db, async (trx) => {
      const row = await redeemCode(services, trx, 'email', code)
      const to = normalEmail(email)
      if (typeof row?.user_id !== 'number' || row.state !== hashOf(to)) {
        throw new RuleError('CodeRejected')
      }
      await lockUser(trx, row.user_id)
      await setEmail(services, trx, row.user_id, to)
    }),
  )

/** Returns the confirmation link of a code. @param url public address of the service */
export const emailLink = (url: string, { code, to }: AskedEmail, language: string): string =>
  `${url}/auth/local/confirm?${new URLSearchParams({ code, email: to, language }).toString()}`

async function setEmail(services: Services, trx: Trx, userId: number, email: string): Promise<void> {
  await updateUser(trx, userId, { email })
  // Links that were sent to the old address become void.
  await forgetSignInCodes(trx, userId)
  await audit(services, trx, 'account.email', { userId })
}

async function unlessTaken(change: Promise<void>): Promise<void> {
  try {
    await change
  } catch (error) {
    throw isDuplicate(error) ? emailTaken() : error
  }
}
