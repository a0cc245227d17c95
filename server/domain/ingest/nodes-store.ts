// SQL of ingest nodes and their load reports.
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

type NodeRow = Selectable<Tables['ingest_nodes']>

/** Returns every node that has ever reported. */
export const listNodeRows = (db: ReadDb): Promise<NodeRow[]> => db.selectFrom('ingest_nodes').selectAll().execute()

/** Returns a node that has ever reported. */
export const findNode = (db: ReadDb, name: string): Promise<NodeRow | undefined> =>
  db.selectFrom('ingest_nodes').selectAll().where('name', '=', name).executeTakeFirst()

/** Returns the machine of a node: its own name where it reported none. */
export async function machineOf(db: ReadDb, name: string): Promise<string> {
  const row = await findNode(db, name)
  const { machine = name } = JSON.parse(row?.about ?? '{}') as { readonly machine?: string }
  return machine
}

/** Returns the id of a node with another name that reported after a time, ISO 8601. */
export const findOtherNode = (db: ReadDb, name: string, since: string): Promise<{ readonly id: number } | undefined> =>
  db
    .selectFrom('ingest_nodes')
    .select('id')
    .where('name', '!=', name)
    .where('date_report', '>', since)
    .limit(1)
    .executeTakeFirst()

/** Inserts a node, or updates it unless a newer report is stored. @returns its id */
export async function upsertNode(trx: Trx, row: Omit<NodeRow, 'id'>): Promise<number> {
  await trx
    .insertInto('ingest_nodes')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ about: row.about, date_report: row.date_report })
        .where('ingest_nodes.date_report', '<', row.date_report),
    )
    .execute()
  const { id } = await trx
    .selectFrom('ingest_nodes')
    .select('id')
    .where('name', '=', row.name)
    .executeTakeFirstOrThrow()
  return id
}

/** Inserts a load report. @returns false when it is stored already */
export async function insertReport(trx: Trx, row: Insertable<Tables['ingest_reports']>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('ingest_reports')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows) > 0
}

/** Removes load reports before a time, ISO 8601. */
export async function removeReports(db: Db, before: string): Promise<void> {
  await db.deleteFrom('ingest_reports').where('date_report', '<', before).execute()
}

/** Removes nodes that last reported before a time, ISO 8601. */
export async function removeNodes(db: Db, before: string): Promise<void> {
  await db.deleteFrom('ingest_nodes').where('date_report', '<', before).execute()
}

/** Returns the averages of each node per minute since a time. Minutes are ISO 8601 up to the minute. */
export function listLoadsByMinute(db: ReadDb, since: string) {
  const minute = sql<string>`substr(date_report, 1, 16)`
  return db
    .selectFrom('ingest_reports')
    .select(({ fn }) => [
      'node_id',
      minute.as('minute'),
      fn.avg<number>('network').as('network'),
      fn.avg<number>('cpu').as('cpu'),
      fn.avg<number>('ram').as('ram'),
      fn.avg<number>('delivered').as('delivered'),
    ])
    .where('date_report', '>=', since)
    .groupBy(['node_id', minute])
    .execute()
}

/** Returns averages and peaks of each node after a time. */
export const listLoads = (db: ReadDb, after: string) =>
  db
    .selectFrom('ingest_reports')
    .select(({ fn }) => [
      'node_id',
      fn.avg<number>('network').as('network_avg'),
      fn.max('network').as('network_max'),
      fn.avg<number>('cpu').as('cpu_avg'),
      fn.max('cpu').as('cpu_max'),
      fn.avg<number>('ram').as('ram_avg'),
      fn.max('ram').as('ram_max'),
      fn.avg<number>('delivered').as('delivered_avg'),
    ])
    .where('date_report', '>', after)
    .groupBy('node_id')
    .execute()

export type LoadRow = Awaited<ReturnType<typeof listLoads>>[number]
