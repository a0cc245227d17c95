// Rights: what a person may do in a project. Asked once per call, by the edge.
import type { ProjectRole } from '#contract/core/operation.ts'
import { roleCan } from '#contract/entities/project.ts'
import type { ProjectAccess, Services, User } from '#server/core/context.ts'
import { ForbiddenError } from '#server/core/errors.ts'
import { type Param, prepared } from '#server/db/prepared.ts'

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

const findRole = prepared((db, param: Param<{ userId: number; projectId: number }>) =>
  db
    .selectFrom('project_members')
    .select('access_type')
    .where('user_id', '=', param('userId'))
    .where('project_id', '=', param('projectId')),
)
