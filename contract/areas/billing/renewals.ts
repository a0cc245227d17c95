// Renewals of plans (ours): what each line charges next, and why a charge failed.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { DateTime } from '#contract/core/lenient.ts'
import { read, write } from '#contract/core/operation.ts'
import { InProject, listOf, Success } from '#contract/core/wire.ts'
import { lineNames } from '#contract/entities/plan.ts'
import { Currency } from '#contract/entities/project.ts'

/** Renewal of a bought plan. `amount` in minor units. */
export const Renewal = z.object({
  line: z.enum(lineNames),
  title: z.string(),
  date_end: DateTime,
  enabled: z.boolean(),
  amount: z.nullable(z.int()),
  currency: Currency,
  reason: z.nullable(z.string()),
  date_next: z.nullable(DateTime),
  method: z.nullable(z.string()),
  from_balance: z.int(),
  missing: z.int(),
  charge: z.int(),
  obstacle: z.nullable(z.enum(['DebtOpen', 'no_method', 'price_not_announced', 'suspended'])),
})
export type Renewal = z.output<typeof Renewal>

export const renewals = group(
  'billing.renewals',
  { prefix: 'renewal', title: 'Renewals' },
  {
    list: read('list', {
      name: 'List renewals of plans',
      input: InProject,
      output: listOf(Renewal),
      auth: 'owner',
      scope: 'billing:read',
      provenance: 'decided',
      notes: {
        enabled: 'switched by plan_restream, plan_transcoding and plan_storage/prolongation',
        amount: 'minor units; null when the plan cannot be renewed',
        reason: 'why the last try failed, or why there is no further one; null: no failure',
        date_next: 'time of the next try; null: none',
        method: 'title of the default payment method; null: none is saved',
        from_balance: 'part of `amount` that the balance covers at present, after renewals before it',
        missing: 'part that it lacks',
        charge: 'amount that the payment method is charged: `missing`, or the minimum of the pay system; 0: nothing',
        obstacle: 'why the next try will fail as things are; null: nothing is known',
      },
    }),
    retry: write('POST', 'retry', {
      name: 'Retry a renewal now',
      input: z.extend(InProject, { line: z.enum(lineNames) }),
      output: Success,
      auth: 'owner',
      scope: 'billing:write',
      provenance: 'decided',
    }),
  },
)
