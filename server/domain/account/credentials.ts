// The password that somebody signs in with here: changing it, and showing that one knows it.
import { iso } from '#server/core/clock.ts'
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
    .select(['users.email', 'users.password_hash', 'token_families.date_auth as begun'])
    .where('users.id', '=', user.id)
    .where('token_families.id', '=', user.sessionId)
    .executeTakeFirstOrThrow()
  if (known.password_hash === null) {
    mustBeFresh(clock, known.begun)
  } else if (!(await isPassword(password, known.password_hash))) throw passwordWrong()
  return known
}

/**
 * Refuses a session whose sign-in is old: for what adds a way to sign in, where a call cannot carry a password.
 * @throws RuleError `SignInAgain`
 */
export async function proveFresh({ db, clock }: Pick<Services, 'db' | 'clock'>, { sessionId }: User): Promise<void> {
  const { date_auth } = await db
    .selectFrom('token_families')
    .select('date_auth')
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow()
  mustBeFresh(clock, date_auth)
}

/**
 * Makes a session as new as a sign-in, by the password. An account without one has nothing to show: its sign-in stays as old as
 * it is.
 * @throws RuleError `PasswordWrong`, `SignInAgain`
 */
export async function renewSignIn(services: Services, user: User, password: string): Promise<void> {
  const { password_hash } = await prove(services, user, password)
  if (password_hash === null) return
  await services.db
    .updateTable('token_families')
    .set({ date_auth: iso(services.clock.now()) })
    .where('id', '=', user.sessionId)
    .execute()
}

function mustBeFresh(clock: Services['clock'], signedIn: string): void {
  if (clock.now().getTime() - Date.parse(signedIn) <= freshMs) return
  throw new RuleError('SignInAgain', 'Sign out, sign in again, and do this within 15 minutes.')
}

export const passwordWrong = () => new RuleError('PasswordWrong', 'The password is not right')
