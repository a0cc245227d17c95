// Payments of all projects, as operators see them.
import * as z from 'zod/mini'
import { staleMoney, stalePlans } from '#contract/entities/stale.ts'
import { group } from '#contract/core/group.ts'
import { DateTime } from '#contract/core/lenient.ts'
import { read, write } from '#contract/core/operation.ts'
import { Id, listOf, Nothing, Page, pageOf, Success } from '#contract/core/wire.ts'
import { span } from '#contract/entities/operator.ts'
import { OperatorPayment, paymentFilters, paymentNotes } from '#contract/entities/payment.ts'
import { Reason } from './settings.ts'

const amount = z.int().check(z.minimum(1), z.maximum(300_000_000_000))

/** A provider with its last webhook message and its last reconciliation; null: none yet. */
export const PaymentProvider = z.object({
  name: z.string(),
  mismatches: z.int(),
  date_reconciled: z.nullable(DateTime),
  date_event: z.nullable(DateTime),
})

export const payments = group(
  'operator.payments',
  { prefix: 'operator/payment', title: 'OperatorPayment', stale: ['operator.payments', ...staleMoney] },
  {
    list: read('list', {
      name: 'List payments of all projects',
      input: z.extend(Page, {
        project_id: z.optional(Id),
        status: z.optional(z.enum(paymentFilters)),
        provider: z.optional(z.string().check(z.maxLength(40))),
        query: z.optional(z.string().check(z.maxLength(100))),
        ...span,
      }),
      output: pageOf(OperatorPayment),
      auth: 'operator',
      scope: 'operator:read',
      provenance: 'decided',
      notes: {
        ...paymentNotes,
        query:
          'number of the payment, of one of its papers or of the payment at its provider, an amount, or an e-mail of a member',
        date_to: 'exclusive',
        left: 'credited and neither refunded nor disputed, minor units',
        may_dispute: 'false: the provider reports disputes by itself',
        open_dispute: 'amount of the open dispute that was entered by hand; 0: none',
        review_case:
          'an amount that arrived, was taken back (`return`) or came back again (`reinstated`), and is not booked; `refund`: a refund that the provider has not confirmed in 30 days; null: none',
      },
    }),
    providers: read('providers', {
      name: 'List payment providers with differences',
      input: Nothing,
      output: listOf(PaymentProvider),
      auth: 'operator',
      scope: 'operator:read',
      provenance: 'decided',
      notes: {
        mismatches: 'payments that only one side has or that could not be compared, by the last reconciliation',
      },
    }),
    markPaid: write('POST', 'paid', {
      name: 'Mark invoice as paid',
      input: z.object({ payment_id: Id, amount, reason: Reason }),
      output: Success,
      auth: 'operator',
      scope: 'operator:write',
      provenance: 'decided',
      replay: 'never',
      notes: { amount: 'minor units that arrived; another amount than that of the invoice is not booked' },
      stale: ['operator.payments', ...stalePlans],
    }),
    refund: write('POST', 'refund', {
      name: 'Refund payment',
      input: z.object({ payment_id: Id, amount, end_plan: z.optional(z.boolean()), reason: Reason }),
      output: Success,
      auth: 'operator',
      scope: 'operator:write',
      provenance: 'decided',
      replay: 'never',
      notes: {
        amount: 'minor units: at most what the payment has left and the paid-in balance holds',
        end_plan:
          'true: the running plan of the line that was paid ends first, and its unused part returns to the balance',
      },
      stale: ['operator.payments', ...stalePlans],
    }),
    dispute: write('POST', 'dispute', {
      name: 'Enter dispute of payment',
      input: z.object({ payment_id: Id, amount, reason: Reason }),
      output: Success,
      auth: 'operator',
      scope: 'operator:write',
      provenance: 'decided',
      replay: 'never',
      notes: { amount: 'minor units that the provider has withdrawn; for providers that report no disputes' },
    }),
    endDispute: write('POST', 'end-dispute', {
      name: 'End dispute of payment',
      input: z.object({ payment_id: Id, won: z.boolean(), reason: Reason }),
      output: Success,
      auth: 'operator',
      scope: 'operator:write',
      provenance: 'decided',
      replay: 'never',
      notes: { won: 'true: the amount returns to the project' },
    }),
    resolve: write('POST', 'resolve', {
      name: 'Decide on payment',
      input: z.object({ payment_id: Id, book: z.boolean(), reason: Reason }),
      output: Success,
      auth: 'operator',
      scope: 'operator:write',
      provenance: 'decided',
      replay: 'never',
      notes: { book: 'true: credit what arrived to the paid-in balance; false: leave it at the provider' },
    }),
  },
)
