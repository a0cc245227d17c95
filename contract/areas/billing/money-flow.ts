// MoneyFlow: movements of a project's money, one row per balance type that changed.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { DateTime, Moment } from '#contract/core/lenient.ts'
import { read } from '#contract/core/operation.ts'
import { InProject, Page, pageOf } from '#contract/core/wire.ts'
import { BalanceTypeId, balanceTypeNames, choiceList, moneyFlows, MoneyFlowType } from '#contract/entities/money.ts'
import { PaymentStatus } from '#contract/entities/payment.ts'
import { Currency } from '#contract/entities/project.ts'

/** One changed balance (published `MoneyFlowResponse`). `title` and below are ours. */
export const MoneyFlowRow = z.object({
  money_flow_id: z.int(),
  amount: z.int(),
  currency: z.nullable(Currency),
  date: DateTime,
  type: MoneyFlowType,
  balance: z.int(),
  details: z.nullable(z.object({ title: z.string(), date_end: DateTime })),
  title: z.nullable(z.string()),
  balance_type: BalanceTypeId,
  transaction_id: z.int(),
  payment_id: z.nullable(z.int()),
  payment_status: z.nullable(PaymentStatus),
  payout_id: z.nullable(z.int()),
  user_: z.nullable(z.object({ user_id: z.int(), name: z.string(), fename: z.string() })),
})
export type MoneyFlowRow = z.output<typeof MoneyFlowRow>

export const moneyFlow = group(
  'billing.money-flow',
  { prefix: 'money_flow', title: 'MoneyFlow' },
  {
    list: read('list', {
      name: 'Transaction list for frontend',
      input: z.extend(z.extend(InProject, Page.shape), {
        date_from: z.optional(Moment),
        date_to: z.optional(Moment),
        type: choiceList(moneyFlows),
        balance_type: choiceList(balanceTypeNames),
      }),
      output: pageOf(MoneyFlowRow),
      auth: 'editor',
      scope: 'billing:read',
      provenance: 'published',
      notes: {
        date_from: 'from this moment on',
        date_to: 'before this moment',
        type: 'names or places in the published list, separated by commas: payment,referral_profit',
        balance_type: '1 bonus, 2 payment, 3 profit, 4 debt, separated by commas',
        amount: 'minor units; negative when money leaves the balance',
        title: 'the purchase, or the other side of the movement',
        balance: 'minor units of this balance type before the movement; a debt is negative',
      },
    }),
  },
)
