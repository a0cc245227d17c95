// Tests of the input of a payment for each product line.
import { expect, test } from 'vitest'
import { payments } from '#contract/areas/billing/payments.ts'
import type { Order } from '#src/areas/tariffs/lines.ts'
import { paymentOf } from './payment-order.ts'

test.each<[Order['line'], Order['request'], object]>([
  [
    'restream',
    { plan_restream_id: 5, count_channel: 25, bitrate: 20_000 },
    { plan_restream_id: 5, plan_restream_count_channel: 25, plan_restream_bitrate: 20_000 },
  ],
  ['transcoding', { plan_transcoding_id: 2, count: 3 }, { plan_transcoding_id: 2, plan_transcoding_count_flow: 3 }],
  ['storage', { plan_storage_id: 4, size: 1000 }, { plan_storage_id: 4, plan_storage_value: 1000 }],
])('names the plan and the quantities of %s', (line, request, fields) => {
  const input = paymentOf({ line, title: 'A', words: 'A', period: 'month', request })
  expect(input).toMatchObject({ type: line, plan_period: 'month', ...fields })
  expect(payments.create.input.safeParse({ ...input, project_id: 1, amount: 990 }).success).toBe(true)
})
