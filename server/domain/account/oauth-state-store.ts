// SQL of begun OAuth authorizations: one row per authorization, found by the hash of its state or its ticket.
import type { Insertable, Selectable } from 'kysely'
import type { Db, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

/** A begun authorization. */
export type OAuthStateRow = Selectable<Tables['oauth_states']>

/** Inserts a begun authorization. */
export async function insertOAuthState(db: Db | Trx, values: Insertable<Tables['oauth_states']>): Promise<void> {
  await db.insertInto('oauth_states').values(values).execute()
}

/** Stores the provider's answer and replaces the hash; only once, and only before the expiry. */
export const updateOAuthState = (
  db: Db | Trx,
  by: Pick<OAuthStateRow, 'hash' | 'provider' | 'purpose'>,
  change: Pick<OAuthStateRow, 'hash' | 'answer_sealed'>,
  now: string,
): Promise<OAuthStateRow | undefined> =>
  db
    .updateTable('oauth_states')
    .set(change)
    .where('hash', '=', by.hash)
    .where('provider', '=', by.provider)
    .where('purpose', '=', by.purpose)
    .where('answer_sealed', 'is', null)
    .where('date_expire', '>', now)
    .returningAll()
    .executeTakeFirst()

/** Removes an unexpired authorization. @returns its row; of concurrent calls one gets it */
export const removeOAuthState = (
  db: Db | Trx,
  by: {
    readonly hash: string
    readonly purposes: readonly OAuthStateRow['purpose'][]
    readonly userId?: number | undefined
  },
  now: string,
): Promise<OAuthStateRow | undefined> => {
  let query = db.deleteFrom('oauth_states').where('hash', '=', by.hash).where('purpose', 'in', by.purposes)
  if (by.userId !== undefined) query = query.where('user_id', '=', by.userId)
  return query.where('date_expire', '>', now).returningAll().executeTakeFirst()
}

/** Removes authorizations that expired before a time. */
export async function removeExpiredOAuthStates(db: Db, before: string): Promise<void> {
  await db.deleteFrom('oauth_states').where('date_expire', '<', before).execute()
}
