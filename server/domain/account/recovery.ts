// Password recovery: a link that sets a new password, once, within an hour.
import { later, iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { transaction } from '#server/db/transaction.ts'
import { normalEmail } from './accounts.ts'
import { audit } from './audit.ts'
import { isGoodCode, issueCode, redeemCode } from './codes.ts'
import { hasCodeSince, removeCodesOfUser } from './codes-store.ts'
import { hashPassword } from './passwords.ts'
import { endOthers } from './sessions.ts'
import { lockUser, lockUserByEmail, updateUser } from './store.ts'

/** Interval in which repeated requests send at most one e-mail, milliseconds. */
const repeatAfterMs = 60_000

/**
 * Issues the code of a recovery link; an older one becomes invalid.
 * @param immediately for the operator of the service: ignores the interval between links
 * @returns the code, and the e-mail as it is stored, because the typed one may only look the same. Null when no account has
 *   this e-mail, or a link was issued less than a minute ago
 */
export function issueRecovery(
  services: Services,
  email: string,
  immediately = false,
): Promise<{ readonly code: string; readonly to: string } | null> {
  const { db, clock } = services
  return transaction(db, async (trx) => {
    const to = normalEmail(email)
    const user = await lockUserByEmail(trx, to)
    if (!user) return null
    const isTooSoon = await hasCodeSince(trx, user.id, 'recovery', iso(later(clock.now(), -repeatAfterMs)))
    if (isTooSoon && !immediately) return null
    await removeCodesOfUser(trx, user.id, ['recovery'])
    await audit(services, trx, 'account.recovery-asked', { userId: user.id })
    return { code: await issueCode(services, trx, 'recovery', { userId: user.id }), to }
  })
}

/** Returns whether the code of a recovery link is valid now. */
export const mayRecover = (services: Services, code: string): Promise<boolean> =>
  isGoodCode(services, services.db, 'recovery', code)

/**
 * Sets a new password by the code of a link, and ends every session.
 * @returns the e-mail of the account
 * @throws RuleError `CodeRejected`
 */
export async function recover(services: Services, code: string, password: string): Promise<string | null> {
  const rejected = () => new RuleError('CodeRejected')
  // Hashing is expensive: check the code first.
  if (!(await mayRecover(services, code))) throw rejected()
  const password_hash = await hashPassword(password)
  const email = await transaction(services.db, async (trx) => {
    const id = (await redeemCode(services, trx, 'recovery', code))?.user_id
    if (id === null || id === undefined) throw rejected()
    const user = await lockUser(trx, id)
    await updateUser(trx, id, { password_hash })
    await endOthers(services, trx, { id }, 'password')
    await audit(services, trx, 'account.recovered', { userId: id })
    return user.email
  })
  services.realtime.recheck()
  return email
}
