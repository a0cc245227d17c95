// Registry of ingest servers: stores the reports of relay nodes.
import { iso, later } from '#server/core/clock.ts'
import type { Reading, Services } from '#server/core/context.ts'
import { ValidationError } from '#server/core/errors.ts'
import { violationsOf } from '#server/core/failures.ts'
import type { Trx } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { minutes } from './graph.ts'
import { goneAfterMs, staleAfterMs } from './health.ts'
import { findOtherNode, insertReport, removeNodes, removeReports, upsertNode } from './nodes-store.ts'
import { NodeReport, type SentReport } from './report.ts'
import { listNodesNow, sums } from './servers.ts'

type NodeServices = Pick<Services, 'db' | 'clock'>

/** Retention of loads: the longest interval, and an hour. */
const keepReportsMs = 25 * 3_600_000
const keepNodesMs = 30 * 86_400_000

/**
 * Stores a report. Repeating a report changes nothing. A late report counts for its own time, one from the future for the
 * current time, so that a node whose clock is ahead stays usable.
 * @param sent validated here
 * @param follows what follows from the report, in its transaction
 * @returns false when the report is stored already, or older than the retention
 * @throws ValidationError for a malformed report
 * @example await reportNode(services, { node: 'fra-1', time: '2026-03-01T10:00:00Z', city: 'Frankfurt', … })
 */
export async function reportNode(
  { db, clock }: NodeServices,
  sent: SentReport | Readonly<Record<string, unknown>>,
  follows: (trx: Trx) => Promise<void> = async () => undefined,
): Promise<boolean> {
  const read = NodeReport.safeParse(sent)
  if (!read.success) throw new ValidationError(violationsOf(read.error.issues, sent))
  const { node, time, load, ...about } = read.data
  const now = clock.now()
  const date = new Date(Math.min(Date.parse(time), now.getTime()))
  if (date < later(now, -keepReportsMs)) return false
  const reported = { name: node, about: JSON.stringify(about), date_report: iso(date) }
  const isNew = await transaction(db, async (trx) => {
    const id = await upsertNode(trx, { ...reported, date_create: iso(now) })
    const inserted = await insertReport(trx, { node_id: id, date_report: iso(date), ...load })
    await follows(trx)
    return inserted
  })
  sums.forget({ db })
  minutes.forget({ db })
  return isNew
}

/**
 * Finds the nodes of a machine that accept broadcasts.
 * @returns a function that tells whether such a node listens on the ports of the named one
 */
export async function listAccepting(
  { db, clock, relay }: Reading<NodeServices & Pick<Services, 'relay'>>,
  machine: string,
): Promise<(node: string) => boolean> {
  const all = await listNodesNow({ db, clock }, staleAfterMs)
  const here = all.filter(({ node, about }) => (about.machine ?? node) === machine)
  const accepting = here.filter(({ node, state }) => state !== 'draining' && relay.has(node))
  return (name) => {
    const own = here.find(({ node }) => node === name)?.about.rtmp
    return accepting.some(({ node, about }) => node !== name && about.rtmp === own)
  }
}

/** Returns whether another node has reported in the last ten minutes. */
export const hasOtherNodes = async ({ db, clock }: Reading<NodeServices>, name: string): Promise<boolean> =>
  (await findOtherNode(db, name, iso(later(clock.now(), -goneAfterMs)))) !== undefined

/** Removes old loads, and nodes without a report for a month. */
export async function forgetOldReports({ db, clock }: NodeServices): Promise<void> {
  const now = clock.now()
  await removeReports(db, iso(later(now, -keepReportsMs)))
  await removeNodes(db, iso(later(now, -keepNodesMs)))
}
