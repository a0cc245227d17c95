// A new e-mail of an account. Links for a forgotten password go to it, so where e-mails can be sent it counts only once
// somebody has opened a link that came to it.
import type { Services, User } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { hashOf } from '#server/core/secrets.ts'
import type { Trx } from '#server/db/open.ts'
import { isDuplicate, transaction } from '#server/db/transaction.ts'
import { emailTaken, isTaken, normalEmail } from './accounts.ts'
import { audit } from './audit.ts'
import { forgetSignInCodes, isGoodCode, issueCode, redeemCode } from './codes.ts'
import { passwordWrong, prove } from './credentials.ts'
import { holdPerson } from './people.ts'

/** Links that one person may have sent, to whomever. */
const perMinute = 3

/** What has to be sent before a new e-mail counts. */
export interface AskedEmail {
  readonly code: string
  /** The new address, as it is kept. */
  readonly to: string
  /** The address until then. */
  readonly from: string | null
}

/**
 * Changes the e-mail where no e-mails can be sent, else makes the code of the link that changes it, once, within an hour.
 * @returns null when it is changed already
 * @throws RuleError `PasswordWrong`, `SignInAgain`, `EmailTaken`
 */
export async function changeEmail(
  services: Services,
  user: User,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<AskedEmail | null> {
  const known = await prove(services, user, password)
  const to = normalEmail(email)
  if (to === known.email) return null
  if (services.config.mail === null) {
    await unlessTaken(transaction(services.db, (trx) => setEmail(services, trx, user.id, to)))
    return null
  }
  services.limits.count(`e-mail ${user.id}`, perMinute)
  return transaction(services.db, async (trx) => {
    const { password_hash } = await holdPerson(trx, user.id)
    if (password_hash !== known.password_hash) throw passwordWrong()
    if (await isTaken(trx, to)) throw emailTaken()
    // The newest link counts.
    await trx
      .deleteFrom('codes')
      .where('user_id', '=', user.id)
      .where('kind', '=', 'email')
      .where('date_use', 'is', null)
      .execute()
    await audit(services, trx, 'account.email-asked', { userId: user.id, familyId: user.sessionId })
    // Bound to the address: whoever alters the link has none.
    return { code: await issueCode(services, trx, 'email', { userId: user.id, state: to }), to, from: known.email }
  })
}

/** Whether a link would be taken now. */
export const mayConfirmEmail = (services: Services, code: string): Promise<boolean> =>
  isGoodCode(services, services.db, 'email', code)

/**
 * Makes the address of a link the e-mail of its account.
 * @throws RuleError `CodeRejected`; `EmailTaken` when somebody else has it by now
 */
export const confirmEmail = (services: Services, code: string, email: string): Promise<void> =>
  unlessTaken(
    transaction(services.db, async (trx) => {
      const row = await redeemCode(services, trx, 'email', code)
      const to = normalEmail(email)
      if (typeof row?.user_id !== 'number' || row.state !== hashOf(to)) {
        throw new RuleError('CodeRejected', 'This link was used, or it is too old')
      }
      await holdPerson(trx, row.user_id)
      await setEmail(services, trx, row.user_id, to)
    }),
  )

/** The link of a code. @param url where people reach the service */
export const emailLink = (url: string, { code, to }: AskedEmail, language: string): string =>
  `${url}/auth/local/confirm?${new URLSearchParams({ code, email: to, language }).toString()}`

async function setEmail(services: Services, trx: Trx, userId: number, email: string): Promise<void> {
  await trx.updateTable('users').set({ email }).where('id', '=', userId).execute()
  // A link that went to the old address leads nowhere any more.
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
