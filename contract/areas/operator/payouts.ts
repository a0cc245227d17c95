// Payouts, their ways, and the referral percent, as operators see them.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { read, write } from '#contract/core/operation.ts'
import { Id, listOf, Nothing, Page, pageOf, Success } from '#contract/core/wire.ts'
import { PayoutFacts, PayoutStatus } from '#contract/entities/money.ts'
import { Currency } from '#contract/entities/project.ts'
import { Reason } from './settings.ts'

/** A payout with the account of the recipient. */
export const QueuedPayout = z.extend(PayoutFacts, { project_id: z.int(), project_name: z.string(), way: z.string() })
export type QueuedPayout = z.output<typeof QueuedPayout>

const PayoutMethodFields = z.object({
  title: z.string().check(z.trim(), z.minLength(1), z.maxLength(100)),
  description: z.string().check(z.maxLength(500)),
  currency: Currency,
  commission: z.int().check(z.minimum(0), z.maximum(100_000_000)),
  commission_type: z.enum(['percent', 'fix']),
  min_amount: z.int().check(z.minimum(1), z.maximum(100_000_000_000)),
  max_amount: z.int().check(z.minimum(1), z.maximum(100_000_000_000)),
  active: z.boolean(),
})

/** A way to pay out. */
export const OperatorPayoutMethod = z.extend(PayoutMethodFields, { way_id: z.int() })
export type OperatorPayoutMethod = z.output<typeof OperatorPayoutMethod>

export const payouts = group(
  'operator.payouts',
  {
    prefix: 'operator/payout',
    title: 'OperatorPayout',
    stale: ['billing', 'operator.payouts', 'projects.projects.info'],
  },
  {
    list: read('list', {
      name: 'List payouts of all projects',
      input: z.extend(Page, { status: z.optional(PayoutStatus) }),
      output: pageOf(QueuedPayout),
      auth: 'operator',
      scope: 'operator:read',
      provenance: 'decided',
      notes: { amount: 'minor units; the recipient gets it less `commission`', wallet: 'account of the recipient' },
    }),
    sent: write('POST', 'sent', {
      name: 'Mark payout as sent',
      input: z.object({
        payout_id: Id,
        reference: z.string().check(z.trim(), z.minLength(1), z.maxLength(200)),
        reason: Reason,
      }),
      output: Success,
      auth: 'operator',
      scope: 'operator:write',
      provenance: 'decided',
      replay: 'never',
      notes: { reference: 'of the transfer; the project sees it' },
    }),
    refuse: write('POST', 'refuse', {
      name: 'Refuse payout',
      input: z.object({ payout_id: Id, reason: Reason }),
      output: Success,
      auth: 'operator',
      scope: 'operator:write',
      provenance: 'decided',
      replay: 'never',
      notes: { reason: 'the project sees it; the amount returns to its balance' },
    }),
    ways: read('ways', {
      name: 'List ways to pay out',
      input: Nothing,
      output: listOf(OperatorPayoutMethod),
      auth: 'operator',
      scope: 'operator:read',
      provenance: 'decided',
      notes: { commission: 'hundredths of a percent, or minor units', min_amount: 'minor units' },
    }),
    setWay: write('POST', 'set-way', {
      name: 'Add or change a way to pay out',
      input: z.extend(PayoutMethodFields, { way_id: z.optional(Id), reason: Reason }),
      output: Success,
      auth: 'operator',
      scope: 'operator:write',
      provenance: 'decided',
      replay: 'never',
      notes: { way_id: 'left out: a new way', commission: 'hundredths of a percent, or minor units' },
    }),
    referral: read('referral', {
      name: 'Get the referral percent',
      input: Nothing,
      output: z.object({ percent: z.number() }),
      auth: 'operator',
      scope: 'operator:read',
      provenance: 'decided',
    }),
    setReferral: write('POST', 'set-referral', {
      name: 'Set the referral percent',
      input: z.object({ percent: z.number().check(z.minimum(0), z.maximum(50), z.multipleOf(0.01)), reason: Reason }),
      output: Success,
      auth: 'operator',
      scope: 'operator:write',
      provenance: 'decided',
      notes: { percent: 'share of the payments of invited users; applies to payments from now on' },
    }),
  },
)
