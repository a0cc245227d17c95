// Members of a project: change of role, removal, leaving, transfer. Each change locks the project, authorizes the caller again,
// applies team-rules.ts, and is recorded in the history.
import { type AccessType, accessTypes, roleCan } from '#contract/entities/roles.ts'
import type { Services, User } from '#server/core/context.ts'
import { ForbiddenError, RuleError } from '#server/core/errors.ts'
import type { Trx } from '#server/db/open.ts'
import { projectTransaction } from '#server/db/transaction.ts'
import { lockProject } from '#server/domain/tariffs/store.ts'
import { endGrants } from './apps.ts'
import { recordHistory } from './history.ts'
import { countMembers, findRole, getProjectType, getUserName, removeMembership, updateRole } from './store.ts'
import { withdrawInvites } from './team-invites.ts'
import { mustBeAllowed, nameOf } from './team-rules.ts'
import { endWidgetTokens } from './widgets.ts'

/** A member of a project, by the ids of both. */
export interface Membership {
  readonly projectId: number
  readonly userId: number
}

/** A change of a locked project: its transaction and its actor. */
export interface Team {
  readonly services: Services
  readonly trx: Trx
  readonly actor: User
  readonly projectId: number
}

/**
 * Changes the role of a member.
 * @throws RuleError `NotMember`, `LastOwner` or `PersonalProject`; ForbiddenError when the caller is not an owner any more
 */
export const changeAccess = (services: Services, user: User, membership: Membership, to: AccessType): Promise<void> =>
  asOwner(services, user, membership.projectId, (team) => setRole(team, membership.userId, to))

/** Removes a member from a project. @throws as `changeAccess` does */
export const removeMember = (services: Services, user: User, membership: Membership): Promise<void> =>
  asOwner(services, user, membership.projectId, (team) => setRole(team, membership.userId, null))

/** Removes the caller from a project. @throws RuleError `LastOwner` or `PersonalProject` */
export const leaveProject = (services: Services, user: User, projectId: number): Promise<void> =>
  projectTransaction(services.db, projectId, async (trx) => {
    await lockProject(trx, projectId)
    if ((await findRole(trx, projectId, user.id)) === null) throw new ForbiddenError()
    await setRole({ services, trx, actor: user, projectId }, user.id, null)
  })

/** Makes a member an owner and the caller an editor. @throws RuleError `NotMember`, `PersonalProject` or `NotAnother` */
export const transferOwner = (services: Services, user: User, { projectId, userId }: Membership): Promise<void> =>
  asOwner(services, user, projectId, async (team) => {
    if (userId === user.id) throw new RuleError('NotAnother')
    await setRole(team, userId, accessTypes.owner)
    await setRole(team, user.id, accessTypes.editor)
  })

/**
 * Locks a project for a change that only its owners may make. The role is checked again: it may have changed since the edge
 * checked it.
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
    const role = await findRole(trx, projectId, actor.id)
    if (role === null || !roleCan(role, 'owner')) throw new ForbiddenError()
    return change({ services, trx, actor, projectId })
  })

/** Changes a role; null removes the member. Every change of a role uses this function. */
async function setRole(
  { services, trx, actor, projectId }: Team,
  userId: number,
  to: AccessType | null,
): Promise<void> {
  const from = await findRole(trx, projectId, userId)
  if (from === null) throw new RuleError('NotMember')
  if (from === to) return
  const type = await getProjectType(trx, projectId)
  mustBeAllowed({ type, owners: await countMembers(trx, projectId, accessTypes.owner), from, to })
  if (to === null) {
    await removeMembership(trx, projectId, userId)
    await endGrants(services, trx, { userId, projectId })
    await endWidgetTokens(services, trx, { userId, projectId })
  } else await updateRole(trx, projectId, userId, to)
  // With their open invitations a former owner could join again.
  if (from === accessTypes.owner) {
    await withdrawInvites(services, trx, actor.id, { project_id: projectId, from_user_id: userId })
  }
  const name = nameOf(await getUserName(trx, userId))
  await recordHistory(services, trx, {
    projectId,
    userId: actor.id,
    action: to === null ? 'user_project_del' : 'user_project_change',
    details: { user_id: userId, name, from, ...(to === null ? {} : { to }) },
  })
}
