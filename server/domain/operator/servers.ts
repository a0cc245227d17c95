// Servers under Administration: relay nodes, what they carry, and their drain.
import { iso } from '#server/core/clock.ts'
import type { Reading, Services, User } from '#server/core/context.ts'
import { NotFoundError, RuleError } from '#server/core/errors.ts'
import { transaction } from '#server/db/transaction.ts'
import { findNode } from '#server/domain/ingest/nodes-store.ts'
import { listNodesNow, type NodeAbout, tenths } from '#server/domain/ingest/servers.ts'
import { logOperator } from '#server/domain/installation/operator-log.ts'
import { listBroadcastsByNode } from './watch-store.ts'

/** Nodes that have been silent for longer are left out, milliseconds. */
const shownMs = 86_400_000

/** Returns the nodes that reported within a day, by name. */
export async function listOperatorServers(services: Reading<Pick<Services, 'db' | 'clock' | 'relay'>>) {
  const { db, clock, relay } = services
  const nodes = await listNodesNow({ db, clock }, shownMs)
  const carried = new Map((await listBroadcastsByNode(db)).map((row) => [row.node, row]))
  const servers = nodes.map(({ node, about, state, dateReport, loads }) => {
    const { machine = node, city, country, release = null, drainUntil } = about
    return {
      node,
      machine,
      city,
      country,
      release,
      state,
      can_drain: drainUntil !== undefined && relay.has(node),
      date_drain: state === 'draining' && drainUntil ? iso(new Date(drainUntil)) : null,
      broadcasts: Number(carried.get(node)?.count ?? 0),
      date_oldest: carried.get(node)?.oldest ?? null,
      network: tenths(loads?.network),
      cpu: tenths(loads?.cpu),
      ram: tenths(loads?.ram),
      date_report: dateReport,
    }
  })
  return servers.toSorted((a, b) => (a.node < b.node ? -1 : 1))
}

/**
 * Drains a node, or cancels its drain. The node follows within a second, and reports its state.
 * @param minutes time after which it disconnects the encoders that are left; null: cancel
 * @throws NotFoundError `NoNode`; RuleError `NodeAway` while it is not connected, `NodeTooOld` for a release that cannot drain,
 *   `NotDraining`
 */
export async function changeDrain(
  { db, clock, relay }: Pick<Services, 'db' | 'clock' | 'relay'>,
  user: User,
  { node, minutes, reason }: { readonly node: string; readonly minutes: number | null; readonly reason: string },
): Promise<void> {
  await transaction(db, async (trx) => {
    const row = await findNode(trx, node)
    if (!row) throw new NotFoundError('NoNode')
    const { drainUntil } = JSON.parse(row.about) as NodeAbout
    if (drainUntil === undefined) throw new RuleError('NodeTooOld')
    if (!relay.has(node)) throw new RuleError('NodeAway')
    if (minutes === null && drainUntil === null) throw new RuleError('NotDraining')
    const action = minutes === null ? 'server_undrained' : 'server_drained'
    await logOperator(trx, clock, { userId: user.id, action, after: { node, minutes }, reason })
  })
  // After the commit: what is not in the log has not happened.
  relay.drain(node, minutes === null ? null : minutes * 60_000)
}
