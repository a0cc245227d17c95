// SQL of broadcasts that the service makes at platforms: a row is the mark of a request, and a claim keeps other runs from it.
import { type Selectable, sql } from 'kysely'
import { databaseNow } from '#server/db/fragments.ts'
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

type MarkedTable = 'platform_heals' | 'planned_broadcasts'

/** Names the broadcast of a channel, of the owner: a broadcast of ours, or a schedule. */
export interface MarkedKey {
  readonly ownerId: number
  readonly channelId: number
}

/** The end of a claim that begins now, by the clock of the database. */
export const claimUntil = (db: Db | Trx, ms: number) => sql<number>`${databaseNow(db)} + cast(${ms} as integer)`

/**
 * Returns the statements on a table of marks.
 * @param owner column of the owner
 * @param open states in which a row can be claimed
 */
export function markedStore<T extends MarkedTable>(table: T, owner: string, open: readonly string[]) {
  type Row = Selectable<Tables[T]>
  // Both tables have these columns; the types are those of the first one.
  const name = table as 'platform_heals'
  const states = open as readonly Selectable<Tables['platform_heals']>['state'][]
  const ownerRef = sql.ref<number>(owner)

  const find = async (db: ReadDb, { ownerId, channelId }: MarkedKey): Promise<Row | undefined> =>
    (await db
      .selectFrom(name)
      .selectAll()
      .where(ownerRef, '=', ownerId)
      .where('channel_id', '=', channelId)
      .executeTakeFirst()) as Row | undefined

  return {
    /** Returns the row of a key. */
    find,

    /**
     * Claims a row for a time.
     * @param mine end of the claim that the caller has; left out: only one without a claim
     * @returns undefined when another run has it, or finished it
     */
    claim: async (
      db: Db | Trx,
      { ownerId, channelId }: MarkedKey,
      ms: number,
      mine?: number,
    ): Promise<Row | undefined> =>
      (await db
        .updateTable(name)
        .set({ claim_until: claimUntil(db, ms) })
        .where(ownerRef, '=', ownerId)
        .where('channel_id', '=', channelId)
        .where('state', 'in', states)
        .where((eb) => (mine === undefined ? eb('claim_until', '<=', databaseNow(db)) : eb('claim_until', '=', mine)))
        .returningAll()
        .executeTakeFirst()) as Row | undefined,

    /** Returns the time until the claim of a row ends, milliseconds. */
    async findClaimMs(db: ReadDb, { ownerId, channelId }: MarkedKey): Promise<number> {
      const row = await db
        .selectFrom(name)
        .select((eb) => eb('claim_until', '-', databaseNow(db)).as('ms'))
        .where(ownerRef, '=', ownerId)
        .where('channel_id', '=', channelId)
        .executeTakeFirst()
      return Math.max(0, Number(row?.ms ?? 0))
    },

    /**
     * Updates a row of a claim.
     * @param claimMs time in which no other run acts; left out: as before
     * @returns undefined when another run claimed it
     */
    update: async (
      trx: Trx,
      { ownerId, channelId }: MarkedKey,
      claim: number,
      change: Partial<Row>,
      claimMs?: number,
    ): Promise<Row | undefined> =>
      (await trx
        .updateTable(name)
        .set({ ...(change as object), ...(claimMs !== undefined && { claim_until: claimUntil(trx, claimMs) }) })
        .where(ownerRef, '=', ownerId)
        .where('channel_id', '=', channelId)
        .where('state', 'in', states)
        .where('claim_until', '=', claim)
        .returningAll()
        .executeTakeFirst()) as Row | undefined,
  }
}
