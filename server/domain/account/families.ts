// Families of refresh tokens, one per session, and those that a session was handed over to.
import type { Selectable } from 'kysely'
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import type { Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

type Row = Selectable<Tables['token_families']>
/** A session that hands itself over: the new one has its sign-in and its end. */
export type Parent = Pick<Row, 'id' | 'date_auth' | 'date_max'>

/** Locks a session that lives, so that it cannot end beside the transaction. Undefined when it has ended. */
export const lockLiving = ({ clock }: Pick<Services, 'clock'>, trx: Trx, id: number): Promise<Parent | undefined> =>
  trx
    .selectFrom('token_families')
    .select(['id', 'date_auth', 'date_max'])
    .where('id', '=', id)
    .where('date_revoke', 'is', null)
    .where('date_max', '>', iso(clock.now()))
    .forUpdate()
    .executeTakeFirst()

/** Ends sessions, and nothing but them. */
export async function endFamilies(
  { clock }: Pick<Services, 'clock'>,
  trx: Trx,
  ids: readonly number[],
  reason: string,
): Promise<void> {
  await trx
    .updateTable('token_families')
    .set({ date_revoke: iso(clock.now()), revoke_reason: reason })
    .where('id', 'in', ids)
    .where('date_revoke', 'is', null)
    .execute()
}

/** Ends a session with all that were handed over from it, directly or not. Their unused codes are worth nothing then. */
export async function endFamily(
  services: Pick<Services, 'clock'>,
  trx: Trx,
  id: number,
  reason: string,
): Promise<void> {
  // Its own row first: a hand-over that holds it is seen by the query after it, one that comes later is refused.
  await endFamilies(services, trx, [id], reason)
  const heirs = await trx
    .withRecursive('heirs(id)', (db) =>
      db
        .selectFrom('token_families')
        .select('id')
        .where('parent_id', '=', id)
        .union(
          db.selectFrom('token_families as child').innerJoin('heirs', 'heirs.id', 'child.parent_id').select('child.id'),
        ),
    )
    .selectFrom('heirs')
    .select('id')
    .execute()
  const ids = heirs.map((row) => row.id)
  if (ids.length > 0) await endFamilies(services, trx, ids, reason)
}
