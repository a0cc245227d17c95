// Payment: top-ups and payments for plans.
import * as z from 'zod/mini'
import { stalePlans } from '#contract/entities/stale.ts'
import { group } from '#contract/core/group.ts'
import { read, write } from '#contract/core/operation.ts'
import { Id, InProject, Success } from '#contract/core/wire.ts'
import { promoCode } from '#contract/entities/money.ts'
import { Payment, paymentNotes, PaymentType } from '#contract/entities/payment.ts'
import { Period } from '#contract/entities/plan.ts'

/** Largest amount of a payment, minor units. */
export const paymentMaxMinor = 300_000_000_000

const quantity = z.optional(z.int().check(z.minimum(1), z.maximum(10_000_000)))

export const payments = group(
  'billing.payments',
  { prefix: 'payment', title: 'Payment', stale: stalePlans },
  {
    get: read('', {
      name: 'get payment status',
      input: z.extend(InProject, { payId: Id }),
      output: Payment,
      auth: 'editor',
      scope: 'billing:read',
      provenance: 'published',
      notes: { payId: '`payment_id`', ...paymentNotes },
    }),
    create: write('POST', '', {
      name: 'Create payment item',
      status: 201,
      input: z.extend(InProject, {
        type: z.enum([...PaymentType.options, 'top_up']),
        amount: z.int().check(z.minimum(1), z.maximum(paymentMaxMinor)),
        plan_period: z.optional(Period),
        plan_restream_id: z.optional(Id),
        plan_restream_count_channel: quantity,
        plan_restream_bitrate: quantity,
        plan_transcoding_id: z.optional(Id),
        plan_transcoding_count_flow: quantity,
        plan_storage_id: z.optional(Id),
        plan_storage_value: quantity,
        promo_code: promoCode,
        pay_system_id: z.optional(Id),
        method_id: z.optional(Id),
        save: z.optional(z.literal([0, 1])),
        idempotency_key: z.optional(z.string().check(z.minLength(8), z.maxLength(100))),
      }),
      output: z.object({
        payment_id: z.int(),
        pay_name: z.string(),
        pay_id: z.optional(z.string()),
        pay_key: z.optional(z.string()),
      }),
      auth: 'owner',
      scope: 'billing:write',
      provenance: 'published',
      inQuery: ['v', 'language'],
      notes: {
        type: '`top_up` is read as `topup`',
        amount: 'minor units; for a plan the part of the quote that the balance does not cover',
        plan_restream_bitrate: 'kbps',
        plan_storage_value: 'GB',
        promo_code: 'decided: a code that lowers the price of the plan, used when the payment arrives',
        pay_system_id: 'decided: a row of `pay-system/list`; default: the first one in the currency of the project',
        method_id: 'decided: a saved method that is charged immediately',
        save: 'decided: 1 saves the method for renewals',
        idempotency_key: 'decided: the same key creates one payment, whatever the number of calls',
        pay_name: 'the provider',
      },
    }),
    list: read('list', {
      name: 'payment list',
      input: z.object({
        page: z._default(z.int().check(z.minimum(1), z.maximum(1_000_000)), 1),
        pageSize: z._default(z.int().check(z.minimum(1), z.maximum(100)), 20),
        project_id: z.optional(Id),
      }),
      output: z.object({ results: z.array(Payment), page: z.int(), pageSize: z.int(), total: z.int() }),
      auth: 'session',
      scope: 'billing:read',
      provenance: 'published',
      notes: { project_id: 'decided: default is the project that the user selected last', ...paymentNotes },
    }),
    cancel: write('POST', 'cancel', {
      name: 'Cancel payment',
      input: z.extend(InProject, { payment_id: Id }),
      output: Success,
      auth: 'owner',
      scope: 'billing:write',
      provenance: 'decided',
      notes: { payment_id: 'a pending payment; one that was paid meanwhile is settled instead' },
    }),
  },
)
