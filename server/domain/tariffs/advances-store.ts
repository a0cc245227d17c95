// SQL of advances (54-FZ), and of the closing receipts that purchases request.
import type { Insertable } from 'kysely'
import type { Trx } from '#server/db/open.ts'
import type { AdvanceTables } from '#server/db/tables-advances.ts'
import type { OpenAdvance } from './advances-rules.ts'

/** Amounts by which a row of advances changes. */
export interface AdvanceChange {
  readonly amountMinor?: number
  readonly closedMinor?: number
  readonly leftMinor: number
}

/** Returns the advances of a project that have money in its balance, oldest first. The caller has locked the wallet. */
export const listOpenAdvances = (trx: Trx, projectId: number): Promise<OpenAdvance[]> =>
  trx
    .selectFrom('advances')
    .select(['payment_id as paymentId', 'left_minor as leftMinor'])
    .where('project_id', '=', projectId)
    .where('left_minor', '>', 0)
    .orderBy('id')
    .execute()

/** Returns the part of a project in the advance of a payment. */
export const findAdvance = (trx: Trx, projectId: number, paymentId: number) =>
  trx
    .selectFrom('advances')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('payment_id', '=', paymentId)
    .executeTakeFirst()

/** Adds to the part of a project in the advance of a payment. */
export async function upsertAdvance(
  trx: Trx,
  projectId: number,
  { paymentId, amountMinor, leftMinor }: { paymentId: number; amountMinor: number; leftMinor: number },
): Promise<void> {
  if (await findAdvance(trx, projectId, paymentId))
    return await updateAdvance(trx, projectId, paymentId, { amountMinor, leftMinor })
  const own = { project_id: projectId, payment_id: paymentId, closed_minor: 0 }
  await trx
    .insertInto('advances')
    .values({ ...own, amount_minor: amountMinor, left_minor: leftMinor })
    .execute()
}

/** Adds to the amounts of a row of advances. */
export async function updateAdvance(
  trx: Trx,
  projectId: number,
  paymentId: number,
  { amountMinor = 0, closedMinor = 0, leftMinor }: AdvanceChange,
): Promise<void> {
  await trx
    .updateTable('advances')
    .set(({ eb }) => ({
      amount_minor: eb('amount_minor', '+', amountMinor),
      closed_minor: eb('closed_minor', '+', closedMinor),
      left_minor: eb('left_minor', '+', leftMinor),
    }))
    .where('project_id', '=', projectId)
    .where('payment_id', '=', paymentId)
    .execute()
}

/** Requests closing receipts. */
export async function insertClosingReceipts(
  trx: Trx,
  values: readonly Insertable<AdvanceTables['closing_receipts']>[],
): Promise<void> {
  await trx.insertInto('closing_receipts').values(values).execute()
}
