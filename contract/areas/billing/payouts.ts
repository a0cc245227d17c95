// Payout: ways to pay out the earned balance, and requests.
import * as z from 'zod/mini'
import { staleMoney } from '#contract/entities/stale.ts'
import { group } from '#contract/core/group.ts'
import { read, write } from '#contract/core/operation.ts'
import { Id, InProject, listOf, Page, pageOf, Success } from '#contract/core/wire.ts'
import { PayoutFacts } from '#contract/entities/money.ts'
import { Currency } from '#contract/entities/project.ts'

/** A way to pay out (published `PayoutSystemAccountListItemResponse`). */
export const PayoutMethod = z.object({
  payout_system_account_id: z.int(),
  payout_system_id: z.int(),
  description: z.string(),
  commission: z.number(),
  commission_type: z.enum(['percent', 'fix']),
  title: z.string(),
  active: z.boolean(),
  currency: Currency,
  min_amount: z.int(),
  max_amount: z.int(),
})
export type PayoutMethod = z.output<typeof PayoutMethod>

/** A request for a payout. */
export const Payout = z.extend(PayoutFacts, { title: z.string() })
export type Payout = z.output<typeof Payout>

export const payouts = group(
  'billing.payouts',
  { prefix: 'payout', title: 'Payout', stale: staleMoney },
  {
    prepare: read('prepare', {
      name: 'Get payout data for create',
      input: InProject,
      output: listOf(PayoutMethod),
      auth: 'owner',
      scope: 'billing:read',
      provenance: 'published',
      notes: { commission: 'percent, or minor units where `commission_type` is fix', min_amount: 'minor units' },
    }),
    create: write('POST', 'create', {
      name: 'Create payout',
      input: z.extend(InProject, {
        payout_system_account_id: Id,
        amount: z.int().check(z.minimum(1), z.maximum(300_000_000_000)),
        wallet_value: z.string().check(z.trim(), z.minLength(3), z.maxLength(255), z.regex(/^\P{Cc}*$/u)),
        idempotency_key: z.optional(z.string().check(z.minLength(8), z.maxLength(100))),
      }),
      output: Success,
      auth: 'owner',
      scope: 'billing:write',
      provenance: 'published',
      inQuery: ['v', 'language'],
      replay: 'never',
      notes: {
        amount: 'minor units that leave the earned balance; the recipient gets them less the commission',
        wallet_value: 'account of the recipient; stored encrypted, shown masked',
        idempotency_key: 'decided: the same key creates one payout, whatever the number of calls',
      },
    }),
    list: read('list', {
      name: 'List payouts',
      input: z.extend(InProject, Page.shape),
      output: pageOf(Payout),
      auth: 'owner',
      scope: 'billing:read',
      provenance: 'decided',
      notes: { wallet: 'masked but for its last four characters' },
    }),
    cancel: write('POST', 'cancel', {
      name: 'Cancel payout',
      input: z.extend(InProject, { payout_id: Id }),
      output: Success,
      auth: 'owner',
      scope: 'billing:write',
      provenance: 'decided',
    }),
  },
)
