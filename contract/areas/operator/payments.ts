// Payments of all projects, as operators see them.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { read, write } from '#contract/core/operation.ts'
import { Id, Page, pageOf, Success } from '#contract/core/wire.ts'
import { Payment, paymentNotes } from '#contract/entities/payment.ts'
import { Reason } from './settings.ts'

const amount = z.int().check(z.minimum(1), z.maximum(300_000_000_000))

export const payments = group(
  'operator.payments',
  { prefix: 'operator/payment', title: 'OperatorPayment' },
  {
    list: read('list', {
      name: 'List payments of all projects',
      input: z.extend(Page, { project_id: z.optional(Id) }),
      output: pageOf(z.extend(Payment, { project_id: z.int() })),
      auth: 'operator',
      provenance: 'decided',
      notes: paymentNotes,
    }),
    markPaid: write('POST', 'paid', {
      name: 'Mark invoice as paid',
      input: z.object({ payment_id: Id, amount, reason: Reason }),
      output: Success,
      auth: 'operator',
      provenance: 'decided',
      replay: 'never',
      notes: { amount: 'minor units that arrived; another amount than that of the invoice is not booked' },
    }),
    refund: write('POST', 'refund', {
      name: 'Refund payment',
      input: z.object({ payment_id: Id, amount, reason: Reason }),
      output: Success,
      auth: 'operator',
      provenance: 'decided',
      replay: 'never',
      notes: { amount: 'minor units: at most what the payment has left and the paid-in balance holds' },
    }),
  },
)
