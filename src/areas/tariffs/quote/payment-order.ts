// A purchase as the input of a payment; pure.
import * as z from 'zod/mini'
import type { payments } from '#contract/areas/billing/payments.ts'
import type { Input } from '#contract/core/operation.ts'
import { toApiError } from '#src/api/api-error.ts'
import type { Order } from '#src/areas/tariffs/lines.ts'

/** Parameters of `POST payment` by those of `buy`. */
const names: Readonly<Record<Order['line'], Readonly<Record<string, string>>>> = {
  restream: { count_channel: 'plan_restream_count_channel', bitrate: 'plan_restream_bitrate' },
  transcoding: { count: 'plan_transcoding_count_flow' },
  storage: { size: 'plan_storage_value' },
}

type PlanFields = Omit<Input<typeof payments.create>, 'project_id' | 'amount'>

/** Returns the parameters of a payment that name the plan. */
export function paymentOf({ line, period, request }: Order): PlanFields {
  const plan = `plan_${line}_id`
  const quantities = Object.entries(names[line]).map(([own, wire]) => [wire, request[own]])
  const { promo_code } = request
  return {
    type: line,
    plan_period: period,
    [plan]: request[plan],
    ...Object.fromEntries(quantities),
    ...(promo_code !== undefined && { promo_code }),
  } as PlanFields
}

/** Present price of a plan from a refused payment; minor units. */
const Due = z.object({ total: z.int(), balance: z.int() })
export type Due = z.output<typeof Due>

/** Returns the present price when a payment was refused because its amount differs; otherwise null. */
export function dueFrom(error: unknown): Due | null {
  const { name, data } = toApiError(error)
  return name === 'AmountDiffers' ? (Due.safeParse(data['quote']).data ?? null) : null
}
