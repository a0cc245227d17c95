// Ownership: what one holder has while it is alive. `epoch` rises with each change of the holder, so that writes of an earlier
// holder can be refused. Times are by the database's clock, because the clocks of replicas differ (decision 0061).
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { databaseNow } from './fragments.ts'
import type { JobTables } from './tables-jobs.ts'
import type { Db, ReadDb, Trx } from './types.ts'

/** `air`: relay node of a project; `chat`: reader of a source; `telegram`: loop of the bot; `account`: renewal of its tokens. */
export type OwnedKind = JobTables['owners']['kind']
export type OwnerRow = Selectable<JobTables['owners']>

/** Finds the owner of a key; its holder is empty when it was released. */
export const findOwner = (db: ReadDb, kind: OwnedKind, key: string | number): Promise<OwnerRow | undefined> =>
  ownersOf(db, kind).where('key', '=', String(key)).executeTakeFirst()

/** Returns those of keys that have an owner now. */
export async function listOwned(db: ReadDb, kind: OwnedKind, keys: readonly string[]): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set()
  const rows = await ownersOf(db, kind).where('key', 'in', keys).where('until', '>', databaseNow(db)).execute()
  return new Set(rows.map(({ key }) => key))
}

/** Returns the owner of a key, and locks it until the transaction ends: it cannot change before the commit. */
export const lockOwner = (trx: Trx, kind: OwnedKind, key: string | number): Promise<OwnerRow | undefined> =>
  ownersOf(trx, kind).where('key', '=', String(key)).forUpdate().executeTakeFirst()

/** Locks what a holder has until the transaction ends, in the order of locks (`transaction`). */
export const lockOwned = (trx: Trx, kind: OwnedKind, holder: string): Promise<OwnerRow[]> =>
  ownersOf(trx, kind).where('holder', '=', holder).orderBy('key').forUpdate().execute()

/** A claim. `ms`: time for which no other holder can claim the key. */
export interface OwnerClaim {
  readonly kind: OwnedKind
  readonly key: string | number
  readonly holder: string
  readonly ms: number
}

/**
 * Makes a holder the owner of a key that is free, expired, or its own: compare-and-set in one statement.
 * @returns the epoch, the same as before for the holder's own key; null while another holder has it
 */
export async function claimOwner(db: Db | Trx, { kind, key, holder, ms }: OwnerClaim): Promise<number | null> {
  const now = databaseNow(db)
  const row = await db
    .insertInto('owners')
    .values({ kind, key: String(key), holder, epoch: 1, until: after(now, ms) })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'key'])
        .doUpdateSet((eb) => ({
          holder,
          epoch: sql<number>`owners.epoch + case when owners.holder = ${holder} then 0 else 1 end`,
          until: eb.ref('excluded.until'),
        }))
        .where((eb) => eb.or([eb('owners.holder', '=', holder), eb('owners.until', '<=', now)])),
    )
    .returning('epoch')
    .executeTakeFirst()
  return row?.epoch ?? null
}

/** A renewal. `epoch` null: the current one; `ms`: from now. */
export interface Renewal {
  readonly key: string | number
  readonly epoch: number | null
  readonly ms: number
}

/**
 * Extends what a holder has, in one statement.
 * @returns the keys that the holder still has under that epoch
 */
export async function renewOwners(
  db: Db | Trx,
  kind: OwnedKind,
  holder: string,
  renewals: readonly Renewal[],
): Promise<ReadonlySet<string>> {
  if (renewals.length === 0) return new Set()
  const values = renewals.map(
    ({ key, epoch, ms }) => sql`(${String(key)}, cast(${epoch} as integer), cast(${ms} as integer))`,
  )
  // SQLite and PostgreSQL both name the columns of `values` column1, column2, column3.
  const { rows } = await sql<{ key: string }>`
    update owners set until = ${databaseNow(db)} + renewal.column3
    from (values ${sql.join(values)}) as renewal
    where kind = ${kind} and holder = ${holder} and key = renewal.column1
      and epoch = coalesce(renewal.column2, epoch)
    returning key
  `.execute(db)
  return new Set(rows.map(({ key }) => key))
}

/** Frees a key, unless another holder has it: the next claim succeeds and raises the epoch. @returns whether it was freed */
export async function releaseOwner(
  db: Db | Trx,
  kind: OwnedKind,
  key: string | number,
  epoch: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('owners')
    .set({ holder: '', until: 0 })
    .where('kind', '=', kind)
    .where('key', '=', String(key))
    .where('epoch', '=', epoch)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Frees what a holder has, except some keys. Lock them before (`lockOwned`). */
export async function releaseOthers(
  trx: Trx,
  kind: OwnedKind,
  holder: string,
  except: readonly (string | number)[],
): Promise<void> {
  await trx
    .updateTable('owners')
    .set({ holder: '', until: 0 })
    .where('kind', '=', kind)
    .where('holder', '=', holder)
    .$if(except.length > 0, (query) => query.where('key', 'not in', except.map(String)))
    .execute()
}

const ownersOf = (db: ReadDb, kind: OwnedKind) => db.selectFrom('owners').selectAll().where('kind', '=', kind)

const after = (now: RawBuilder<number>, ms: number) => sql<number>`${now} + cast(${ms} as integer)`
