// SQL of the operator's pages: projects with their money, the log, and sums of the ledger.
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { LineName } from '#contract/entities/plan.ts'
import { accessTypesFor } from '#contract/entities/roles.ts'
import { countRows } from '#server/db/fragments.ts'
import type { ReadDb } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

/** Counts the projects, and those with a bought plan of the line that runs at a moment. */
export async function countProjects(
  db: ReadDb,
  line: LineName,
  now: string,
): Promise<{ readonly all: number; readonly paid: number }> {
  const all = await countRows(db.selectFrom('projects'))
  const { paid } = await db
    .selectFrom('plan_terms')
    .select(({ fn }) => fn.count<number>('project_id').distinct().as('paid'))
    .where('line', '=', line)
    .where('date_start', '<=', now)
    .where('date_end', '>', now)
    .where('date_cancel', 'is', null)
    .executeTakeFirstOrThrow()
  return { all, paid: Number(paid) }
}

/** Counts the bought plans of all lines that run at a moment. */
export const countRunningPlans = (db: ReadDb, now: string): Promise<number> =>
  countRows(
    db
      .selectFrom('plan_terms')
      .where('date_start', '<=', now)
      .where('date_end', '>', now)
      .where('date_cancel', 'is', null),
  )

/** Returns a project by its number. */
export const findProjectOf = (db: ReadDb, id: number) =>
  db.selectFrom('projects').select(['id', 'name']).where('id', '=', id).executeTakeFirst()

interface Paging {
  readonly limit: number
  readonly offset: number
}

type Joined = Pick<Tables, 'projects' | 'users' | 'project_members'>

/** Matches the name, the owner's name and e-mail, and the number. `!` escapes wildcards. */
function matches(eb: ExpressionBuilder<Joined, keyof Joined>, query: string): Expression<SqlBool> {
  const pattern = `%${query.toLowerCase().replaceAll(/[%_!]/g, '!$&')}%`
  const like = (column: 'projects.name' | 'users.email' | 'users.first_name') =>
    sql<SqlBool>`lower(${eb.ref(column)}) like ${pattern} escape '!'`
  const id = /^\d{1,9}$/.test(query) ? Number(query) : 0
  return eb.or([like('projects.name'), like('users.email'), like('users.first_name'), eb('projects.id', '=', id)])
}

/** Owner that a row of a project shows: the first one. */
const firstOwner = sql<number>`(select min(owner.user_id) from project_members owner
  where owner.project_id = projects.id and owner.access_type in (${sql.join(accessTypesFor('owner'))}))`

const projectsWithOwner = (db: ReadDb, query: string) =>
  db
    .selectFrom('projects')
    .innerJoin('project_members', (join) =>
      join.onRef('project_members.project_id', '=', 'projects.id').on('project_members.user_id', '=', firstOwner),
    )
    .innerJoin('users', 'users.id', 'project_members.user_id')
    .$if(query !== '', (qb) => qb.where((eb) => matches(eb, query)))

/** Returns projects, newest first. */
export const listCustomers = (db: ReadDb, query: string, { limit, offset }: Paging) =>
  projectsWithOwner(db, query)
    .leftJoin('wallets', 'wallets.project_id', 'projects.id')
    .select([
      'projects.id',
      'projects.name',
      'projects.fename',
      'projects.type',
      'projects.currency',
      'projects.date_create',
      'users.first_name',
      'users.last_name',
      'users.email',
      'wallets.bonus_minor',
      'wallets.payment_minor',
      'wallets.profit_minor',
      'wallets.debt_minor',
    ])
    .orderBy('projects.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

/** Counts projects. */
export async function countCustomers(db: ReadDb, query: string): Promise<number> {
  return await countRows(query === '' ? db.selectFrom('projects') : projectsWithOwner(db, query))
}

const logOf = (db: ReadDb, projectId: number | undefined) =>
  db
    .selectFrom('operator_log')
    .$if(projectId !== undefined, (qb) => qb.where('operator_log.project_id', '=', projectId ?? 0))

/** Returns the log of operators, newest first. */
export const listLog = (db: ReadDb, projectId: number | undefined, { limit, offset }: Paging) =>
  logOf(db, projectId)
    .leftJoin('users', 'users.id', 'operator_log.user_id')
    .leftJoin('projects', 'projects.id', 'operator_log.project_id')
    .selectAll('operator_log')
    .select(['users.first_name', 'users.last_name', 'projects.name as project'])
    .orderBy('operator_log.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

/** Counts the entries of the log. */
export async function countLog(db: ReadDb, projectId: number | undefined): Promise<number> {
  return await countRows(logOf(db, projectId))
}
