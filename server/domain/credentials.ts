// The password that somebody signs in with here: changing it, and showing that one knows it.
import type { Services, User } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { transaction } from '#server/db/transaction.ts'
import { audit } from './audit.ts'
import { holdPerson } from './people.ts'
import { hashPassword, isPassword } from './passwords.ts'
import { endOthers } from './sessions.ts'

const perMinute = 10
/** How old a sign-in may be that stands in for a password where there is none. */
const freshMs = 15 * 60_000

/**
 * Changes the password, or gives the account its first one, and ends all other sessions.
 * @throws RuleError `PasswordWrong`, also when it was changed meanwhile; `EmailMissing`, `SignInAgain`
 */
export async function changePassword(
  services: Services,
  user: User,
  { old, next }: { readonly old: string; readonly next: string },
): Promise<void> {
  const known = await prove(services, user, old)
  if (known.email === null) {
    throw new RuleError('EmailMissing', 'A password is of use only with an e-mail. Set the e-mail first.')
  }
  const passwordHash = await hashPassword(next)
  await transaction(services.db, async (trx) => {
    await holdPerson(trx, user.id)
    const { numUpdatedRows } = await trx
      .updateTable('users')
      .set({ password_hash: passwordHash })
      .where('id', '=', user.id)
      .where('password_hash', known.password_hash === null ? 'is' : '=', known.password_hash)
      .executeTakeFirstOrThrow()
    // Of two changes at a time one knows an old password that is not it any more.
    if (numUpdatedRows === 0n) throw passwordWrong()
    await endOthers(services, trx, user, 'password')
    await audit(services, trx, 'account.password', { userId: user.id, familyId: user.sessionId })
  })
}

/**
 * Whoever holds a token has to show more than that: the password, or a sign-in that is new where there is none.
 * @throws RuleError `PasswordWrong`, `SignInAgain`
 */
export async function prove({ db, clock, limits }: Services, user: User, password: string) {
  limits.count(`password ${user.id}`, perMinute)
  const known = await db
    .selectFrom('users')
    .innerJoin('token_families', 'token_families.user_id', 'users.id')
    .select(['users.email', 'users.password_hash', 'token_families.date_create as begun'])
    .where('users.id', '=', user.id)
    .where('token_families.id', '=', user.sessionId)
    .executeTakeFirstOrThrow()
  if (known.password_hash === null) {
    const age = clock.now().getTime() - Date.parse(known.begun)
    if (age > freshMs) throw new RuleError('SignInAgain', 'Sign out, sign in again, and do this within 15 minutes.')
  } else if (!(await isPassword(password, known.password_hash))) throw passwordWrong()
  return known
}

export const passwordWrong = () => new RuleError('PasswordWrong', 'The password is not right')
