// Payment method: saved cards and other methods that renewals charge. The published API has none of these.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { read, write } from '#contract/core/operation.ts'
import { Id, InProject, listOf, Success } from '#contract/core/wire.ts'

const Method = z.object({
  method_id: z.int(),
  pay_name: z.string(),
  title: z.string(),
  expires: z.nullable(z.string()),
  is_default: z.boolean(),
})
export type Method = z.output<typeof Method>

const OfMethod = z.extend(InProject, { method_id: Id })

export const methods = group(
  'billing.methods',
  { prefix: 'payment-method', title: 'Payment method' },
  {
    list: read('list', {
      name: 'List saved payment methods',
      input: InProject,
      output: listOf(Method),
      auth: 'owner',
      scope: 'billing:read',
      provenance: 'decided',
      notes: { title: 'for example `Visa •••• 4242`', expires: '`YYYY-MM`', is_default: 'renewals charge it' },
    }),
    setDefault: write('POST', 'default', {
      name: 'Choose the default payment method',
      input: OfMethod,
      output: Success,
      auth: 'owner',
      scope: 'billing:write',
      provenance: 'decided',
    }),
    remove: write('POST', 'delete', {
      name: 'Remove a saved payment method',
      input: OfMethod,
      output: Success,
      auth: 'owner',
      scope: 'billing:write',
      provenance: 'decided',
    }),
  },
)
