// SQL of users as operators see them.
import { sql } from 'kysely'
import { countRows } from '#server/db/fragments.ts'
import type { ReadDb } from '#server/db/open.ts'
import { foundUsers } from './store.ts'

export interface UserFilter {
  /** '' for all; otherwise at most 1,000 are found. */
  readonly query: string
  readonly isOperator: boolean
  readonly now: string
}

const matching = (db: ReadDb, { query, isOperator }: UserFilter) =>
  db
    .selectFrom('users')
    .leftJoin('operators', 'operators.user_id', 'users.id')
    .$if(query !== '', (qb) => qb.where('users.id', 'in', sql<number>`(${foundUsers(db, query)})`))
    .$if(isOperator, (qb) => qb.where('operators.user_id', 'is not', null))

/** Returns a page of users, newest first, and how many match. */
export async function listUsers(
  db: ReadDb,
  filter: UserFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
) {
  const rows = await matching(db, filter)
    .select(['users.id', 'users.first_name', 'users.last_name', 'users.email', 'users.date_create'])
    .select((eb) => [
      'operators.user_id as operator_id',
      eb
        .selectFrom('project_members')
        .whereRef('project_members.user_id', '=', 'users.id')
        .select(sql<number>`count(*)`.as('count'))
        .as('projects'),
      eb
        .selectFrom('token_families')
        .whereRef('token_families.user_id', '=', 'users.id')
        .where('date_revoke', 'is', null)
        .where('date_max', '>', filter.now)
        .where('scopes', 'is', null)
        .select(sql<number>`count(*)`.as('count'))
        .as('sessions'),
    ])
    .orderBy('users.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return { rows, total: await countRows(matching(db, filter)) }
}

/** Returns the name of a user. */
export const findUserName = (db: ReadDb, id: number) =>
  db.selectFrom('users').select(['first_name', 'last_name']).where('id', '=', id).executeTakeFirst()
