// SQL of API tokens. Scopes, project and end of a token are those of its token family.
import type { Insertable } from 'kysely'
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import { countRows } from '#server/db/fragments.ts'
import type { Tables } from '#server/db/tables.ts'

const living = (db: ReadDb, userId: number, now: string) =>
  db
    .selectFrom('api_tokens')
    .innerJoin('token_families', 'token_families.id', 'api_tokens.family_id')
    .where('token_families.user_id', '=', userId)
    .where('token_families.date_revoke', 'is', null)
    .where('token_families.date_max', '>', now)

/** Returns the living tokens of a user, newest first. */
export const listApiTokens = (db: ReadDb, userId: number, now: string) =>
  living(db, userId, now)
    .leftJoin('projects', 'projects.id', 'token_families.project_id')
    .select([
      'api_tokens.id',
      'api_tokens.name',
      'api_tokens.hint',
      'api_tokens.date_use',
      'use_address',
      'use_program',
    ])
    .select(['token_families.scopes', 'token_families.date_create', 'token_families.date_max'])
    .select(['projects.id as project_id', 'projects.name as project_name', 'projects.fename as project_fename'])
    .orderBy('api_tokens.id', 'desc')
    .execute()

export type ApiTokenRow = Awaited<ReturnType<typeof listApiTokens>>[number]

/** Counts the living tokens of a user. */
export const countApiTokens = (trx: ReadDb, userId: number, now: string): Promise<number> =>
  countRows(living(trx, userId, now))

/** Returns the token family of a living token of a user. */
export const findApiTokenFamily = (trx: ReadDb, userId: number, id: number, now: string) =>
  living(trx, userId, now).select('family_id').where('api_tokens.id', '=', id).executeTakeFirst()

/** Inserts a token. @returns its id */
export const insertApiToken = (trx: Trx, values: Insertable<Tables['api_tokens']>): Promise<{ readonly id: number }> =>
  trx.insertInto('api_tokens').values(values).returning('id').executeTakeFirstOrThrow()

/** Sets the last use of a token, unless another call has set it since. */
export async function updateApiTokenUse(
  db: Db,
  familyId: number,
  use: { readonly at: string; readonly ifBefore: string; readonly address: string; readonly program: string },
): Promise<void> {
  await db
    .updateTable('api_tokens')
    .set({ date_use: use.at, use_address: use.address, use_program: use.program })
    .where('family_id', '=', familyId)
    .where((eb) => eb.or([eb('date_use', 'is', null), eb('date_use', '<', use.ifBefore)]))
    .execute()
}
