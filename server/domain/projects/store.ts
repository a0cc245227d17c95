// SQL of projects and their members.
import { lacksFactor } from '#server/domain/account/factors-store.ts'
import { type ExpressionBuilder, type Insertable, type RawBuilder, sql } from 'kysely'
import type { AccessType } from '#contract/entities/roles.ts'
import { countRows } from '#server/db/fragments.ts'
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

/** Returns the user of a living session, with their role in a project; null without a role. */
export const findCaller = (
  db: ReadDb,
  { sessionId, ...at }: { readonly sessionId: number; readonly now: string; readonly projectId: number | null },
) => livingCallers(db, at).where('token_families.id', '=', sessionId).executeTakeFirst()

/** As `findCaller`, by the hash of an API token, with the last use of the token. */
export const findTokenCaller = (
  db: ReadDb,
  { hash, ...at }: { readonly hash: string; readonly now: string; readonly projectId: number | null },
) =>
  livingCallers(db, at)
    .innerJoin('api_tokens', 'api_tokens.family_id', 'token_families.id')
    .select('api_tokens.date_use')
    .where('api_tokens.hash', '=', hash)
    .executeTakeFirst()

/** As `findTokenCaller`, by the hash of an access token of an app, with the scopes of the token; no row when its person left the project of the grant. */
export const findAppCaller = (
  db: ReadDb,
  { hash, ...at }: { readonly hash: string; readonly now: string; readonly projectId: number | null },
) =>
  livingCallers(db, at)
    .innerJoin('app_grants', 'app_grants.family_id', 'token_families.id')
    .innerJoin('app_records', 'app_records.grant_hash', 'app_grants.hash')
    .innerJoin('project_members as grantor', (join) =>
      join
        .onRef('grantor.user_id', '=', 'token_families.user_id')
        .onRef('grantor.project_id', '=', 'token_families.project_id'),
    )
    .select(['app_grants.date_use', 'app_records.scopes as token_scopes'])
    .where('app_records.kind', '=', 'AccessToken')
    .where('app_records.hash', '=', hash)
    .where('app_records.date_expire', '>', at.now)
    .executeTakeFirst()

/** As `findTokenCaller`, by the hash of the token of a widget, with the role in the project of the widget. */
export const findWidgetCaller = (db: ReadDb, { hash, now }: { readonly hash: string; readonly now: string }) =>
  livingCallers(db, { now, projectId: sql.ref<number>('token_families.project_id') })
    .innerJoin('widgets', 'widgets.family_id', 'token_families.id')
    .select(['widgets.date_use', 'widgets.id as widget_id'])
    .where('widgets.hash', '=', hash)
    .executeTakeFirst()

const livingCallers = (
  db: ReadDb,
  { now, projectId }: { readonly now: string; readonly projectId: number | null | RawBuilder<number> },
) =>
  db
    .selectFrom('token_families')
    .leftJoin('project_members', (join) =>
      join
        .onRef('project_members.user_id', '=', 'token_families.user_id')
        .on('project_members.project_id', '=', projectId),
    )
    .leftJoin('projects', 'projects.id', 'project_members.project_id')
    .select(['token_families.id', 'token_families.user_id', 'token_families.scopes', 'token_families.project_id'])
    .select(['project_members.access_type', 'projects.date_suspend'])
    .select(lacksFactor('token_families.user_id', projectId).as('lacks_factor'))
    .where('token_families.date_revoke', 'is', null)
    .where('token_families.date_max', '>', now)

/** Returns when a project was suspended, and why; null: it is not. */
export async function findSuspension(
  db: ReadDb,
  projectId: number,
): Promise<{ readonly date: string; readonly reason: string } | null> {
  const row = await db
    .selectFrom('projects')
    .select(['date_suspend', 'suspend_reason'])
    .where('id', '=', projectId)
    .executeTakeFirst()
  const { date_suspend: date = null, suspend_reason: reason = null } = row ?? {}
  return date === null ? null : { date, reason: reason ?? '' }
}

/** Returns the role of a user in a project: no row without one. */
export const findMember = (db: ReadDb, userId: number, projectId: number) =>
  db
    .selectFrom('project_members')
    .select('access_type')
    .select(lacksFactor('project_members.user_id', projectId).as('lacks_factor'))
    .where('user_id', '=', userId)
    .where('project_id', '=', projectId)
    .executeTakeFirst()

/** Returns the role of a user in a project; null without one. */
export async function findRole(db: ReadDb, projectId: number, userId: number): Promise<AccessType | null> {
  const member = await findMember(db, userId, projectId)
  return member?.access_type ?? null
}

/** Returns the project that a user selected last. */
export async function getLastProject(db: ReadDb, userId: number): Promise<number | null> {
  const row = await db.selectFrom('users').select('last_project_id').where('id', '=', userId).executeTakeFirstOrThrow()
  return row.last_project_id
}

/**
 * Returns the projects of a user with the user's role and the number of members, oldest first, and how many there are.
 * @param only the one project to return; null: all
 */
export async function listProjects(
  db: ReadDb,
  userId: number,
  page: { readonly limit: number; readonly offset: number },
  only: number | null = null,
) {
  const rows = await membersWithProjects(db)
    .where('project_members.user_id', '=', userId)
    .$if(only !== null, (query) => query.where('projects.id', '=', only))
    .select((eb) => countOf(eb).as('member_count'))
    .select(lacksFactor('project_members.user_id', sql.ref('projects.id')).as('lacks_factor'))
    .orderBy('project_members.id')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  const total = await countRows(
    db
      .selectFrom('project_members')
      .where('user_id', '=', userId)
      .$if(only !== null, (query) => query.where('project_id', '=', only)),
  )
  return { rows, total }
}

/** Returns a project of which a user is a member. */
export const findProject = (
  db: ReadDb,
  userId: number,
  by: { readonly id: number } | { readonly externalId: string },
) =>
  membersWithProjects(db)
    .where('project_members.user_id', '=', userId)
    .where((eb) => ('id' in by ? eb('projects.id', '=', by.id) : eb('projects.external_id', '=', by.externalId)))
    .executeTakeFirst()

/** A project with the membership of one user. */
export type ProjectRow = NonNullable<Awaited<ReturnType<typeof findProject>>>

/** A row of the projects of a user. */
export type MembershipRow = Awaited<ReturnType<typeof listProjects>>['rows'][number]

const membersWithProjects = (db: ReadDb) =>
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
      'projects.suspend_reason',
    ])

const countOf = (eb: ExpressionBuilder<Tables & { projects: Tables['projects'] }, 'projects'>) =>
  eb
    .selectFrom('project_members as everyone')
    .select(sql<number>`count(*)`.as('count'))
    .whereRef('everyone.project_id', '=', 'projects.id')
    .$castTo<number>()

/** Returns the two parts of the name of a project. */
export const findProjectName = (db: ReadDb, projectId: number) =>
  db.selectFrom('projects').select(['name', 'fename']).where('id', '=', projectId).executeTakeFirst()

/** Returns the type of a project: 0 personal, 1 team. */
export const getProjectType = async (db: ReadDb, projectId: number): Promise<0 | 1> =>
  (await db.selectFrom('projects').select('type').where('id', '=', projectId).executeTakeFirstOrThrow()).type

/** Counts the projects that a user has created. Lock the user first (`lockUser`). */
export async function countCreated(trx: ReadDb, userId: number): Promise<number> {
  return await countRows(trx.selectFrom('projects').where('created_by', '=', userId))
}

/** Inserts a project. @throws on a duplicate external id */
export async function insertProject(trx: Trx, values: Insertable<Tables['projects']>): Promise<number> {
  const { id } = await trx.insertInto('projects').values(values).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Renames a project. */
export async function updateProjectName(trx: Trx, projectId: number, name: string): Promise<void> {
  await trx.updateTable('projects').set({ name, fename: '' }).where('id', '=', projectId).execute()
}

/** Returns the members of a project, longest first. */
export const listMembers = (db: ReadDb, projectId: number) =>
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

/** Returns the ids of the projects in which a user has this role, oldest membership first. */
export async function listProjectIds(trx: ReadDb, userId: number, accessType: AccessType): Promise<number[]> {
  const rows = await trx
    .selectFrom('project_members')
    .select('project_id')
    .where('user_id', '=', userId)
    .where('access_type', '=', accessType)
    .orderBy('id')
    .execute()
  return rows.map((row) => row.project_id)
}

/** Counts the members of a project, or those with one role. */
export async function countMembers(trx: ReadDb, projectId: number, accessType?: AccessType): Promise<number> {
  const members = trx.selectFrom('project_members').where('project_id', '=', projectId)
  return await countRows(accessType === undefined ? members : members.where('access_type', '=', accessType))
}

/** Returns whether a user with this normalised e-mail is a member. */
export const hasMember = async (trx: ReadDb, projectId: number, email: string): Promise<boolean> =>
  (await trx
    .selectFrom('project_members')
    .innerJoin('users', 'users.id', 'project_members.user_id')
    .select('users.id')
    .where('project_members.project_id', '=', projectId)
    .where('users.email', '=', email)
    .executeTakeFirst()) !== undefined

/** Inserts a member. */
export async function insertMember(db: Db | Trx, values: Insertable<Tables['project_members']>): Promise<void> {
  await db.insertInto('project_members').values(values).execute()
}

/** Changes the role of a member. */
export async function updateRole(trx: Trx, projectId: number, userId: number, to: AccessType): Promise<void> {
  await trx
    .updateTable('project_members')
    .set({ access_type: to })
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .execute()
}

/** Removes a member, and unselects the project if they selected it last. */
export async function removeMembership(trx: Trx, projectId: number, userId: number): Promise<void> {
  await trx.deleteFrom('project_members').where('project_id', '=', projectId).where('user_id', '=', userId).execute()
  await trx
    .updateTable('users')
    .set({ last_project_id: null })
    .where('id', '=', userId)
    .where('last_project_id', '=', projectId)
    .execute()
}

/** Returns the first and the last name of a user. */
export const getUserName = (trx: ReadDb, userId: number) =>
  trx.selectFrom('users').select(['first_name', 'last_name']).where('id', '=', userId).executeTakeFirstOrThrow()

/** Returns a user by the external id, if the caller shares a project with them. */
export const findColleague = (db: ReadDb, userId: number, externalId: string) =>
  db
    .selectFrom('users')
    .select(['id', 'external_id', 'first_name', 'last_name', 'photo', 'currency', 'country_id'])
    .where('external_id', '=', externalId)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('project_members as theirs')
          .innerJoin('project_members as mine', 'mine.project_id', 'theirs.project_id')
          .select('mine.id')
          .whereRef('theirs.user_id', '=', 'users.id')
          .where('mine.user_id', '=', userId),
      ),
    )
    .executeTakeFirst()
