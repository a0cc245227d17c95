// SQL of social logins: rows of `identities`.
import type { Insertable, Selectable } from 'kysely'
import type { ReadDb, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

/** A connected social login. */
export type IdentityRow = Selectable<Tables['identities']>

/** Returns the social login with this id at its provider. */
export const findIdentity = (
  db: ReadDb,
  { provider, subject }: Pick<IdentityRow, 'provider' | 'subject'>,
): Promise<IdentityRow | undefined> =>
  db
    .selectFrom('identities')
    .selectAll()
    .where('provider', '=', provider)
    .where('subject', '=', subject)
    .executeTakeFirst()

/** Returns the social logins of a user, oldest first. */
export const listIdentityRows = (db: ReadDb, userId: number): Promise<IdentityRow[]> =>
  db.selectFrom('identities').selectAll().where('user_id', '=', userId).orderBy('id').execute()

/** Inserts a social login. @throws on a duplicate: run it in `insertion` */
export async function insertIdentity(trx: Trx, values: Insertable<Tables['identities']>): Promise<void> {
  await trx.insertInto('identities').values(values).execute()
}

/** Updates the name and the picture of a social login. */
export async function updateIdentity(
  trx: Trx,
  id: number,
  profile: Pick<IdentityRow, 'name' | 'photo'>,
): Promise<void> {
  await trx.updateTable('identities').set(profile).where('id', '=', id).execute()
}

/** Removes a social login. */
export async function removeIdentity(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('identities').where('id', '=', id).execute()
}
