// The people of a project: roles, removing, leaving, handing over. Each change holds the project, looks again at who
// asks, follows the table of rules, and is in the history.
import { type AccessType, roles } from '#contract/entities/project.ts'
import type { Services, User } from '#server/core/context.ts'
import { ForbiddenError, RuleError } from '#server/core/errors.ts'
import type { Trx } from '#server/db/open.ts'
import { projectTransaction } from '#server/db/transaction.ts'
import { recordHistory } from './history.ts'
import { lockProject } from '#server/domain/tariffs/plan-limits.ts'
import { withdrawInvites } from './team-invites.ts'
import { mustBeAllowed } from './team-rules.ts'
import { countMembers, findKind, findRole, nameOf, removeRole, updateRole } from './team-store.ts'

/** A member of a project, by the ids of both. */
export interface Place {
  readonly projectId: number
  readonly userId: number
}

/** Somebody who changes a project that is held, inside a transaction. */
export interface Team {
  readonly services: Services
  readonly trx: Trx
  readonly actor: User
  readonly projectId: number
}

/**
 * Gives a member another role.
 * @throws RuleError `NotMember`, `LastOwner` or `PersonalProject`; ForbiddenError when the caller is no owner any more
 */
export const changeAccess = (services: Services, user: User, place: Place, to: AccessType): Promise<void> =>
  asOwner(services, user, place.projectId, (team) => setRole(team, place.userId, to))

/** Takes a member out of a project, at once. @throws as `changeAccess` does */
export const removeMember = (services: Services, user: User, place: Place): Promise<void> =>
  asOwner(services, user, place.projectId, (team) => setRole(team, place.userId, null))

/** Takes the caller out of a project. @throws RuleError `LastOwner` or `PersonalProject` */
export const leaveProject = (services: Services, user: User, projectId: number): Promise<void> =>
  projectTransaction(services.db, projectId, async (trx) => {
    await lockProject(trx, projectId)
    if ((await findRole(trx, projectId, user.id)) === null) throw new ForbiddenError()
    await setRole({ services, trx, actor: user, projectId }, user.id, null)
  })

/** Makes a member an owner and the caller an editor. @throws RuleError `NotMember`, `PersonalProject` or `NotAnother` */
export const transferOwner = (services: Services, user: User, { projectId, userId }: Place): Promise<void> =>
  asOwner(services, user, projectId, async (team) => {
    if (userId === user.id) throw new RuleError('NotAnother', 'A project is handed over to somebody else')
    await setRole(team, userId, owner)
    await setRole(team, user.id, editor)
  })

const owner = roles.indexOf('owner') as AccessType
const editor = roles.indexOf('editor') as AccessType

/**
 * Holds a project for a change that only its owners may make. The right is asked for again: between the edge and here
 * somebody else may have taken it away.
 * @throws ForbiddenError
 */
export const asOwner = <T>(
  services: Services,
  actor: User,
  projectId: number,
  change: (team: Team) => Promise<T>,
): Promise<T> =>
  projectTransaction(services.db, projectId, async (trx) => {
    await lockProject(trx, projectId)
    if ((await findRole(trx, projectId, actor.id)) !== owner) throw new ForbiddenError()
    return change({ services, trx, actor, projectId })
  })

/** The one way in which a role changes; null is going. */
async function setRole(
  { services, trx, actor, projectId }: Team,
  userId: number,
  to: AccessType | null,
): Promise<void> {
  const from = await findRole(trx, projectId, userId)
  if (from === null) throw new RuleError('NotMember', 'This person is not in the project')
  if (from === to) return
  const type = await findKind(trx, projectId)
  mustBeAllowed({ type, owners: await countMembers(trx, projectId, owner), from, to })
  if (to === null) await removeRole(trx, projectId, userId)
  else await updateRole(trx, projectId, userId, to)
  // The links of somebody who is no owner any more would be a way back in.
  if (from === owner) {
    await withdrawInvites(services, trx, actor.id, { project_id: projectId, from_user_id: userId })
  }
  const name = await nameOf(trx, userId)
  await recordHistory(services, trx, {
    projectId,
    userId: actor.id,
    action: to === null ? 'user_project_del' : 'user_project_change',
    details: { user_id: userId, name, from, ...(to === null ? {} : { to }) },
  })
}
