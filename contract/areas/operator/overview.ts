// Overview of the installation for operators: revenue, plans, unpaid money, and what waits for a decision.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { DateTime } from '#contract/core/lenient.ts'
import { read } from '#contract/core/operation.ts'
import { Nothing } from '#contract/core/wire.ts'
import { inboxKinds, Sum } from '#contract/entities/operator.ts'

const Counted = z.object({ count: z.int(), sums: z.array(Sum) })

export const OperatorOverview = z.object({
  /** First moments of last month, this month and the next one, UTC. */
  months: z.object({ last: DateTime, current: DateTime, next: DateTime }),
  /** Money that reached the seller at providers less what went back, minor units. */
  revenue: z.object({ current: z.array(Sum), last: z.array(Sum) }),
  /** Plans that renew, with their amounts for a month. */
  recurring: Counted,
  /** Plans that began and ended this month. */
  plans: z.object({ new: z.int(), ended: z.int() }),
  /** Opened invoices without money, and those of them that are older than 14 days. */
  unpaid: Counted,
  overdue: Counted,
  /** Projects that owe money. */
  debts: Counted,
  /** Kinds with at least one item. */
  inbox: z.array(z.object({ kind: z.enum(inboxKinds), count: z.int(), date_oldest: z.nullable(DateTime) })),
  /** Last backup that was reported; null: none. */
  date_backup: z.nullable(DateTime),
})
export type OperatorOverview = z.output<typeof OperatorOverview>

export const overview = group(
  'operator.overview',
  { prefix: 'operator/overview', title: 'OperatorOverview' },
  {
    get: read('', {
      name: 'Get the overview of the installation',
      input: Nothing,
      output: OperatorOverview,
      auth: 'operator',
      scope: 'operator:read',
      provenance: 'decided',
    }),
  },
)
