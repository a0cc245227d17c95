// Projects and their members.
import { type ExpressionBuilder, sql } from 'kysely'
import type { AccessType, Currency } from '#contract/entities/project.ts'
import { type Clock, iso } from '#server/core/clock.ts'
import { randomNumber } from '#server/core/secrets.ts'
import type { Db, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import { grantRegistrationBonus } from '#server/domain/tariffs/ledger.ts'

/** Makes the project that every account begins with, with its bonus. @returns its id */
export async function createPersonalProject(
  trx: Trx,
  clock: Clock,
  user: { readonly id: number; readonly firstName: string; readonly currency: Currency },
): Promise<number> {
  const { id } = await trx
    .insertInto('projects')
    .values({
      external_id: randomNumber(),
      type: 0,
      name: user.firstName,
      fename: '',
      photo: null,
      currency: user.currency,
      country_id: 0,
      date_create: iso(clock.now()),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await addMember(trx, clock, { projectId: id, userId: user.id, accessType: 2 })
  await grantRegistrationBonus(trx, clock, id)
  return id
}

/** Lets a person into a project. */
export async function addMember(
  db: Db | Trx,
  clock: Clock,
  member: { readonly projectId: number; readonly userId: number; readonly accessType: AccessType },
): Promise<void> {
  await db
    .insertInto('project_members')
    .values({
      project_id: member.projectId,
      user_id: member.userId,
      access_type: member.accessType,
      date_create: iso(clock.now()),
    })
    .execute()
}

/** The projects of a person with their role in each, oldest first. */
export async function listProjects(db: Db, userId: number, page: { readonly limit: number; readonly offset: number }) {
  const mine = membersWithProjects(db).where('project_members.user_id', '=', userId)
  const rows = await mine
    .select((eb) => countOf(eb).as('member_count'))
    .orderBy('project_members.id')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  const { total } = await db
    .selectFrom('project_members')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return { rows, total }
}

/** One project of a person; undefined when it is not theirs. */
export const findProject = (db: Db, userId: number, by: { readonly id: number } | { readonly externalId: string }) =>
  membersWithProjects(db)
    .where('project_members.user_id', '=', userId)
    .where((eb) => ('id' in by ? eb('projects.id', '=', by.id) : eb('projects.external_id', '=', by.externalId)))
    .executeTakeFirst()

export type ProjectRow = NonNullable<Awaited<ReturnType<typeof findProject>>>

const membersWithProjects = (db: Db) =>
  db
    .selectFrom('project_members')
    .innerJoin('projects', 'projects.id', 'project_members.project_id')
    .select([
      'project_members.id as member_id',
      'project_members.user_id',
      'project_members.access_type',
      'projects.id',
      'projects.external_id',
      'projects.type',
      'projects.name',
      'projects.fename',
      'projects.photo',
      'projects.currency',
      'projects.country_id',
    ])

const countOf = (eb: ExpressionBuilder<Tables & { projects: Tables['projects'] }, 'projects'>) =>
  eb
    .selectFrom('project_members as everyone')
    .select(sql<number>`count(*)`.as('count'))
    .whereRef('everyone.project_id', '=', 'projects.id')
    .$castTo<number>()

/** Everybody in a project, longest first. */
export const listMembers = (db: Db, projectId: number) =>
  db
    .selectFrom('project_members')
    .innerJoin('users', 'users.id', 'project_members.user_id')
    .select([
      'users.id',
      'users.external_id',
      'users.first_name',
      'users.last_name',
      'users.photo',
      'project_members.access_type',
    ])
    .where('project_members.project_id', '=', projectId)
    .orderBy('project_members.id')
    .execute()

/** What a project is called, in full; empty when there is none. */
export async function projectName(db: Db | Trx, projectId: number): Promise<string> {
  const row = await db.selectFrom('projects').select(['name', 'fename']).where('id', '=', projectId).executeTakeFirst()
  return [row?.name, row?.fename].filter(Boolean).join(' ')
}
