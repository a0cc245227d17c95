// Health of the money: payment providers, the ledger against its invariants, and closing receipts (54-FZ).
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { DateTime } from '#contract/core/lenient.ts'
import { read, write } from '#contract/core/operation.ts'
import { Id, Nothing, Success } from '#contract/core/wire.ts'
import { PaymentProvider } from './payments.ts'
import { Reason } from './settings.ts'

/** A closing receipt that YooKassa has refused. Amount in kopecks. */
export const RefusedReceipt = z.object({
  receipt_id: z.int(),
  payment_id: z.int(),
  project_id: z.int(),
  project_name: z.string(),
  title: z.string(),
  amount: z.int(),
  reason: z.string(),
  date: DateTime,
})
export type RefusedReceipt = z.output<typeof RefusedReceipt>

export const OperatorHealth = z.object({
  providers: z.array(PaymentProvider),
  ledger: z.object({
    transactions: z.int(),
    /** Ids of transactions whose entries do not sum to zero in one currency; at most 20. */
    unbalanced: z.array(z.int()),
    wallets: z.int(),
    /** Projects with an account that differs from its balance, payments or payouts in a currency; at most 20. */
    differing: z.array(z.int()),
  }),
  receipts: z.object({
    /** Number of closing receipts that are not registered yet. */
    waiting: z.int(),
    /** The oldest refused ones; at most 50. */
    refused: z.array(RefusedReceipt),
  }),
})
export type OperatorHealth = z.output<typeof OperatorHealth>

export const health = group(
  'operator.health',
  { prefix: 'operator/health', title: 'OperatorHealth' },
  {
    get: read('', {
      name: 'Check providers and the ledger',
      input: Nothing,
      output: OperatorHealth,
      auth: 'operator',
      provenance: 'decided',
    }),
    resolveReceipt: write('POST', 'receipt', {
      name: 'Decide on refused closing receipt',
      input: z.object({ receipt_id: Id, again: z.boolean(), reason: Reason }),
      output: Success,
      auth: 'operator',
      provenance: 'decided',
      replay: 'never',
      notes: { again: 'true: send it again as a new receipt; false: it was made elsewhere' },
    }),
  },
)
