// Password of an account: change, and verification before a sensitive change.
import { iso } from '#server/core/clock.ts'
import type { Services, User } from '#server/core/context.ts'
import { RateLimitedError, RuleError } from '#server/core/errors.ts'
import { transaction } from '#server/db/transaction.ts'
import { audit } from './audit.ts'
import { hashPassword, isPassword } from './passwords.ts'
import { hasFactor, proveByCode } from './second-step.ts'
import { endOthers } from './sessions.ts'
import { getSignInTime, updateSignInTime } from './sessions-store.ts'
import { getSignIn, lockUser, updatePassword } from './store.ts'

const perMinute = 10
/** Maximum age of a sign-in that replaces the password of an account without one, milliseconds. */
const freshMs = 15 * 60_000

/**
 * Changes or sets the password, and ends all other sessions.
 * @throws RuleError `PasswordWrong`, also when it was changed concurrently; `EmailMissing`, `SignInAgain`
 */
export async function changePassword(
  services: Services,
  user: User,
  { old, next }: { readonly old: string; readonly next: string },
): Promise<void> {
  const current = await prove(services, user, old)
  if (current.email === null) {
    throw new RuleError('EmailMissing')
  }
  const passwordHash = await hashPassword(next)
  await transaction(services.db, async (trx) => {
    await lockUser(trx, user.id)
    const isUpdated = await updatePassword(trx, user.id, { from: current.password_hash, to: passwordHash })
    // Of two concurrent changes the second verified a password that is no longer valid.
    if (!isUpdated) throw passwordWrong()
    await endOthers(services, trx, user, 'password')
    await audit(services, trx, 'account.password', { userId: user.id, familyId: user.sessionId })
  })
}

/**
 * Verifies the password, or the age of the sign-in when the account has no password: an access token is not sufficient.
 * @throws RuleError `PasswordWrong`, `SignInAgain`
 */
export async function prove({ db, clock, limits }: Services, user: User, password: string) {
  limits.countGuess(`password ${user.id}`, perMinute)
  const current = await getSignIn(db, user)
  if (current.password_hash === null) {
    mustBeFresh(clock, current.begun)
  } else if (!(await isPassword(password, current.password_hash))) throw passwordWrong()
  return current
}

/**
 * Refuses a session that signed in too long ago: for calls without a password that add a way to sign in.
 * @throws RuleError `SignInAgain`
 */
export async function proveFresh({ db, clock }: Pick<Services, 'db' | 'clock'>, { sessionId }: User): Promise<void> {
  mustBeFresh(clock, await getSignInTime(db, sessionId))
}

/**
 * Renews the sign-in time of a session: by a code where the account has a second factor, else by the password. Without both
 * the sign-in time stays as it is.
 * @throws RuleError `PasswordWrong`, `SignInAgain`, `SecondFactorNeeded`, `CodeWrong`
 * @throws RateLimitedError after too many wrong codes
 */
export async function renewSignIn(
  services: Services,
  user: User,
  { password, code }: { readonly password: string; readonly code: string },
): Promise<void> {
  const { db, clock } = services
  if (await hasFactor(db, user.id)) return renewByFactor(services, user, code)
  const { password_hash } = await prove(services, user, password)
  if (password_hash === null) return
  await updateSignInTime(db, user.sessionId, iso(clock.now()))
}

async function renewByFactor(services: Services, user: User, code: string): Promise<void> {
  if (code === '') throw new RuleError('SecondFactorNeeded')
  services.limits.countGuess(`password ${user.id}`, perMinute)
  const verdict = await transaction(services.db, async (trx) => {
    await lockUser(trx, user.id)
    const proof = await proveByCode(services, trx, user.id, code)
    if (proof === 'passed') await updateSignInTime(trx, user.sessionId, iso(services.clock.now()))
    return proof
  })
  // Thrown outside the transaction: a wrong code counts.
  if (verdict === 'wrong') throw new RuleError('CodeWrong')
  if (typeof verdict === 'object') throw new RateLimitedError(verdict.locked)
}

function mustBeFresh(clock: Services['clock'], signedIn: string): void {
  if (clock.now().getTime() - Date.parse(signedIn) <= freshMs) return
  throw new RuleError('SignInAgain')
}

export const passwordWrong = () => new RuleError('PasswordWrong')
