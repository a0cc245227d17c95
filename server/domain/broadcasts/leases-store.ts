// SQL of leases, and of the last report that each relay node sent. Expiry times are by the database's clock.
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { databaseNow } from '#server/db/fragments.ts'
import type { ReadDb, Trx } from '#server/db/open.ts'
import type { LeaseTables } from '#server/db/tables-leases.ts'

type LeaseRow = Selectable<LeaseTables['air_leases']>

/** Returns the lease of a project, and locks it until the transaction ends. */
export const lockLease = (trx: Trx, projectId: number): Promise<LeaseRow | undefined> =>
  trx.selectFrom('air_leases').selectAll().where('project_id', '=', projectId).forUpdate().executeTakeFirst()

/** Locks the leases of a node until the transaction ends, in the order of locks (`transaction`). */
export const lockLeases = (trx: Trx, node: string) =>
  trx.selectFrom('air_leases').select('project_id').where('node', '=', node).orderBy('project_id').forUpdate().execute()

/**
 * Inserts the lease of a project, or takes it over if it has expired. A new owner raises the epoch.
 * @param lease `ms`: duration
 * @returns the epoch; undefined while another node owns the project
 */
export async function upsertLease(
  trx: Trx,
  { projectId, node, ms }: { readonly projectId: number; readonly node: string; readonly ms: number },
): Promise<number | undefined> {
  const now = databaseNow(trx)
  const row = await trx
    .insertInto('air_leases')
    .values({ project_id: projectId, node, epoch: 1, until: after(now, ms) })
    .onConflict((conflict) =>
      conflict
        .column('project_id')
        .doUpdateSet((eb) => ({
          node,
          epoch: sql<number>`air_leases.epoch + case when air_leases.node = ${node} then 0 else 1 end`,
          until: eb.ref('excluded.until'),
          lost_broadcast_id: null,
        }))
        .where((eb) => eb.or([eb('air_leases.node', '=', node), eb('air_leases.until', '<=', now)])),
    )
    .returning('epoch')
    .executeTakeFirst()
  return row?.epoch
}

/**
 * Extends leases of a node in one statement.
 * @param leases `epoch` null: the current one; `ms`: from now
 * @returns the projects whose lease the node owns under that epoch
 */
export async function updateExpiries(
  trx: Trx,
  node: string,
  leases: readonly { readonly projectId: number; readonly epoch: number | null; readonly ms: number }[],
): Promise<number[]> {
  const values = leases.map(
    ({ projectId, epoch, ms }) =>
      sql`(cast(${projectId} as integer), cast(${epoch} as integer), cast(${ms} as integer))`,
  )
  // SQLite and PostgreSQL both name the columns of `values` column1, column2, column3.
  const { rows } = await sql<{ project_id: number }>`
    update air_leases set until = ${databaseNow(trx)} + renewal.column3
    from (values ${sql.join(values)}) as renewal
    where node = ${node} and project_id = renewal.column1 and epoch = coalesce(renewal.column2, epoch)
    returning project_id
  `.execute(trx)
  return rows.map(({ project_id }) => project_id)
}

/** Frees the leases of a node except those of these projects. */
export async function updateOthersFree(trx: Trx, node: string, exceptProjects: readonly number[]): Promise<void> {
  await trx
    .updateTable('air_leases')
    .set({ node: '', until: 0, lost_broadcast_id: null })
    .where('node', '=', node)
    .$if(exceptProjects.length > 0, (query) => query.where('project_id', 'not in', exceptProjects))
    .execute()
}

/** Returns those of a node's leases whose broadcast ended because the node was unreachable. */
export async function listLostLeases(
  trx: ReadDb,
  node: string,
  projects: readonly number[],
): Promise<{ readonly projectId: number; readonly broadcastId: number }[]> {
  if (projects.length === 0) return []
  const rows = await trx
    .selectFrom('air_leases')
    .select(['project_id', 'lost_broadcast_id'])
    .where('node', '=', node)
    .where('project_id', 'in', projects)
    .where('lost_broadcast_id', 'is not', null)
    .execute()
  return rows.map(({ project_id, lost_broadcast_id }) => ({
    projectId: project_id,
    broadcastId: lost_broadcast_id ?? 0,
  }))
}

/** Updates which broadcast ended because the owner of a project was unreachable; null: none. */
export async function updateLostBroadcast(trx: Trx, projectId: number, broadcastId: number | null): Promise<void> {
  await trx
    .updateTable('air_leases')
    .set({ lost_broadcast_id: broadcastId })
    .where('project_id', '=', projectId)
    .execute()
}

/** Raises the number of the last report of a node. @returns false for a report that was handled before */
export async function updateLastReport(trx: Trx, name: string, seq: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('relay_nodes')
    .values({ name, seq })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ seq }).where('relay_nodes.seq', '<', seq))
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows) > 0
}

const after = (now: RawBuilder<number>, ms: number) => sql<number>`${now} + cast(${ms} as integer)`
