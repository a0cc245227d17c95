// SQL of advances (54-FZ), and of the closing receipts that purchases request.
import { type Insertable, sql } from 'kysely'
import { scheduleJob } from '#server/db/jobs.ts'
import type { ReadDb, Trx } from '#server/db/open.ts'
import type { AdvanceTables } from '#server/db/tables-advances.ts'
import type { AdvancePart, OpenAdvance } from './advances-rules.ts'

/** Returns the advances of a project that have money in its balance, oldest first. The caller has locked the wallet. */
export const listOpenAdvances = (trx: ReadDb, projectId: number): Promise<OpenAdvance[]> =>
  trx
    .selectFrom('advances')
    .select(['payment_id as paymentId', 'left_minor as leftMinor'])
    .where('project_id', '=', projectId)
    .where('left_minor', '>', 0)
    .orderBy('id')
    .execute()

/** Returns the part of a project in the advance of a payment. */
export const findAdvance = (trx: ReadDb, projectId: number, paymentId: number) =>
  trx
    .selectFrom('advances')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('payment_id', '=', paymentId)
    .executeTakeFirst()

/** Adds to what a project holds of the advance of a payment. */
export async function upsertAdvance(
  trx: Trx,
  projectId: number,
  { paymentId, amountMinor }: AdvancePart,
): Promise<void> {
  await trx
    .insertInto('advances')
    .values({ project_id: projectId, payment_id: paymentId, left_minor: amountMinor })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'payment_id'])
        .doUpdateSet({ left_minor: sql`advances.left_minor + excluded.left_minor` }),
    )
    .execute()
}

/** Takes from what a project holds of the advance of a payment. */
export async function updateAdvance(
  trx: Trx,
  projectId: number,
  { paymentId, amountMinor }: AdvancePart,
): Promise<void> {
  await trx
    .updateTable('advances')
    .set(({ eb }) => ({ left_minor: eb('left_minor', '-', amountMinor) }))
    .where('project_id', '=', projectId)
    .where('payment_id', '=', paymentId)
    .execute()
}

/** Kind of the jobs that send closing receipts. The key is the receipt. */
export const receiptKind = { kind: 'billing.receipt' } as const

/** Requests closing receipts, which are sent after the commit. */
export async function insertClosingReceipts(
  trx: Trx,
  values: readonly Insertable<AdvanceTables['closing_receipts']>[],
): Promise<void> {
  const rows = await trx.insertInto('closing_receipts').values(values).returning('id').execute()
  for (const { id } of rows) await scheduleJob(trx, receiptKind, id)
}
