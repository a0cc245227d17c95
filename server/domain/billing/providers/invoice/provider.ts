// Manual invoice: the customer transfers the amount, and the operator marks the invoice as paid. The tables `invoices` and
// `invoice_refunds` take the place of a provider, so that an invoice is settled as any other payment.
import type { Services } from '#server/core/context.ts'
import type { Db, Trx } from '#server/db/open.ts'
import { findInvoice, insertInvoice, insertInvoiceRefund, listInvoiceRefunds, updateInvoice } from './store.ts'
import type { PayProvider, PaymentRow, PaySystem, ProviderPayment } from '#server/domain/billing/providers/provider.ts'
import { payModule } from '#server/domain/billing/providers/module.ts'
import type { InvoiceAccount } from './settings.ts'

/** Currencies of invoices: the number of each pay system, which never changes, and its amounts, minor units. */
const sold: readonly Pick<PaySystem, 'id' | 'currency' | 'minAmount' | 'maxAmount'>[] = [
  { id: 1, currency: 'usd', minAmount: 100, maxAmount: 100_000_00 },
  { id: 2, currency: 'rub', minAmount: 100_00, maxAmount: 10_000_000_00 },
]

const systems = sold.map((one): PaySystem => ({
  ...one,
  name: 'Invoice',
  description: 'Bank transfer. The balance changes when the transfer has arrived.',
  recurrent: false,
}))

export const invoiceModule = payModule('invoice', 4, invoiceProvider)

/** Creates the provider of manual invoices. */
function invoiceProvider({ db }: Pick<Services, 'db'>, { instructions }: InvoiceAccount): PayProvider {
  return {
    name: 'invoice',
    systems,
    instructions,
    async begin(payment, { returnUrl }) {
      await insertInvoice(db, payment.id)
      return { payId: payment.uuid, redirectUrl: returnUrl, customer: null }
    },
    find: async (payment) => ((await findInvoice(db, payment.uuid)) ? payment.uuid : null),
    charge: async () => ({ payId: null, outcome: 'declined', reason: 'not_supported', final: true, actionUrl: null }),
    async check(payId) {
      const found = await findInvoice(db, payId)
      if (!found) throw new Error(`Invoice ${payId} does not exist`)
      return await providerPaymentOf(found)
    },
    cancel: (payId) => updateInvoice(db, payId, { withdrawn: 1 }),
    refund: (payment: PaymentRow, amountMinor: number, key: string) =>
      insertInvoiceRefund(db, { key, payment_id: payment.id, amount_minor: amountMinor }),
    readWebhook: async () => null,
    listedAfterMs: null,
    // The operator's mark is in the database: nothing can be missed.
    async *since() {},
  }

  async function providerPaymentOf(
    row: PaymentRow & { paid_minor: number; withdrawn: 0 | 1 },
  ): Promise<ProviderPayment> {
    const refunds = await listInvoiceRefunds(db, row.id)
    return {
      payId: row.uuid,
      payRef: null,
      uuid: row.uuid,
      status: row.paid_minor > 0 ? 'success' : row.withdrawn === 1 ? 'cancel' : 'pending',
      reason: null,
      amountMinor: row.paid_minor > 0 ? row.paid_minor : row.amount_minor,
      currency: row.currency,
      feeMinor: 0,
      method: null,
      actionUrl: null,
      refunds: refunds.map(({ key, amount_minor }) => ({
        id: key,
        key,
        takenMinor: amount_minor,
        returnedMinor: 0,
      })),
      disputes: [],
    }
  }
}

/**
 * Marks an invoice as paid. The payment is settled by the next check.
 * @param paidMinor amount that arrived, minor units
 */
export const markPaid = ({ db }: { readonly db: Db | Trx }, uuid: string, paidMinor: number): Promise<void> =>
  updateInvoice(db, uuid, { paid_minor: paidMinor })
