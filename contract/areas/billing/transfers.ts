// Transfers: balance moved between two projects of one owner.
import * as z from 'zod/mini'
import { staleMoney } from '#contract/entities/stale.ts'
import { group } from '#contract/core/group.ts'
import { write } from '#contract/core/operation.ts'
import { Id, InProject, Success } from '#contract/core/wire.ts'

export const transfers = group(
  'billing.transfers',
  { prefix: 'balance', title: 'BalanceTransfer' },
  {
    move: write('POST', 'move', {
      name: 'Move balance to another project',
      input: z.extend(InProject, {
        to_project_id: Id,
        amount: z.int().check(z.minimum(1), z.maximum(300_000_000_000)),
        idempotency_key: z.optional(z.string().check(z.minLength(8), z.maxLength(100))),
      }),
      output: Success,
      auth: 'owner',
      scope: 'billing:write',
      provenance: 'decided',
      replay: 'never',
      notes: {
        to_project_id: 'the caller must also own this project',
        amount: 'minor units: from the paid-in balance first, then from the earned one; each keeps its type',
        idempotency_key: 'the same key moves once, whatever the number of calls',
      },
      stale: staleMoney,
    }),
  },
)
