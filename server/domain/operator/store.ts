// SQL of the operator's pages: projects with their money, the log, and sums of the ledger.
import { type RawBuilder, sql } from 'kysely'
import type { LineName } from '#contract/entities/plan.ts'
import { accessTypesFor } from '#contract/entities/roles.ts'
import { countRows, isSqlite } from '#server/db/fragments.ts'
import type { ReadDb } from '#server/db/open.ts'

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

/** Owner that a row of a project shows: the first one. */
const firstOwner = (project: 'projects.id' | 'project_members.project_id') => sql<number>`(select min(owner.user_id)
  from project_members owner where owner.project_id = ${sql.ref(project)} and owner.access_type in (${sql.join(accessTypesFor('owner'))}))`

/** Most projects, and most owners, that a search finds by words. */
const foundMax = 1_000

/** Selects the projects whose name or owner has words that begin with all words of a query, and the one with its number. */
function foundProjects(db: ReadDb, query: string): RawBuilder<{ id: number }> {
  const words = query.normalize('NFC').match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const number = sql`select id from projects where id = ${/^\d{1,9}$/.test(query) ? Number(query) : 0}`
  if (words.length === 0) return sql`${number}`
  const [names, owners] = isSqlite(db) ? foundByFts(words) : foundByGin(words)
  return sql`select id from (${names} limit ${foundMax}) as names union ${number}
    union select project_id from (${owners} limit ${foundMax}) as owners
      join project_members on project_members.user_id = owners.id
      where owners.id = ${firstOwner('project_members.project_id')}`
}

/** Selects the users whose name or e-mail has words that begin with all words of a query. */
export function foundUsers(db: ReadDb, query: string): RawBuilder<{ id: number }> {
  const words = query.normalize('NFC').match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  if (words.length === 0) return sql`select 0 as id`
  const [, owners] = isSqlite(db) ? foundByFts(words) : foundByGin(words)
  return sql`select id from (${owners} limit ${foundMax}) as found`
}

/** SQLite (migration 0056), newest first. */
function foundByFts(words: readonly string[]) {
  const query = words.map((word) => `"${word}"*`).join(' ')
  return [
    sql`select rowid as id from project_words where project_words match ${query} order by rowid desc`,
    sql`select rowid as id from user_words where user_words match ${query} order by rowid desc`,
  ]
}

/** PostgreSQL: the expressions are those of the indexes (migration 0056). */
function foundByGin(words: readonly string[]) {
  const query = sql`to_tsquery('simple', ${words.map((word) => `'${word}':*`).join(' & ')})`
  const wordsOf = (text: string) => sql.raw(`to_tsvector('simple', translate(${text}, '@.-_+/:', '       '))`)
  return [
    sql`select id from projects
      where ${wordsOf("coalesce(name, '') || ' ' || coalesce(fename, '')")} @@ ${query}`,
    sql`select id from users
      where ${wordsOf("coalesce(email, '') || ' ' || coalesce(first_name, '') || ' ' || coalesce(last_name, '')")} @@ ${query}`,
  ]
}

/** Filter of projects. */
export interface CustomerFilter {
  /** '' for all; otherwise at most some 1,000 are found. */
  readonly query: string
  /** Only projects that owe money. */
  readonly hasDebt: boolean
}

const matching = (db: ReadDb, { query, hasDebt }: CustomerFilter) =>
  db
    .selectFrom('projects')
    .$if(query !== '', (qb) => qb.where('projects.id', 'in', sql<number>`(${foundProjects(db, query)})`))
    .$if(hasDebt, (qb) =>
      qb.where('projects.id', 'in', (eb) => eb.selectFrom('wallets').select('project_id').where('debt_minor', '>', 0)),
    )

/** Returns projects, newest first. */
export const listCustomers = (db: ReadDb, filter: CustomerFilter, { limit, offset }: Paging) =>
  withMoney(matching(db, filter)).orderBy('projects.id', 'desc').limit(limit).offset(offset).execute()

/** Returns one project. */
export const findCustomer = (db: ReadDb, id: number) =>
  withMoney(db.selectFrom('projects').where('projects.id', '=', id)).executeTakeFirst()

/** A project as `listCustomers` returns it. */
export type CustomerRow = NonNullable<Awaited<ReturnType<typeof findCustomer>>>

/** Joins the first owner and the balances of projects. */
const withMoney = (projects: ReturnType<typeof matching>) =>
  projects
    .innerJoin('project_members', (join) =>
      join
        .onRef('project_members.project_id', '=', 'projects.id')
        .on('project_members.user_id', '=', firstOwner('projects.id')),
    )
    .innerJoin('users', 'users.id', 'project_members.user_id')
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

/** Counts projects. */
export const countCustomers = (db: ReadDb, filter: CustomerFilter): Promise<number> => countRows(matching(db, filter))

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
