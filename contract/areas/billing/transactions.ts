// Transactions: movements of a project's money, one row per transaction.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { DateTime, Moment } from '#contract/core/lenient.ts'
import { read } from '#contract/core/operation.ts'
import { InProject, Page, pageOf } from '#contract/core/wire.ts'
import { choiceList, moneyFlows, MoneyFlowType } from '#contract/entities/money.ts'

/** One transaction (published `TransactionResponse`). `payoutId` repeats `payout_id`. */
export const Transaction = z.object({
  id: z.int(),
  user_id: z.nullable(z.int()),
  payout_id: z.nullable(z.int()),
  type: z.enum(['in', 'out']),
  sum: z.string(),
  description: z.string(),
  code: z.object({ id: z.int(), name: MoneyFlowType }),
  referral_id: z.nullable(z.int()),
  date: DateTime,
  paymentId: z.nullable(z.int()),
  payoutId: z.nullable(z.int()),
})

export const transactions = group(
  'billing.transactions',
  { prefix: 'transactions', title: 'Transactions' },
  {
    list: read('list', {
      name: 'Transaction list for frontend',
      input: z.extend(z.extend(InProject, Page.shape), {
        date_from: z.optional(Moment),
        date_to: z.optional(Moment),
        code: choiceList(moneyFlows),
      }),
      output: pageOf(Transaction),
      auth: 'editor',
      scope: 'billing:read',
      provenance: 'published',
      notes: {
        date_from: 'from this moment on',
        date_to: 'before this moment',
        code: 'ids or names of movement types, separated by commas',
        sum: 'minor units as text, all balances together; negative when money leaves them',
        referral_id: 'project whose payment earned a referral profit',
      },
    }),
  },
)
