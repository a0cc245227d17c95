// Team projects: making one, and its name.
import type { Currency } from '#contract/entities/project.ts'
import { iso } from '#server/core/clock.ts'
import type { Services, User } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { randomNumber } from '#server/core/secrets.ts'
import type { Trx } from '#server/db/open.ts'
import { isDuplicate, transaction } from '#server/db/transaction.ts'
import { recordHistory } from './history.ts'
import { limitsOf, refuseOverLimit } from '#server/domain/tariffs/plan-limits.ts'
import { addMember } from './projects.ts'
import { asOwner } from './team.ts'

/** How many projects a person makes, those that were handed over included. */
const createdMax = 20
const insertTries = 3

/** A team project to make. */
export interface NewProject {
  readonly name: string
  readonly currency: Currency
}

/**
 * Makes a team project with the caller as its owner. It has the free plan and empty purses: the bonus belongs to the
 * account, and was given to its own project.
 * @returns its id
 * @throws RuleError `PlanLimitReached` when no project of the caller has a plan with team projects, `TooManyProjects`
 */
export async function createTeamProject(services: Services, user: User, project: NewProject): Promise<number> {
  for (let tries = 1; ; tries++) {
    try {
      return await transaction(services.db, (trx) => insertProject(services, trx, user, project))
    } catch (error) {
      // The number that people know it by was taken.
      if (!isDuplicate(error) || tries === insertTries) throw error
    }
  }
}

async function insertProject(services: Services, trx: Trx, user: User, { name, currency }: NewProject) {
  // Holds the person, so that counting and making are one step.
  await trx.selectFrom('users').select('id').where('id', '=', user.id).forUpdate().executeTakeFirstOrThrow()
  await refuseWithoutPlan(services, trx, user)
  const { count } = await trx
    .selectFrom('projects')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('created_by', '=', user.id)
    .executeTakeFirstOrThrow()
  if (count >= createdMax) {
    throw new RuleError('TooManyProjects', `A person makes at most ${createdMax} projects`, { max: createdMax })
  }
  const { id } = await trx
    .insertInto('projects')
    .values({
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
    .returning('id')
    .executeTakeFirstOrThrow()
  await addMember(trx, services.clock, { projectId: id, userId: user.id, accessType: 2 })
  await recordHistory(services, trx, { projectId: id, userId: user.id, action: 'project_created', details: { name } })
  return id
}

/** A plan with team projects is needed in one of the projects that a person owns. */
async function refuseWithoutPlan(services: Services, trx: Trx, user: User): Promise<void> {
  const owned = await trx
    .selectFrom('project_members')
    .select('project_id')
    .where('user_id', '=', user.id)
    .where('access_type', '=', 2)
    .orderBy('id')
    .execute()
  for (const { project_id } of owned) if ((await limitsOf(services, trx, project_id)).createProjects) return
  const first = owned[0]
  if (!first) throw new RuleError('NoProject', 'Only the owner of a project may make another one')
  await refuseOverLimit(services, trx, first.project_id, 'create_projects', 1)
}

/** Gives a project another name. @throws ForbiddenError when the caller is no owner any more */
export const renameProject = (services: Services, user: User, projectId: number, name: string): Promise<void> =>
  asOwner(services, user, projectId, async ({ trx }) => {
    const before = await trx.selectFrom('projects').select('name').where('id', '=', projectId).executeTakeFirstOrThrow()
    if (before.name === name) return
    await trx.updateTable('projects').set({ name, fename: '' }).where('id', '=', projectId).execute()
    const details = { name, was: before.name }
    await recordHistory(services, trx, { projectId, userId: user.id, action: 'project_changed', details })
  })
