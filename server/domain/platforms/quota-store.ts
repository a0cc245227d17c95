// SQL of quotas of platforms.
import type { Selectable } from 'kysely'
import type { ReadDb, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

type Row = Selectable<Tables['platform_quota']>
type Key = Pick<Row, 'platform' | 'day' | 'purpose'>

/** Adds units, unless they exceed the limit or the platform refused today. @returns whether they were added */
export async function upsertQuota(trx: Trx, row: Key & Pick<Row, 'units'>, max: number): Promise<boolean> {
  if (row.units > max) return false
  const added = await trx
    .insertInto('platform_quota')
    .values({ ...row, gone: 0 })
    .onConflict((conflict) =>
      conflict
        .columns(['platform', 'day', 'purpose'])
        .doUpdateSet((eb) => ({ units: eb('platform_quota.units', '+', row.units) }))
        .where('platform_quota.gone', '=', 0)
        .where('platform_quota.units', '<=', max - row.units),
    )
    .returning('units')
    .executeTakeFirst()
  return added !== undefined
}

/** Marks a day as refused by the platform. */
export async function updateQuotaGone(trx: Trx, key: Key): Promise<void> {
  await trx
    .insertInto('platform_quota')
    .values({ ...key, units: 0, gone: 1 })
    .onConflict((conflict) => conflict.columns(['platform', 'day', 'purpose']).doUpdateSet({ gone: 1 }))
    .execute()
}

/** Returns the used units of a day, by purpose. */
export const listQuota = (db: ReadDb, { platform, day }: Pick<Key, 'platform' | 'day'>): Promise<Row[]> =>
  db.selectFrom('platform_quota').selectAll().where('platform', '=', platform).where('day', '=', day).execute()
