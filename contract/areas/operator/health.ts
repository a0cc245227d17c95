// Health of the money: payment providers, and the ledger against its invariants.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { read } from '#contract/core/operation.ts'
import { Nothing } from '#contract/core/wire.ts'
import { PaymentProvider } from './payments.ts'

export const OperatorHealth = z.object({
  providers: z.array(PaymentProvider),
  ledger: z.object({
    transactions: z.int(),
    /** Ids of transactions whose entries do not sum to zero; at most 20. */
    unbalanced: z.array(z.int()),
    wallets: z.int(),
    /** Projects whose balances differ from their entries; at most 20. */
    differing: z.array(z.int()),
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
  },
)
