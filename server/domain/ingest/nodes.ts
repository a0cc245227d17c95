// The registry of ingest servers: relay nodes report into it, and everything that is said about servers comes from it.
// A node that has not reported is not there.
import { iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { ValidationError } from '#server/core/errors.ts'
import { violationsOf } from '#server/core/failures.ts'
import type { Trx } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { minutes } from './graph.ts'
import { goneAfterMs } from './health.ts'
import { NodeReport, type SentReport } from './report.ts'
import { sums } from './servers.ts'

type Part = Pick<Services, 'db' | 'clock'>

/** How long loads are kept: the longest interval, and a little. */
const keepReportsMs = 25 * 3_600_000
const keepNodesMs = 30 * 86_400_000

/**
 * Takes a report. Telling it again changes nothing, and one that comes late is taken for what it was then; one from the
 * future is of now, because a clock that is ahead is no reason to do without a node.
 * @param sent checked here, whoever sent it
 * @returns false when this very report is known, or older than anything that is asked for
 * @throws ValidationError for what is no report
 * @example await reportNode(services, { node: 'fra-1', time: '2026-03-01T10:00:00Z', city: 'Frankfurt', … })
 */
export async function reportNode(
  { db, clock }: Part,
  sent: SentReport | Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const read = NodeReport.safeParse(sent)
  if (!read.success) throw new ValidationError(violationsOf(read.error.issues, sent))
  const { node, time, load, ...about } = read.data
  const now = clock.now()
  const date = new Date(Math.min(Date.parse(time), now.getTime()))
  if (date < later(now, -keepReportsMs)) return false
  const reported = { name: node, about: JSON.stringify(about), date_report: iso(date) }
  const isNew = await transaction(db, async (trx) => {
    const id = await putNode(trx, { ...reported, date_create: iso(now) })
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('ingest_reports')
      .values({ node_id: id, date_report: iso(date), ...load })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow()
    return Number(numInsertedOrUpdatedRows) > 0
  })
  sums.forget({ db })
  minutes.forget({ db })
  return isNew
}

/** Whether a node beside this one has reported in the last ten minutes. */
export async function hasOtherNodes({ db, clock }: Part, name: string): Promise<boolean> {
  const others = db.selectFrom('ingest_nodes').select('id').where('name', '!=', name)
  const since = iso(later(clock.now(), -goneAfterMs))
  return (await others.where('date_report', '>', since).limit(1).executeTakeFirst()) !== undefined
}

/** Forgets old loads, and nodes that have been silent for a month. */
export async function forgetOldReports({ db, clock }: Part): Promise<void> {
  const now = clock.now()
  await db
    .deleteFrom('ingest_reports')
    .where('date_report', '<', iso(later(now, -keepReportsMs)))
    .execute()
  await db
    .deleteFrom('ingest_nodes')
    .where('date_report', '<', iso(later(now, -keepNodesMs)))
    .execute()
}

/** The node's row: new, or brought up to date unless a newer report is known. @returns its id */
async function putNode(
  trx: Trx,
  row: { readonly name: string; readonly about: string; readonly date_create: string; readonly date_report: string },
): Promise<number> {
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
