// Plans of all projects that were bought or given, as operators see them.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { DateTime } from '#contract/core/lenient.ts'
import { read } from '#contract/core/operation.ts'
import { Id, Page, pageOf } from '#contract/core/wire.ts'
import { lineNames, Period } from '#contract/entities/plan.ts'
import { Currency } from '#contract/entities/project.ts'
import { span, SubscriptionView, Sum } from '#contract/entities/operator.ts'

/** A plan of a project without interruption. Amount in minor units. */
export const Subscription = z.object({
  term_id: z.int(),
  project_id: z.int(),
  project_name: z.string(),
  line: z.enum(lineNames),
  plan: z.string(),
  period: z.nullable(Period),
  amount: z.int(),
  currency: Currency,
  renews: z.boolean(),
  date_start: DateTime,
  date_end: DateTime,
})
export type Subscription = z.output<typeof Subscription>

export const subscriptions = group(
  'operator.subscriptions',
  { prefix: 'operator/subscriptions', title: 'OperatorSubscriptions' },
  {
    list: read('', {
      name: 'List plans of all projects',
      input: z.extend(Page, {
        view: z._default(SubscriptionView, 'running'),
        target_project_id: z.optional(Id),
        ...span,
      }),
      output: z.extend(pageOf(Subscription), { monthly: z.array(Sum) }),
      auth: 'operator',
      scope: 'operator:read',
      provenance: 'decided',
      notes: {
        date_to: 'exclusive; `date_from` and `date_to` apply to `new` and `ended`',
        amount: 'paid for the last begun period, minor units; 0: given',
        monthly: 'amounts of all plans that match, for a month, by currency',
      },
    }),
  },
)
