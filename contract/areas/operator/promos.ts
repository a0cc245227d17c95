// Promo codes, as operators see them.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { DateTime } from '#contract/core/lenient.ts'
import { read, write } from '#contract/core/operation.ts'
import { Id, Page, pageOf, Success } from '#contract/core/wire.ts'
import { currencyFields } from '#contract/entities/currencies.ts'
import { PromoType } from '#contract/entities/money.ts'
import { Period } from '#contract/entities/plan.ts'
import { Reason } from './settings.ts'

const amount = z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(100_000_000))))
const quantity = z.optional(z.int().check(z.minimum(1), z.maximum(10_000_000)))

/** A promo code. */
export const PromoCode = z.object({
  promo_id: z.int(),
  code: z.string(),
  name: z.string(),
  type: PromoType,
  ...currencyFields('amount', () => z.nullable(z.int())),
  percent: z.nullable(z.int()),
  plan: z.nullable(z.object({ id: z.int(), title: z.string(), period: Period })),
  uses: z.int(),
  uses_max: z.nullable(z.int()),
  date_until: z.nullable(DateTime),
  date_end: z.nullable(DateTime),
  date_create: DateTime,
})
export type PromoCode = z.output<typeof PromoCode>

export const promos = group(
  'operator.promos',
  { prefix: 'operator/promo', title: 'OperatorPromo', stale: ['operator.promos'] },
  {
    list: read('list', {
      name: 'List promo codes',
      input: Page,
      output: pageOf(PromoCode),
      auth: 'operator',
      scope: 'operator:read',
      provenance: 'decided',
      notes: { ...currencyFields('amount', () => 'minor units'), date_end: 'time when an operator ended it' },
    }),
    create: write('POST', 'create', {
      name: 'Create promo code',
      input: z.object({
        code: z.string().check(z.minLength(4), z.maxLength(40)),
        name: z.string().check(z.trim(), z.minLength(1), z.maxLength(100)),
        type: PromoType,
        ...currencyFields('amount', () => amount),
        percent: z.optional(z.int().check(z.minimum(1), z.maximum(100))),
        plan_id: z.optional(Id),
        period: z.optional(Period),
        channels: quantity,
        bitrate: quantity,
        count: quantity,
        size: quantity,
        uses_max: z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(1_000_000)))),
        date_until: z.optional(z.nullable(DateTime)),
        reason: Reason,
      }),
      output: Success,
      auth: 'operator',
      scope: 'operator:write',
      provenance: 'decided',
      replay: 'never',
      notes: {
        code: 'letters, digits, hyphens and underscores',
        ...currencyFields('amount', () => 'minor units; `top_up` and `fixed` need the amount of at least one currency'),
        percent: 'off the price of a purchase, for `percent`',
        plan_id: 'plan of the line that `type` names, with `period`, and the quantities of a flexible plan',
        uses_max: 'null: no limit',
      },
    }),
    end: write('POST', 'end', {
      name: 'End promo code',
      input: z.object({ promo_id: Id, reason: Reason }),
      output: Success,
      auth: 'operator',
      scope: 'operator:write',
      provenance: 'decided',
    }),
  },
)
