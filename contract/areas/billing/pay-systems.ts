// Pay system: ways to pay, and the address where a payment is paid.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { read, write } from '#contract/core/operation.ts'
import { Id, listOf, Nothing } from '#contract/core/wire.ts'
import { Currency } from '#contract/entities/project.ts'

const flag = z.literal([0, 1])

/** A way to pay: a provider in one currency (published `PaySystemListResponse`). Amounts in minor units. */
const PaySystem = z.object({
  pay_system_id: z.int(),
  name: z.string(),
  min_amount: z.int(),
  max_amount: z.int(),
  currency: Currency,
  annual: flag,
  topup: flag,
  recurrent: flag,
  description: z.string(),
  pay_name: z.string(),
})
export type PaySystem = z.output<typeof PaySystem>

/** Returns the address of a payment. One operation by four names: clients that know the published ones work. */
const create = (segment: string, name: string, provenance: 'published' | 'decided') =>
  write('GET', segment, {
    name,
    input: z.object({ payment_id: Id }),
    output: z.object({ redirect_url: z.string() }),
    auth: 'session',
    scope: 'billing:write',
    provenance,
    notes: { redirect_url: "where the customer pays, whichever the payment's provider is" },
  })

export const paySystems = group(
  'billing.pay-systems',
  // Calls return an address, and change nothing that a page shows.
  { prefix: 'pay-system', title: 'Pay system', stale: [] },
  {
    list: read('list', {
      name: 'Load available pay systems',
      carries: [],
      input: Nothing,
      output: listOf(PaySystem),
      auth: 'none',
      scope: 'any',
      provenance: 'published',
      notes: {
        min_amount: 'minor units',
        max_amount: 'minor units',
        recurrent: '1: a saved method can be charged for renewals',
        pay_name: 'the provider, as `pay_name` of a payment',
      },
    }),
    payoneer: create('payoneer/create', 'create pay-system challenge', 'published'),
    unitpay: create('unitpay/create', 'create pay-system item', 'published'),
    tBank: create('t-bank/create', 'Create pay-system item of T-Bank', 'published'),
    create: create('create', 'Create pay-system item of any provider', 'decided'),
  },
)
