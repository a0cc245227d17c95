// Invitations into a project, from the side of who got one. Whoever has the secret is meant: it was handed to them.
import { iso } from '#server/core/clock.ts'
import type { Services, User } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { hashOf } from '#server/core/secrets.ts'
import type { Db, Trx } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { forgetCode, issueOnlyCode } from '#server/domain/account/codes.ts'
import { recordHistory } from './history.ts'
import { lockProject } from '#server/domain/tariffs/plan-limits.ts'
import { addMember } from './projects.ts'
import { type InviteRow, noteInvite, refuseCrowd, signUpState } from './team-invites.ts'
import { findRole, nameOf } from './team-store.ts'

/** One refusal for every link that is not good: never made, used, withdrawn, too old. */
const rejected = () => new RuleError('InviteRejected', 'This invitation was used or withdrawn, or it is too old')

/** What an invitation says, before it is answered. @throws RuleError `InviteRejected` */
export async function readInvite({ db, clock }: Pick<Services, 'db' | 'clock'>, secret: string) {
  const row = await withHash(db, secret)
    .innerJoin('projects', 'projects.id', 'project_invites.project_id')
    .innerJoin('users', 'users.id', 'project_invites.from_user_id')
    .select([
      'project_invites.access_type',
      'project_invites.date_expire',
      'projects.name',
      'projects.fename',
      'projects.photo',
      'projects.type',
      'users.first_name',
      'users.last_name',
    ])
    .where('project_invites.date_end', 'is', null)
    .where('project_invites.date_expire', '>', iso(clock.now()))
    .executeTakeFirst()
  if (!row) throw rejected()
  return row
}

/** May somebody make an account with an invitation? */
export const maySignUp = ({ config }: Pick<Services, 'config'>): boolean => config.signUp !== 'closed'

/**
 * A code that makes one account. An invitation brings one person in: a newer code replaces the older one, and there
 * is none after an account was made.
 * @throws RuleError `InviteRejected` or `SignUpClosed`
 */
export async function issueSignUpCode(services: Services, secret: string): Promise<string> {
  if (!maySignUp(services)) throw new RuleError('SignUpClosed', 'This service takes no new accounts')
  const code = await answering(services, secret, async (trx, row) =>
    isWaiting(services, row) ? issueOnlyCode(services, trx, 'invite', signUpState(row.id)) : null,
  )
  if (code === null) throw rejected()
  return code
}

/**
 * Lets the caller into the project. Asking again after it worked is fine: the answer may have been lost.
 * @returns the project
 * @throws RuleError `InviteRejected`, `AlreadyMember` with `{project_id}`, or `TooManyMembers`
 */
export const acceptInvite = (services: Services, user: User, secret: string): Promise<number> =>
  answering(services, secret, async (trx, row) => {
    const projectId = row.project_id
    const role = await findRole(trx, projectId, user.id)
    if (row.accepted_by === user.id && role !== null) return projectId
    if (!isWaiting(services, row)) throw rejected()
    if (role !== null) {
      throw new RuleError('AlreadyMember', 'You are in this project already', { project_id: projectId })
    }
    await refuseCrowd(trx, projectId)
    await addMember(trx, services.clock, { projectId, userId: user.id, accessType: row.access_type })
    await end(services, trx, row, user.id)
    await noteInvite(services, trx, row, user.id, 'accept')
    await recordHistory(services, trx, {
      projectId,
      userId: user.id,
      action: 'user_project_add',
      details: { user_id: user.id, name: await nameOf(trx, user.id), to: row.access_type },
    })
    return projectId
  })

/** Turns an invitation down, for good. @throws RuleError `InviteRejected` */
export const declineInvite = (services: Services, user: User | null, secret: string): Promise<void> =>
  answering(services, secret, async (trx, row) => {
    if (!isWaiting(services, row)) throw rejected()
    await end(services, trx, row, null)
    await noteInvite(services, trx, row, user?.id ?? null, 'decline')
  })

/** Holds the project of an invitation, so that it is answered once. */
const answering = <T>(
  services: Services,
  secret: string,
  answer: (trx: Trx, row: InviteRow) => Promise<T>,
): Promise<T> =>
  transaction(services.db, async (trx) => {
    const found = await withHash(trx, secret).select('project_invites.project_id').executeTakeFirst()
    if (!found) throw rejected()
    await lockProject(trx, found.project_id)
    return answer(trx, await withHash(trx, secret).selectAll('project_invites').executeTakeFirstOrThrow())
  })

const withHash = (db: Db | Trx, secret: string) =>
  db.selectFrom('project_invites').where('project_invites.hash', '=', hashOf(secret))

/** Does it still wait for an answer? */
const isWaiting = ({ clock }: Pick<Services, 'clock'>, row: InviteRow): boolean =>
  row.date_end === null && row.date_expire > iso(clock.now())

async function end({ clock }: Services, trx: Trx, row: InviteRow, acceptedBy: number | null): Promise<void> {
  await trx
    .updateTable('project_invites')
    .set({ date_end: iso(clock.now()), accepted_by: acceptedBy })
    .where('id', '=', row.id)
    .execute()
  await forgetCode(trx, 'invite', signUpState(row.id))
}
