// SQL of the metrics and of Servers: what is on air, and the clock of the database.
import { sql } from 'kysely'
import { databaseNow } from '#server/db/fragments.ts'
import type { ReadDb } from '#server/db/open.ts'

/** Returns the numbers of broadcasts on air, by status. */
export async function countBroadcasts(db: ReadDb): Promise<{ readonly active: number; readonly lost: number }> {
  const rows = await db
    .selectFrom('broadcasts')
    .select(['status', ({ fn }) => fn.countAll().as('count')])
    .where('date_end', 'is', null)
    .groupBy('status')
    .execute()
  const count = (wanted: string) => Number(rows.find(({ status }) => status === wanted)?.count ?? 0)
  return { active: count('active'), lost: count('lost') }
}

/** Returns the last report of each channel on air: JSON of `DestinationReport`. */
export const listReportsOnAir = (db: ReadDb): Promise<{ readonly report: string }[]> =>
  db
    .selectFrom('restreams')
    .innerJoin('broadcasts', 'broadcasts.id', 'restreams.broadcast_id')
    .select('restreams.report')
    .where('broadcasts.date_end', 'is', null)
    .execute()

/** Returns the time of the database, Unix milliseconds. */
export async function readDatabaseTime(db: ReadDb): Promise<number> {
  const { rows } = await sql<{ now: number | string }>`select ${databaseNow(db)} as now`.execute(db)
  return Number(rows[0]?.now)
}

/** Returns the number of broadcasts on air of each node, and the beginning of the oldest. */
export const listBroadcastsByNode = (db: ReadDb) =>
  db
    .selectFrom('broadcasts')
    .select(({ fn }) => ['node', fn.countAll<number>().as('count'), fn.min('date_create').as('oldest')])
    .where('date_end', 'is', null)
    .groupBy('node')
    .execute()
