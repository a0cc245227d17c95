// Leases of projects on air: one relay node owns a project, and an epoch distinguishes its facts from those of earlier
// owners. `until` is the database's time, because the clocks of replicas differ (decision 0024).
import type { Lease } from '#contract/relay/from-node.ts'
import type { RelayEvent } from '#contract/relay/events.ts'
import type { Db, Trx } from '#server/db/open.ts'
import { claimOwner, lockOwned, lockOwner, renewOwners } from '#server/db/owners.ts'
import { transaction } from '#server/db/transaction.ts'
import { findOnAir } from './store.ts'

/** Time that a project stays with a node that stopped renewing while its encoder was sending, milliseconds. */
export const airLeaseMs = 20_000

/** A claimed project. */
export interface Claim {
  readonly epoch: number
  /** The previous owner, under an older epoch; null: none. */
  readonly from: { readonly node: string; readonly epoch: number } | null
}

/** `keepsOwner`: does not move a broadcast that is on air, even if its encoder is lost. `isPlay`: scheduled files, which hold no lease. */
interface ClaimOptions {
  readonly keepsOwner?: boolean
  readonly isPlay?: boolean
}

/**
 * Makes a node the owner of a project: compare-and-set on the lease. The owner keeps its epoch. A play takes a lease that an encoder of
 * another node can take immediately.
 * @returns null while the encoder of another node sends
 */
export const claimAir = (
  db: Db | Trx,
  projectId: number,
  node: string,
  { keepsOwner = false, isPlay = false }: ClaimOptions = {},
): Promise<Claim | null> =>
  transaction(db, async (trx) => {
    const before = await lockOwner(trx, 'air', projectId)
    if (keepsOwner && before && before.holder !== node && (await findOnAir(trx, projectId))) return null
    // The lease of the encoder, if one sends, stays as it is.
    if (isPlay && before?.holder === node) return { epoch: before.epoch, from: null }
    const epoch = await claimOwner(trx, { kind: 'air', key: projectId, holder: node, ms: isPlay ? 0 : airLeaseMs })
    if (epoch === null) return null
    const from = before && before.holder !== node && before.holder !== '' ? before : null
    return { epoch, from: from && { node: from.holder, epoch: from.epoch } }
  })

/**
 * Renews the leases of a node. A lease whose encoder does not send can be taken immediately.
 * @returns the leases that the node no longer owns
 */
export async function renewLeases<L extends Lease>(db: Db | Trx, node: string, leases: readonly L[]): Promise<L[]> {
  if (leases.length === 0) return []
  const renewals = leases.map(({ projectId, epoch = null, isSending }) => ({
    key: projectId,
    epoch,
    ms: isSending ? airLeaseMs : 0,
  }))
  const renewed = await transaction(db, async (trx) => {
    await lockOwned(trx, 'air', node)
    return renewOwners(trx, 'air', node, renewals)
  })
  return leases.filter(({ projectId }) => !renewed.has(String(projectId)))
}

/**
 * Returns whether a fact comes from the owner of its project. The lease cannot move before the transaction ends.
 * Facts without an epoch renew the lease: nodes that send them have no other message for it.
 */
export async function claimForFact(trx: Trx, node: string, fact: RelayEvent): Promise<boolean> {
  const { projectId, epoch, type } = fact
  const owner = await lockOwner(trx, 'air', projectId)
  if (epoch !== undefined) return owner?.holder === node && owner.epoch === epoch
  if (type === 'source-began') return (await claimAir(trx, projectId, node)) !== null
  if (owner?.holder !== node) return false
  if (type === 'sample' || type === 'source-lost' || type === 'ended') {
    const isSending = type === 'sample' && fact.ingest.kbps > 0
    await renewLeases(trx, node, [{ projectId, isSending }])
  }
  return true
}
