// Leases of projects on air: one relay node owns a project, and an epoch tells its facts from those of owners before it.
// `until` is the database's time, because the clocks of replicas differ (decision 0024).
import { type RawBuilder, sql } from 'kysely'
import { databaseNow } from '#server/db/now.ts'
import type { Db, Trx } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import type { LiveFact } from './live-facts.ts'

/** How long a project stays with a node that stopped renewing while its encoder was sending, milliseconds. */
const leaseMs = 20_000

/** Report of a node on a project that it has on air. */
export interface NodeLease {
  readonly projectId: number
  /** Left out by nodes of releases without leases: the current epoch, where they are the owner. */
  readonly epoch?: number | undefined
  /** The encoder sends: no other node may take the project. */
  readonly isSending: boolean
}

/** A project that a node got. */
export interface Claim {
  readonly epoch: number
  /** The node that owned it before, under an older epoch; null: none. */
  readonly from: { readonly node: string; readonly epoch: number } | null
}

/**
 * Makes a node the owner of a project: compare-and-set on the lease. The owner keeps its epoch.
 * @returns null while the encoder of another node sends
 */
export const claimAir = (db: Db | Trx, projectId: number, node: string): Promise<Claim | null> =>
  transaction(db, async (trx) => {
    const before = await lockLease(trx, projectId)
    const now = databaseNow(trx)
    const got = await trx
      .insertInto('air_leases')
      .values({ project_id: projectId, node, epoch: 1, until: after(now, leaseMs) })
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
    if (!got) return null
    const from = before && before.node !== node && before.node !== '' ? before : null
    return { epoch: got.epoch, from: from && { node: from.node, epoch: from.epoch } }
  })

/**
 * Renews the leases of a node in one statement. One whose encoder does not send can be taken from then on.
 * @returns those that the node does not own any more
 */
export async function renewLeases<L extends NodeLease>(db: Db | Trx, node: string, leases: readonly L[]): Promise<L[]> {
  if (leases.length === 0) return []
  const rows = leases.map(
    ({ projectId, epoch = null, isSending }) =>
      sql`(cast(${projectId} as integer), cast(${epoch} as integer), cast(${isSending ? leaseMs : 0} as integer))`,
  )
  // Both databases call the columns of a list of values so.
  const renewed = await sql<{ project_id: number }>`
    update air_leases set until = ${databaseNow(db)} + said.column3
    from (values ${sql.join(rows)}) as said
    where node = ${node} and project_id = said.column1 and epoch = coalesce(said.column2, epoch)
    returning project_id
  `.execute(db)
  const own = new Set(renewed.rows.map(({ project_id }) => project_id))
  return leases.filter(({ projectId }) => !own.has(projectId))
}

/**
 * Whether a fact comes from the owner of its project. The lease cannot move before the transaction ends.
 * Facts without an epoch renew the lease themselves: nodes that send them know no other way.
 */
export async function isOwners(trx: Trx, node: string, fact: LiveFact): Promise<boolean> {
  const { projectId, epoch, type } = fact
  const lease = await lockLease(trx, projectId)
  if (epoch !== undefined) return lease?.node === node && lease.epoch === epoch
  if (type === 'source-began') return (await claimAir(trx, projectId, node)) !== null
  if (lease?.node !== node) return false
  if (type === 'sample' || type === 'source-lost' || type === 'ended') {
    const isSending = type === 'sample' && fact.ingest.kbps > 0
    await renewLeases(trx, node, [{ projectId, isSending }])
  }
  return true
}

/** Frees every project of a node except these. The next claim raises the epoch, also that of the same node. */
export async function releaseOthers(trx: Trx, node: string, projects: readonly number[]): Promise<void> {
  await trx
    .updateTable('air_leases')
    .set({ node: '', until: 0, lost_broadcast_id: null })
    .where('node', '=', node)
    .$if(projects.length > 0, (query) => query.where('project_id', 'not in', projects))
    .execute()
}

/** Reads a lease, which cannot change before the transaction ends. */
export const lockLease = (trx: Trx, projectId: number) =>
  trx.selectFrom('air_leases').selectAll().where('project_id', '=', projectId).forUpdate().executeTakeFirst()

const after = (now: RawBuilder<number>, ms: number) => sql<number>`${now} + cast(${ms} as integer)`
