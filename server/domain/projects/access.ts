// Authentication by access token, and authorization by the role in a project. The edge calls it once per request.
import type { NeededRole } from '#contract/core/operation.ts'
import { roleCan } from '#contract/entities/roles.ts'
import { iso } from '#server/core/clock.ts'
import type { Admission, ProjectAccess, Services, User } from '#server/core/context.ts'
import { AppError, ForbiddenError, SuspendedError } from '#server/core/errors.ts'
import type { ReadDb } from '#server/db/open.ts'
import { claimsOf } from '#server/domain/account/access-tokens.ts'
import { findCaller, findMember, findSuspension, getLastProject } from './store.ts'

/**
 * Returns the user of an access token, with their role in a project. Null when the token is forged or expired, or its session
 * has ended: the database is queried every time.
 */
export async function admit(services: Services, token: string, projectId: number | null): Promise<Admission | null> {
  const claims = claimsOf(services, token)
  if (!claims) return null
  const now = iso(services.clock.now())
  const family = await findCaller(services.db, { sessionId: claims.familyId, now, projectId })
  if (!family) return null
  const { user_id: id, access_type: accessType, date_suspend: suspended } = family
  const user = { id, sessionId: claims.familyId }
  return { user, accessType, isSuspended: suspended !== null, lacksFactor: family.lacks_factor === 1 }
}

/** Returns whether a session that watches a project may continue: it lives, and its user is still a member. */
export async function mayWatch(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { sessionId, projectId }: { readonly sessionId: number; readonly projectId: number },
): Promise<boolean> {
  const caller = await findCaller(db, { sessionId, now: iso(clock.now()), projectId })
  return caller !== undefined && caller.access_type !== null && caller.lacks_factor === 0
}

/**
 * Returns the role of a user in a project, which may be suspended.
 * @throws ForbiddenError when it is not enough; the same when the user has no role or the project does not exist
 * @throws AppError `SecondFactorDemanded`
 */
export async function authorizeMember(
  { db }: { readonly db: ReadDb },
  user: Pick<User, 'id'>,
  projectId: number,
  needed: NeededRole,
): Promise<ProjectAccess> {
  const member = await findMember(db, user.id, projectId)
  if (!member || !roleCan(member.access_type, needed)) throw new ForbiddenError()
  if (member.lacks_factor === 1) throw new AppError(403, 'SecondFactorDemanded')
  return { id: projectId, accessType: member.access_type }
}

/** As `authorizeMember`, for changes. @throws SuspendedError also, unless viewers may make the change */
export async function authorize(
  { db }: { readonly db: ReadDb },
  user: Pick<User, 'id'>,
  projectId: number,
  needed: NeededRole,
): Promise<ProjectAccess> {
  const project = await authorizeMember({ db }, user, projectId, needed)
  if (needed !== 'viewer' && (await findSuspension(db, projectId))) throw new SuspendedError()
  return project
}

/**
 * As `authorize`; without a project id, for the project that the caller selected last.
 * @throws ForbiddenError also when none was selected
 */
export async function authorizeLast(
  { db }: Pick<Services, 'db'>,
  user: Pick<User, 'id'>,
  projectId: number | undefined,
  needed: NeededRole,
): Promise<ProjectAccess> {
  if (projectId !== undefined) return authorize({ db }, user, projectId, needed)
  const last = await getLastProject(db, user.id)
  if (last === null) throw new ForbiddenError()
  return authorize({ db }, user, last, needed)
}
