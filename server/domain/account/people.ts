// One person at a time: what begins or ends their sessions, or changes how they sign in, happens one after the other.
import type { Selectable } from 'kysely'
import type { Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

/** What somebody signs in with here. */
export type Credentials = Pick<Selectable<Tables['users']>, 'email' | 'password_hash'>

/**
 * Holds a person until the transaction ends. Without it a code could be issued, or exchanged, beside the change that
 * should have made it worthless.
 */
export const holdPerson = (trx: Trx, userId: number): Promise<Credentials> =>
  trx
    .selectFrom('users')
    .select(['email', 'password_hash'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow()
