// Operations of product lines: those of every line, and those of the lines that are bought in addition to restream.
import * as z from 'zod/mini'
import type { Schema } from '#contract/core/operation.ts'
import { DateTime } from '#contract/core/lenient.ts'
import { read, write } from '#contract/core/operation.ts'
import { Id, InProject, listOf, Nothing, Success } from '#contract/core/wire.ts'
import { promoCode } from '#contract/entities/money.ts'
import { byPeriod, ChooseStatus, Discount, type LineName, Period, periodFields } from '#contract/entities/plan.ts'
import { Currency } from '#contract/entities/project.ts'

/** The chosen plan compared with the running one; `current_*`: the same plan with other quantities. */
export const QuoteStatus = z.enum(['new', 'current', 'current_upgrade', 'current_downgrade', 'upgrade', 'downgrade'])

/** Parameters of a purchase that are decided by this project. */
export const purchaseGuards = {
  promo_code: promoCode,
  quote_total: z.optional(z.int()),
  idempotency_key: z.optional(z.string().check(z.minLength(8), z.maxLength(100))),
} as const

/** Notes of `purchaseGuards`. */
export const purchaseNotes = {
  promo_code: 'decided: a code of type `percent` or `fixed`, used by the purchase',
  quote_total:
    'decided: `sum` - `refund_current` - `refund_after` as quoted, minor units, negative when the refund exceeds the price; a price that changed since refuses the purchase with the new quote in `error.data.quote`',
  idempotency_key: 'decided: the same key buys once, whatever the number of calls',
} as const

/**
 * Operations of every product line. All of them take their parameters in the query, also POST and DELETE (published).
 * @param names the brief's names of the three operations, which differ between lines
 * @param shapes responses of the line, and the input of cancelling beside the project
 */
export function planLine<List extends Schema, Cancel extends Schema>(
  names: { readonly cancelNext: string; readonly list: string; readonly discount: string },
  shapes: {
    readonly list: List
    readonly cancel: Cancel
  },
) {
  return {
    cancelNext: write('DELETE', '', {
      name: names.cancelNext,
      input: shapes.cancel,
      output: Success,
      auth: 'owner',
      scope: 'billing:write',
      provenance: 'published',
    }),
    list: read('list', {
      name: names.list,
      input: Nothing,
      output: shapes.list,
      auth: 'none',
      scope: 'any',
      provenance: 'published',
    }),
    discount: read('get_discount', {
      name: names.discount,
      input: Nothing,
      output: Discount,
      auth: 'none',
      scope: 'any',
      provenance: 'published',
      notes: byPeriod(() => 'percent'),
    }),
    prolongation: write('POST', 'prolongation', {
      name: 'Switch automatic renewal',
      placement: 'query',
      input: z.extend(InProject, { enabled: z.boolean() }),
      output: Success,
      auth: 'owner',
      scope: 'billing:write',
      provenance: 'published',
    }),
  }
}

/** Balance of a project as a payer sees it (published `BalanceForPayResponse`). Minor units. */
const BalanceForPay = z.object({
  balance: z.int(),
  currency: Currency,
  balances_allow: z.array(z.enum(['bonus', 'payment', 'profit'])),
  balances_values: z.object({ bonus: z.int(), payment: z.int(), profit: z.int() }),
})

/**
 * A quote of an add-on line: the published fields, and the fields of a restream quote when the call names a plan. Money in
 * minor units.
 */
export const AddOnQuote = z.object({
  amount: z.int(),
  balance: BalanceForPay,
  refund: z.object({ current: z.int(), after: z.int() }),
  ...periodFields('tariff_price', () => z.optional(z.int())),
  sum: z.optional(z.int()),
  promo_off: z.optional(z.int()),
  refund_balance: z.optional(z.int()),
  decrease_balance: z.optional(z.int()),
  total: z.optional(z.int()),
  notification: z.optional(z.string()),
  notification_date: z.optional(DateTime),
  button_name: z.optional(z.string()),
  choose_status: z.optional(ChooseStatus),
  status: z.optional(QuoteStatus),
  units: z.optional(z.int()),
})
export type AddOnQuote = z.output<typeof AddOnQuote>

/**
 * All operations of a line that is bought in addition to restream.
 * @param line `transcoding` or `storage`; the plan's id is `plan_<line>_id`
 * @param units name of the quantity that is sold, and the most of it
 */
export function addOnLine<
  Slots extends Schema,
  Plan extends Schema,
  const L extends Exclude<LineName, 'restream'>,
  const U extends string,
>(
  { line, units, max }: { readonly line: L; readonly units: U; readonly max: number },
  names: Readonly<Record<'slots' | 'cancelNext' | 'list' | 'discount' | 'check' | 'buy', string>>,
  shapes: { readonly slots: Slots; readonly plan: Plan },
) {
  const planKey = `plan_${line}_id` as `plan_${L}_id`
  const quantity = z.optional(z.int().check(z.minimum(1), z.maximum(max)))
  const cancel = z.extend(InProject, { [planKey]: z.optional(Id) } as Record<
    `plan_${L}_id`,
    z.ZodMiniOptional<typeof Id>
  >)
  return {
    slots: read('', {
      name: names.slots,
      input: InProject,
      output: shapes.slots,
      auth: 'viewer',
      scope: 'billing:read',
      provenance: 'published',
    }),
    ...planLine(names, { list: listOf(shapes.plan), cancel }),
    offers: read('list/project', {
      name: `Get list of ${line} tariffs for project`,
      input: InProject,
      output: listOf(shapes.plan),
      auth: 'viewer',
      scope: 'billing:read',
      provenance: 'decided',
    }),
    check: read('check', {
      name: names.check,
      input: z.extend(InProject, {
        period: z.optional(Period),
        promo_code: promoCode,
        ...({ [planKey]: z.optional(Id), [units]: quantity } as Record<`plan_${L}_id`, z.ZodMiniOptional<typeof Id>> &
          Record<U, typeof quantity>),
      }),
      output: AddOnQuote,
      auth: 'viewer',
      scope: 'billing:read',
      provenance: 'published',
      notes: { amount: 'minor units, left after the refunds; 0 without a plan', period: 'decided: default `month`' },
    }),
    buy: write('POST', '', {
      name: names.buy,
      placement: 'query',
      input: z.extend(InProject, {
        period: Period,
        ...({ [planKey]: Id, [units]: quantity } as Record<`plan_${L}_id`, typeof Id> & Record<U, typeof quantity>),
        ...purchaseGuards,
      }),
      output: Success,
      auth: 'owner',
      scope: 'billing:write',
      provenance: 'published',
      notes: purchaseNotes,
    }),
  }
}
