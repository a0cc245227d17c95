// Test helpers for teams: a team project and its members in one call.
import { projects } from '#contract/areas/projects/projects.ts'
import type { AccessType } from '#contract/entities/roles.ts'
import { upgrade } from './channels.ts'
import type { Person, World } from './test-app.ts'

/** The first plan with team projects. */
export const planWithTeams = 3

/** Creates a team project of a user, with the plan that it needs. @returns its id */
export async function newTeam(world: World, owner: Person, name = 'Studio'): Promise<number> {
  await upgrade(world, owner, planWithTeams)
  const { body, error } = await world.api(projects.create, { name, currency: 'usd' }, { as: owner })
  if (error) throw new Error(error.msg)
  return body.internal_id
}

/** Creates a team project with a user in each role. */
export async function teamOf(world: World) {
  const [ann, eve, vic, bob] = [
    await world.user('Ann'),
    await world.user('Eve'),
    await world.user('Vic'),
    await world.user('Bob'),
  ]
  const projectId = await newTeam(world, ann)
  const roles: readonly (readonly [Person, AccessType])[] = [
    [eve, 1],
    [vic, 0],
  ]
  for (const [person, role] of roles) await world.join(person, projectId, role)
  return { projectId, owner: ann, editor: eve, viewer: vic, stranger: bob }
}
