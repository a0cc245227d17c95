// Rights: who calls, and what they may do in a project. Asked once per call, by the edge.
import type { ProjectRole } from '#contract/core/operation.ts'
import { roleCan } from '#contract/entities/project.ts'
import { iso } from '#server/core/clock.ts'
import type { Admission, ProjectAccess, Services, User } from '#server/core/context.ts'
import { ForbiddenError } from '#server/core/errors.ts'
import { type Param, prepared } from '#server/db/prepared.ts'
import { claimsOf } from '#server/domain/account/access-tokens.ts'

/**
 * Whom an access token belongs to, and what they are in a project. Null when the token is forged or too old, or when its
 * session has ended: that is asked of the database every time.
 */
export async function admit(services: Services, token: string, projectId: number | null): Promise<Admission | null> {
  const said = claimsOf(services, token)
  const claims = said instanceof Promise ? await said : said
  if (!claims) return null
  const now = iso(services.clock.now())
  const [family] = await findCaller(services.db, { id: claims.familyId, now, projectId })
  return family ? { user: { id: family.user_id, sessionId: claims.familyId }, accessType: family.access_type } : null
}

/** Whether somebody who began to look at a project may go on: signed in still, and a member still. */
export async function mayWatch(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { sessionId, projectId }: { readonly sessionId: number; readonly projectId: number },
): Promise<boolean> {
  const [caller] = await findCaller(db, { id: sessionId, now: iso(clock.now()), projectId })
  return caller !== undefined && caller.access_type !== null
}

const findCaller = prepared((db, param: Param<{ id: number; now: string; projectId: number | null }>) =>
  db
    .selectFrom('token_families')
    .leftJoin('project_members', (join) =>
      join
        .onRef('project_members.user_id', '=', 'token_families.user_id')
        .on('project_members.project_id', '=', param('projectId')),
    )
    .select(['token_families.user_id', 'project_members.access_type'])
    .where('token_families.id', '=', param('id'))
    .where('date_revoke', 'is', null)
    .where('date_max', '>', param('now')),
)

/**
 * The role of a person in a project.
 * @throws ForbiddenError when it is not enough; the same when the person has no role or the project does not exist
 */
export async function authorize(
  { db }: Pick<Services, 'db'>,
  user: Pick<User, 'id'>,
  projectId: number,
  needed: ProjectRole,
): Promise<ProjectAccess> {
  const [member] = await findRole(db, { userId: user.id, projectId })
  if (!member || !roleCan(member.access_type, needed)) throw new ForbiddenError()
  return { id: projectId, accessType: member.access_type }
}

/**
 * As `authorize`, in the last selected project of the caller where none is named.
 * @throws ForbiddenError also when none was selected
 */
export async function authorizeLast(
  { db }: Pick<Services, 'db'>,
  user: Pick<User, 'id'>,
  projectId: number | undefined,
  needed: ProjectRole,
): Promise<ProjectAccess> {
  if (projectId !== undefined) return authorize({ db }, user, projectId, needed)
  const { last_project_id: last } = await db
    .selectFrom('users')
    .select('last_project_id')
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow()
  if (last === null) throw new ForbiddenError()
  return authorize({ db }, user, last, needed)
}

const findRole = prepared((db, param: Param<{ userId: number; projectId: number }>) =>
  db
    .selectFrom('project_members')
    .select('access_type')
    .where('user_id', '=', param('userId'))
    .where('project_id', '=', param('projectId')),
)
