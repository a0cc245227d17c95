// Team projects: creation and renaming.
import type { Currency } from '#contract/entities/project.ts'
import { accessTypes } from '#contract/entities/roles.ts'
import { iso } from '#server/core/clock.ts'
import type { Services, User } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { randomNumber } from '#server/core/secrets.ts'
import type { Trx } from '#server/db/open.ts'
import { isDuplicate, transaction } from '#server/db/transaction.ts'
import { lockUser } from '#server/domain/account/store.ts'
import { listLimits, refuseOverLimit } from '#server/domain/tariffs/plan-limits.ts'
import { recordHistory } from './history.ts'
import { addMember } from './projects.ts'
import { countCreated, findProjectName, insertProject, listProjectIds, updateProjectName } from './store.ts'
import { asOwner } from './team.ts'

/** Projects that a user may create, transferred ones included. */
const createdMax = 20
const insertTries = 3

/** A team project to create. */
export interface NewProject {
  readonly name: string
  readonly currency: Currency
}

/**
 * Creates a team project with the caller as its owner. It has the free plan and an empty balance: the bonus was given to the
 * personal project.
 * @returns its id
 * @throws RuleError `PlanLimitReached` when no project of the caller has a plan with team projects, `TooManyProjects`
 */
export async function createTeamProject(services: Services, user: User, project: NewProject): Promise<number> {
  for (let tries = 1; ; tries++) {
    try {
      return await transaction(services.db, (trx) => insertTeamProject(services, trx, user, project))
    } catch (error) {
      // Another project has the same random external id.
      if (!isDuplicate(error) || tries === insertTries) throw error
    }
  }
}

async function insertTeamProject(services: Services, trx: Trx, user: User, { name, currency }: NewProject) {
  // Locks the user, so that counting and creating are one step.
  await lockUser(trx, user.id)
  await refuseWithoutPlan(services, trx, user)
  if ((await countCreated(trx, user.id)) >= createdMax) {
    throw new RuleError('TooManyProjects', { max: createdMax })
  }
  const id = await insertProject(trx, {
    external_id: randomNumber(),
    type: 1,
    name,
    fename: '',
    photo: null,
    currency,
    country_id: 0,
    date_create: iso(services.clock.now()),
    created_by: user.id,
  })
  await addMember(trx, services.clock, { projectId: id, userId: user.id, accessType: accessTypes.owner })
  await recordHistory(services, trx, { projectId: id, userId: user.id, action: 'project_created', details: { name } })
  return id
}

/** @throws RuleError unless a project that the user owns has a plan with team projects */
async function refuseWithoutPlan(services: Services, trx: Trx, user: User): Promise<void> {
  const owned = await listProjectIds(trx, user.id, accessTypes.owner)
  const limits = await listLimits(services, trx, owned)
  if ([...limits.values()].some(({ create_projects }) => create_projects)) return
  const [first] = owned
  if (first === undefined) throw new RuleError('NoProject')
  await refuseOverLimit(services, trx, first, 'create_projects', 1)
}

/** Renames a project. @throws ForbiddenError when the caller is not an owner any more */
export const renameProject = (services: Services, user: User, projectId: number, name: string): Promise<void> =>
  asOwner(services, user, projectId, async ({ trx }) => {
    const before = await findProjectName(trx, projectId)
    if (before?.name === name) return
    await updateProjectName(trx, projectId, name)
    const details = { name, was: before?.name }
    await recordHistory(services, trx, { projectId, userId: user.id, action: 'project_changed', details })
  })
