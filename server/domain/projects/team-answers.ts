// Invitations into a project, for the invited user: read, sign up, accept, decline. The secret authorizes, or the e-mail that
// was invited.
import { iso } from '#server/core/clock.ts'
import type { Reading, Services, User } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { hashOf } from '#server/core/secrets.ts'
import type { Trx } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { signUpMode } from '#server/domain/account/accounts.ts'
import { forgetCode, issueOnlyCode } from '#server/domain/account/codes.ts'
import { lockProject } from '#server/domain/tariffs/store.ts'
import { recordHistory } from './history.ts'
import { updateInviteEnded, findInvitedProject, findOpenInvite, getInvite, type InviteRow } from './invites-store.ts'
import { addMember } from './projects.ts'
import { findRole, getUserName } from './store.ts'
import { noteInvite, refuseCrowd, signUpState } from './team-invites.ts'
import { nameOf } from './team-rules.ts'

/** Key of an invitation: the secret of its link, or its id with the e-mail of the account that it invited. */
export type InviteKey = { readonly secret: string } | { readonly id: number; readonly email: string }

/** The same error for every invalid link: unknown, used, withdrawn, expired. */
const rejected = () => new RuleError('InviteRejected')

/** Returns an open invitation. @throws RuleError `InviteRejected` */
export async function readInvite({ db, clock }: Reading<Pick<Services, 'db' | 'clock'>>, secret: string) {
  const row = await findOpenInvite(db, hashOf(secret), iso(clock.now()))
  if (!row) throw rejected()
  return row
}

/** Returns whether an invitation may create an account. */
export const maySignUp = async (services: Reading<Pick<Services, 'db' | 'config'>>): Promise<boolean> =>
  (await signUpMode(services)) !== 'closed'

/**
 * Issues a code that creates one account. An invitation admits one user: a newer code replaces the older one, and after an
 * account was created there is none.
 * @throws RuleError `InviteRejected` or `SignUpClosed`
 */
export async function issueSignUpCode(services: Services, secret: string): Promise<string> {
  if (!(await maySignUp(services))) throw new RuleError('SignUpClosed')
  const code = await answering(services, { secret }, async (trx, row) =>
    isWaiting(services, row) ? issueOnlyCode(services, trx, 'invite', signUpState(row.id)) : null,
  )
  if (code === null) throw rejected()
  return code
}

/**
 * Adds the caller to the project. A repeated call succeeds: the response may have been lost.
 * @returns the project id
 * @throws RuleError `InviteRejected`, `AlreadyMember` with `{project_id}`, or `TooManyMembers`
 */
export const acceptInvite = (services: Services, user: User, key: InviteKey): Promise<number> =>
  answering(services, key, async (trx, row) => {
    const projectId = row.project_id
    const role = await findRole(trx, projectId, user.id)
    if (row.accepted_by === user.id && role !== null) return projectId
    if (!isWaiting(services, row)) throw rejected()
    if (role !== null) {
      throw new RuleError('AlreadyMember_you', { project_id: projectId })
    }
    await refuseCrowd(trx, projectId)
    await addMember(trx, services.clock, { projectId, userId: user.id, accessType: row.access_type })
    await end(services, trx, row, user.id)
    await noteInvite(services, trx, row, user.id, 'accept')
    await recordHistory(services, trx, {
      projectId,
      userId: user.id,
      action: 'user_project_add',
      details: { user_id: user.id, name: nameOf(await getUserName(trx, user.id)), to: row.access_type },
    })
    return projectId
  })

/** Declines an invitation. @throws RuleError `InviteRejected` */
export const declineInvite = (services: Services, user: User | null, key: InviteKey): Promise<void> =>
  answering(services, key, async (trx, row) => {
    if (!isWaiting(services, row)) throw rejected()
    await end(services, trx, row, null)
    await noteInvite(services, trx, row, user?.id ?? null, 'decline')
  })

/** Locks the project of an invitation, so that it is answered once. */
const answering = <T>(
  services: Services,
  key: InviteKey,
  answer: (trx: Trx, row: InviteRow) => Promise<T>,
): Promise<T> =>
  transaction(services.db, async (trx) => {
    const stored = 'secret' in key ? { hash: hashOf(key.secret) } : key
    const projectId = await findInvitedProject(trx, stored)
    if (projectId === undefined) throw rejected()
    await lockProject(trx, projectId)
    return answer(trx, await getInvite(trx, stored))
  })

/** Returns whether an invitation is open. */
const isWaiting = ({ clock }: Pick<Services, 'clock'>, row: InviteRow): boolean =>
  row.date_end === null && row.date_expire > iso(clock.now())

async function end({ clock }: Services, trx: Trx, row: InviteRow, acceptedBy: number | null): Promise<void> {
  await updateInviteEnded(trx, row.id, iso(clock.now()), acceptedBy)
  await forgetCode(trx, 'invite', signUpState(row.id))
}
