// Catalogues of all product lines as operators edit them. Editing never changes what was sold.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { read, write } from '#contract/core/operation.ts'
import { Id, Nothing, Success } from '#contract/core/wire.ts'
import { byPeriod, lineNames, Period } from '#contract/entities/plan.ts'
import { currencyFields } from '#contract/entities/currencies.ts'
import { planFields } from '#contract/entities/plan-fields.ts'
import { Reason } from './settings.ts'

/** Read-only facts about a plan. */
const facts = {
  id: z.int(),
  index: z.int(),
  /** Projects in which the plan runs now. */
  projects: z.int(),
  /** Projects that see the plan although it is not listed. */
  assigned: z.array(z.int()),
}

const Discounts = z.object(byPeriod(() => z.int()))

export const Catalogue = z.object({
  restream: z.array(z.extend(planFields.restream, facts)),
  transcoding: z.array(z.extend(planFields.transcoding, facts)),
  storage: z.array(z.extend(planFields.storage, facts)),
  /** Recording space that every plan has at least, GB (`RECORD_LIMIT`). */
  record_limit: z.int(),
  discounts: z.object({ restream: Discounts, transcoding: Discounts, storage: Discounts }),
  /** Periods in their order; `sold` false: bought plans continue, and no project buys another one. */
  periods: z.array(z.object({ period: Period, sold: z.boolean() })),
})
export type Catalogue = z.output<typeof Catalogue>

const Line = z.enum(lineNames)
const percent = z.int().check(z.minimum(0), z.maximum(100))
const notes = { ...currencyFields('price', () => 'minor units a month'), plan_id: 'left out: a new plan' }
const saved = {
  output: z.object({ id: z.int() }),
  auth: 'operator',
  scope: 'operator:write',
  provenance: 'decided',
  notes,
} as const
const more = { plan_id: z.optional(Id), reason: Reason }

export const plans = group(
  'operator.plans',
  { prefix: 'operator/plans', title: 'OperatorPlans', stale: ['operator', 'tariffs'] },
  {
    list: read('', {
      name: 'Get the catalogues of all lines',
      input: Nothing,
      output: Catalogue,
      auth: 'operator',
      scope: 'operator:read',
      provenance: 'decided',
    }),
    saveRestream: write('POST', 'restream', {
      name: 'Save a restream plan',
      input: z.extend(planFields.restream, more),
      ...saved,
    }),
    saveTranscoding: write('POST', 'transcoding', {
      name: 'Save a transcoding plan',
      input: z.extend(planFields.transcoding, more),
      ...saved,
    }),
    saveStorage: write('POST', 'storage', {
      name: 'Save a storage plan',
      input: z.extend(planFields.storage, more),
      ...saved,
    }),
    remove: write('POST', 'remove', {
      name: 'Remove a plan that was never bought',
      input: z.object({ line: Line, plan_id: Id, reason: Reason }),
      output: Success,
      auth: 'operator',
      scope: 'operator:write',
      provenance: 'decided',
    }),
    order: write('POST', 'order', {
      name: 'Set the order of a catalogue',
      input: z.object({ line: Line, plan_ids: z.array(Id).check(z.minLength(1), z.maxLength(100)), reason: Reason }),
      output: Success,
      auth: 'operator',
      scope: 'operator:write',
      provenance: 'decided',
      notes: { plan_ids: 'first plan first; others follow in their order' },
    }),
    setDiscount: write('POST', 'discount', {
      name: 'Set the discounts of a line',
      input: z.object({ line: Line, ...byPeriod(() => percent), reason: Reason }),
      output: Success,
      auth: 'operator',
      scope: 'operator:write',
      provenance: 'decided',
      notes: byPeriod(() => 'percent'),
    }),
    setPeriod: write('POST', 'period', {
      name: 'Sell plans for a period, or stop',
      input: z.object({ period: Period, sold: z.boolean(), reason: Reason }),
      output: Success,
      auth: 'operator',
      scope: 'operator:write',
      provenance: 'decided',
      notes: { sold: '`false`: bought plans continue, are renewed, and can be prolonged by their period' },
    }),
    assign: write('POST', 'assign', {
      name: 'Show an unlisted plan to a project, or hide it',
      input: z.object({
        line: z.optional(Line),
        plan_id: Id,
        target_project_id: Id,
        assigned: z.boolean(),
        reason: Reason,
      }),
      output: Success,
      auth: 'operator',
      scope: 'operator:write',
      provenance: 'decided',
      notes: { line: 'default `restream`' },
    }),
  },
)
