// Rows of members, inside a transaction that holds their project.
import type { AccessType } from '#contract/entities/project.ts'
import type { Trx } from '#server/db/open.ts'

/** The role of a person in a project; null when they are not in it. */
export async function findRole(trx: Trx, projectId: number, userId: number): Promise<AccessType | null> {
  const row = await trx
    .selectFrom('project_members')
    .select('access_type')
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.access_type ?? null
}

/** How many members have a role of at least this. */
export async function countMembers(trx: Trx, projectId: number, atLeast: AccessType = 0): Promise<number> {
  const { count } = await trx
    .selectFrom('project_members')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('project_id', '=', projectId)
    .where('access_type', '>=', atLeast)
    .executeTakeFirstOrThrow()
  return count
}

/** Gives a member another role. */
export async function updateRole(trx: Trx, projectId: number, userId: number, to: AccessType): Promise<void> {
  await trx
    .updateTable('project_members')
    .set({ access_type: to })
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .execute()
}

/** Takes a member out; the project is no longer the one they looked at last. */
export async function removeRole(trx: Trx, projectId: number, userId: number): Promise<void> {
  await trx.deleteFrom('project_members').where('project_id', '=', projectId).where('user_id', '=', userId).execute()
  await trx
    .updateTable('users')
    .set({ last_project_id: null })
    .where('id', '=', userId)
    .where('last_project_id', '=', projectId)
    .execute()
}

/** The name of a person, as history keeps it. */
export async function nameOf(trx: Trx, userId: number): Promise<string> {
  const row = await trx
    .selectFrom('users')
    .select(['first_name', 'last_name'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return [row.first_name, row.last_name].filter(Boolean).join(' ')
}

/** Kind of a project. */
export const findKind = async (trx: Trx, projectId: number): Promise<0 | 1> =>
  (await trx.selectFrom('projects').select('type').where('id', '=', projectId).executeTakeFirstOrThrow()).type

/** Whether somebody with this e-mail is in the project. */
export const hasMember = async (trx: Trx, projectId: number, email: string): Promise<boolean> =>
  (await trx
    .selectFrom('project_members')
    .innerJoin('users', 'users.id', 'project_members.user_id')
    .select('users.id')
    .where('project_members.project_id', '=', projectId)
    .where('users.email', '=', email)
    .executeTakeFirst()) !== undefined
