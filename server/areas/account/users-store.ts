// Rows of people, as the account area reads and changes them.
import type { Language } from '#contract/core/wire.ts'
import type { Db } from '#server/db/open.ts'

/** The signed-in person; a token without a person cannot exist. */
export const getUser = (db: Db, id: number) =>
  db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** Whether somebody invites by this id. */
export const knowsRefId = async (db: Db, refId: string): Promise<boolean> =>
  (await db.selectFrom('users').select('id').where('ref_id', '=', refId).executeTakeFirst()) !== undefined

/** How many people somebody has invited. */
export async function countInvited(db: Db, id: number): Promise<number> {
  const row = await db
    .selectFrom('users')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('invited_by', '=', id)
    .executeTakeFirstOrThrow()
  return row.count
}

/** Changes the name, and the picture where there is a new one. */
export async function updateUser(
  db: Db,
  id: number,
  change: { readonly first_name: string; readonly last_name: string; readonly photo?: string },
): Promise<void> {
  await db.updateTable('users').set(change).where('id', '=', id).execute()
}

/** Sets the language that the account is spoken to in. */
export async function setLanguage(db: Db, id: number, language: Language): Promise<void> {
  await db.updateTable('users').set({ language }).where('id', '=', id).execute()
}
