// People of the installation: operators, sessions of users, and the mode of sign-up.
import type { SignUpMode } from '#contract/entities/account.ts'
import { iso } from '#server/core/clock.ts'
import type { Services, User } from '#server/core/context.ts'
import { NotFoundError, RuleError } from '#server/core/errors.ts'
import type { Trx } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { signUpMode } from '#server/domain/account/accounts.ts'
import { issueCode } from '#server/domain/account/codes.ts'
import { endOthers } from '#server/domain/account/sessions.ts'
import { logOperator } from '#server/domain/installation/operator-log.ts'
import {
  insertOperator,
  listOperatorIds,
  lockInstallation,
  removeOperator,
  updateInstallation,
} from '#server/domain/installation/store.ts'
import { removeOperatorNotices } from '#server/domain/notifications/store.ts'
import { findUserName } from './people-store.ts'

type Part = Pick<Services, 'db' | 'clock'>

async function getUserName(trx: Trx, id: number): Promise<string> {
  const user = await findUserName(trx, id)
  if (!user) throw new NotFoundError('UserNotFound')
  return [user.first_name, user.last_name].filter(Boolean).join(' ')
}

/**
 * Makes a user an operator, or removes the right. The notifications of a former operator are removed.
 * @throws NotFoundError `UserNotFound`; RuleError `LastOperator`, `OperatorAlready`, `NoOperator`
 */
export const setOperator = (
  { db, clock }: Part,
  user: User,
  { userId, isOperator, reason }: { readonly userId: number; readonly isOperator: boolean; readonly reason: string },
): Promise<void> =>
  transaction(db, async (trx) => {
    // Two operators may remove each other at the same time.
    await lockInstallation(trx)
    const name = await getUserName(trx, userId)
    const known = await listOperatorIds(trx)
    if (isOperator === known.includes(userId))
      throw isOperator ? new RuleError('OperatorAlready') : new RuleError('NoOperator')
    if (!isOperator && known.length === 1) throw new RuleError('LastOperator')
    if (isOperator) await insertOperator(trx, { user_id: userId, date_create: iso(clock.now()) })
    else {
      await removeOperator(trx, userId)
      await removeOperatorNotices(trx, userId)
    }
    const action = isOperator ? 'operator_added' : 'operator_removed'
    await logOperator(trx, clock, { userId: user.id, action, after: { name, user_id: userId }, reason })
  })

/**
 * Ends all sessions of a user; of the caller, all others.
 * @returns how many were ended
 * @throws NotFoundError `UserNotFound`
 */
export const endSessions = (services: Services, user: User, userId: number, reason: string): Promise<number> =>
  transaction(services.db, async (trx) => {
    const name = await getUserName(trx, userId)
    const ended = await endOthers(services, trx, userId === user.id ? user : { id: userId }, 'closed')
    const entry = { userId: user.id, action: 'sessions_ended', after: { name, user_id: userId, ended }, reason }
    await logOperator(trx, services.clock, entry)
    return ended
  })

/** Sets the mode of sign-up. It replaces the setting `SIGN_UP`. */
export const setSignUp = (
  { db, clock, config }: Part & Pick<Services, 'config'>,
  user: User,
  signUp: SignUpMode,
  reason: string,
): Promise<void> =>
  transaction(db, async (trx) => {
    await lockInstallation(trx)
    const before = { sign_up: await signUpMode({ db: trx, config }) }
    await updateInstallation(trx, { sign_up: signUp })
    await logOperator(trx, clock, { userId: user.id, action: 'sign_up', before, after: { sign_up: signUp }, reason })
  })

/** Issues a code that makes one account, within a week. */
export const inviteUser = ({ db, clock }: Part, user: User, reason: string): Promise<string> =>
  transaction(db, async (trx) => {
    await logOperator(trx, clock, { userId: user.id, action: 'invited', reason })
    return await issueCode({ clock }, trx, 'invite')
  })
