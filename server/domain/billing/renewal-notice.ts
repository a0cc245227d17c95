// Notifies the owners of a project of an automatic renewal, in the transaction of its change.
import type { LineName } from '#contract/entities/plan.ts'
import type { Services } from '#server/core/context.ts'
import type { Trx } from '#server/db/open.ts'
import { planKind } from '#server/domain/notifications/kinds.ts'
import { notify } from '#server/domain/notifications/notify.ts'
import { decimalOf } from '#server/domain/money/decimal.ts'
import type { Plan } from './renewal-plan.ts'

/** A change that owners are notified of. */
export interface RenewalEvent {
  readonly kind: 'ahead' | 'renewed' | 'failed' | 'stopped'
  readonly projectId: number
  readonly line: LineName
  readonly end: string
  readonly plan: Plan | null
  readonly reason: string | null
  /** Time of the next try; null: none. */
  readonly next: string | null
}

/** Writes the notification of a change. A renewal that was switched off has none. */
export async function noticeRenewal(services: Pick<Services, 'clock'>, trx: Trx, event: RenewalEvent): Promise<void> {
  const { kind: change, projectId, line, end, plan, next, reason } = event
  if (plan === null) return
  const price = `${decimalOf(plan.price)} ${plan.currency.toUpperCase()}`
  const params = { line, plan: plan.title, date_end: end, price, next, reason }
  const kind =
    change === 'renewed' ? planKind(line, 'renewed') : change === 'ahead' ? 'plan_renewal_ahead' : 'plan_renewal_failed'
  await notify(services, trx, { kind, projectId, ref: `${line}.${end}.${change}.${next ?? ''}`, params })
}
