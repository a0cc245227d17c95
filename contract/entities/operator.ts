// What the pages of operators share: sums, views of lists, and kinds of what waits for a decision.
import * as z from 'zod/mini'
import { DateTime } from '#contract/core/lenient.ts'
import { Currency } from './project.ts'

/** Amount in minor units of a currency. */
export const Sum = z.object({ currency: Currency, amount: z.int() })
export type Sum = z.output<typeof Sum>

/** `balance`: change of the balances and the debt of a project. `received`: what reached the seller, or went back, at providers. */
export const LedgerView = z.enum(['balance', 'received'])
export type LedgerView = z.output<typeof LedgerView>

/** `running`: now. `recurring`: run now and renew. `new`: began in the time. `ended`: ended in the time. */
export const SubscriptionView = z.enum(['running', 'recurring', 'new', 'ended'])
export type SubscriptionView = z.output<typeof SubscriptionView>

/** What waits for a decision of the operator. */
export const inboxKinds = ['transfer', 'payout', 'review', 'dispute', 'receipt', 'job', 'backup'] as const
export type InboxKind = (typeof inboxKinds)[number]

/** Days after which an invoice without money is overdue. */
export const overdueDays = 14

/** Filter by time: `date_to` is exclusive. */
export const span = { date_from: z.optional(DateTime), date_to: z.optional(DateTime) }

/** Slots of a plan line, in order of time. */
export const slotNames = ['before', 'current', 'next'] as const

/** What each project may use while plans do not apply. Space for recordings in GB. */
export const ServerLimits = z.object({
  channels: z.int().check(z.minimum(1), z.maximum(1_000)),
  storage: z.int().check(z.minimum(0), z.maximum(1_000_000)),
  transcoders: z.int().check(z.minimum(0), z.maximum(1_000)),
})
export type ServerLimits = z.output<typeof ServerLimits>

/** State of a check. `good` was checked and holds; `unknown` could not be checked yet. */
export const CheckState = z.enum(['good', 'warn', 'bad', 'unknown'])
export type CheckState = z.output<typeof CheckState>
