// SQL of manual invoices.
import type { Insertable, Updateable } from 'kysely'
import type { Db, Trx } from '#server/db/open.ts'
import type { PaymentTables } from '#server/db/tables-billing.ts'

/** Returns an invoice with its payment. */
export const findInvoice = (db: Db, uuid: string) =>
  db
    .selectFrom('payments')
    .innerJoin('invoices', 'invoices.payment_id', 'payments.id')
    .selectAll('payments')
    .select(['invoices.paid_minor', 'invoices.withdrawn'])
    .where('payments.uuid', '=', uuid)
    .executeTakeFirst()

/** Inserts the invoice of a payment, once. */
export async function insertInvoice(db: Db, paymentId: number): Promise<void> {
  await db
    .insertInto('invoices')
    .values({ payment_id: paymentId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Changes an invoice whose payment is not credited. */
export async function updateInvoice(
  db: Db | Trx,
  uuid: string,
  change: Updateable<PaymentTables['invoices']>,
): Promise<void> {
  await db
    .updateTable('invoices')
    .set(change)
    .where('payment_id', 'in', (eb) =>
      eb.selectFrom('payments').select('id').where('uuid', '=', uuid).where('credited_minor', '=', 0),
    )
    .execute()
}

export const listInvoiceRefunds = (db: Db, paymentId: number) =>
  db.selectFrom('invoice_refunds').selectAll().where('payment_id', '=', paymentId).orderBy('key').execute()

/** Inserts a refund, once per key. */
export async function insertInvoiceRefund(db: Db, values: Insertable<PaymentTables['invoice_refunds']>): Promise<void> {
  await db
    .insertInto('invoice_refunds')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
