// Movements of money of all projects, as operators see them.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { DateTime } from '#contract/core/lenient.ts'
import { read } from '#contract/core/operation.ts'
import { Id, Page, pageOf } from '#contract/core/wire.ts'
import { Currency } from '#contract/entities/project.ts'
import { MoneyFlowType } from '#contract/entities/money.ts'
import { LedgerView, span, Sum } from '#contract/entities/operator.ts'

/** A movement of a project. Amount in minor units. */
export const LedgerMovement = z.object({
  id: z.int(),
  type: MoneyFlowType,
  project_id: z.int(),
  project_name: z.string(),
  title: z.nullable(z.string()),
  payment_id: z.nullable(z.int()),
  amount: z.int(),
  currency: Currency,
  date_create: DateTime,
})
export type LedgerMovement = z.output<typeof LedgerMovement>

export const ledger = group(
  'operator.ledger',
  { prefix: 'operator/ledger', title: 'OperatorLedger' },
  {
    list: read('', {
      name: 'List movements of money of all projects',
      input: z.extend(Page, { view: z._default(LedgerView, 'balance'), target_project_id: z.optional(Id), ...span }),
      output: z.extend(pageOf(LedgerMovement), { sums: z.array(Sum) }),
      auth: 'operator',
      scope: 'operator:read',
      provenance: 'decided',
      notes: {
        amount: 'minor units; of `received`: positive when money arrived at the seller',
        date_to: 'exclusive',
        sums: 'of all movements that match, by currency',
      },
    }),
  },
)
