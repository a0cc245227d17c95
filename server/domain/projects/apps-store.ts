// SQL of third-party apps and of their grants.
import { type Insertable, sql, type Updateable } from 'kysely'
import { countRows } from '#server/db/fragments.ts'
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

/** Returns the apps of a developer, newest first, with the number of their connections: users and projects with living grants. */
export const listApps = (db: ReadDb, userId: number, now: string) =>
  db
    .selectFrom('apps')
    .selectAll('apps')
    .select((eb) =>
      eb
        .selectFrom('app_grants')
        .innerJoin('token_families', 'token_families.id', 'app_grants.family_id')
        .select(sql<number>`count(distinct ${sql.ref('user_id')} || ' ' || ${sql.ref('project_id')})`.as('count'))
        .whereRef('app_grants.app_id', '=', 'apps.id')
        .where('token_families.date_revoke', 'is', null)
        .where('token_families.date_max', '>', now)
        .as('grants'),
    )
    .where('apps.user_id', '=', userId)
    .orderBy('apps.id', 'desc')
    .execute()

export type AppRow = Awaited<ReturnType<typeof listApps>>[number]

export const countApps = (trx: ReadDb, userId: number): Promise<number> =>
  countRows(trx.selectFrom('apps').where('user_id', '=', userId))

/** Returns an app of a developer. */
export const findApp = (db: ReadDb, userId: number, id: number) =>
  db.selectFrom('apps').selectAll().where('id', '=', id).where('user_id', '=', userId).executeTakeFirst()

/** Returns an app by the id that its requests carry. */
export const findClient = async (db: ReadDb, clientId: string) =>
  // Callers send any text, and a database refuses some.
  /^[\w-]{24}$/.test(clientId)
    ? db.selectFrom('apps').selectAll().where('client_id', '=', clientId).executeTakeFirst()
    : undefined

export type ClientRow = NonNullable<Awaited<ReturnType<typeof findClient>>>

export const insertApp = (trx: Trx, values: Insertable<Tables['apps']>): Promise<{ readonly id: number }> =>
  trx.insertInto('apps').values(values).returning('id').executeTakeFirstOrThrow()

export async function updateApp(db: Db | Trx, id: number, values: Updateable<Tables['apps']>): Promise<void> {
  await db.updateTable('apps').set(values).where('id', '=', id).execute()
}

export async function removeApp(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('apps').where('id', '=', id).execute()
}

export async function insertGrant(trx: Trx, values: Insertable<Tables['app_grants']>): Promise<void> {
  await trx.insertInto('app_grants').values(values).execute()
}

const livingGrants = (db: ReadDb, now: string) =>
  db
    .selectFrom('app_grants')
    .innerJoin('token_families', 'token_families.id', 'app_grants.family_id')
    .where('token_families.date_revoke', 'is', null)
    .where('token_families.date_max', '>', now)

/** Filter of grants: by user, by project, or both. */
interface Of {
  readonly userId?: number
  readonly projectId?: number
}

/** Returns active grants with their app, project and user, newest first. */
export const listGrants = (db: ReadDb, { userId, projectId }: Of, now: string) =>
  livingGrants(db, now)
    .innerJoin('apps', 'apps.id', 'app_grants.app_id')
    .innerJoin('projects', 'projects.id', 'token_families.project_id')
    .innerJoin('users', 'users.id', 'token_families.user_id')
    .select([
      'app_grants.id',
      'app_grants.app_id',
      'app_grants.date_use',
      'use_address',
      'use_program',
      'apps.name',
      'apps.website',
      'apps.picture',
    ])
    .select(['token_families.scopes', 'token_families.date_create', 'token_families.date_max'])
    .select(['projects.id as project_id', 'projects.name as project_name', 'projects.fename as project_fename'])
    .select(['users.id as user_id', 'users.first_name', 'users.last_name'])
    .$if(userId !== undefined, (query) => query.where('token_families.user_id', '=', userId ?? 0))
    .$if(projectId !== undefined, (query) => query.where('token_families.project_id', '=', projectId ?? 0))
    .orderBy('app_grants.id', 'desc')
    .execute()

export type GrantRow = Awaited<ReturnType<typeof listGrants>>[number]

/** Returns the app, the user and the project of a living grant. */
export const findConnection = (db: ReadDb, { id, userId, projectId }: Of & { readonly id: number }, now: string) =>
  livingGrants(db, now)
    .select(['app_grants.app_id', 'token_families.user_id', 'token_families.project_id'])
    .where('app_grants.id', '=', id)
    .$if(userId !== undefined, (query) => query.where('token_families.user_id', '=', userId ?? 0))
    .$if(projectId !== undefined, (query) => query.where('token_families.project_id', '=', projectId ?? 0))
    .executeTakeFirst()

/** Returns the token families of living grants. */
export async function listGrantFamilies(
  trx: ReadDb,
  { appId, userId, projectId }: Of & { readonly appId?: number },
  now: string,
): Promise<number[]> {
  const rows = await livingGrants(trx, now)
    .select('app_grants.family_id')
    .$if(appId !== undefined, (query) => query.where('app_grants.app_id', '=', appId ?? 0))
    .$if(userId !== undefined, (query) => query.where('token_families.user_id', '=', userId ?? 0))
    .$if(projectId !== undefined, (query) => query.where('token_families.project_id', '=', projectId ?? 0))
    .execute()
  return rows.map(({ family_id }) => family_id)
}

/** Returns the active grant with this hash, if its user is still a member of its project. */
export const findGrant = (db: ReadDb, hash: string, now: string) =>
  livingGrants(db, now)
    .innerJoin('projects', 'projects.id', 'token_families.project_id')
    .innerJoin('project_members', (join) =>
      join
        .onRef('project_members.project_id', '=', 'token_families.project_id')
        .onRef('project_members.user_id', '=', 'token_families.user_id'),
    )
    .select(['family_id', 'token_families.project_id', 'projects.external_id'])
    .where('app_grants.hash', '=', hash)
    .executeTakeFirst()

/** Sets the last use of a grant, unless another call has set it since. */
export async function updateGrantUse(
  db: Db,
  familyId: number,
  use: { readonly at: string; readonly ifBefore: string; readonly address: string; readonly program: string },
): Promise<void> {
  await db
    .updateTable('app_grants')
    .set({ date_use: use.at, use_address: use.address, use_program: use.program })
    .where('family_id', '=', familyId)
    .where((eb) => eb.or([eb('date_use', 'is', null), eb('date_use', '<', use.ifBefore)]))
    .execute()
}
